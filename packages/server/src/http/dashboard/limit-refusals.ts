/** How each business "no" about the limits of roles, and about requests for what is over them, is answered. */
import type { LimitRefusalCode } from '../../core/refusal.ts'
import { notFound, Problem } from '../answers.ts'
import { type Answer, byActor, type Facts, says, saysWithFacts } from './refusal-answer.ts'

const limitDetails: Readonly<Record<string, (facts: Facts) => string>> = {
  short: ({ short, currency, most_short }) =>
    `This is ${short} ${currency} short of its order, and you may book at most ${most_short} short.`,
  booked: ({ amount, currency, most_booked }) =>
    `This is ${amount} ${currency}, and you may book at most ${most_booked} in one step.`,
  cancel: () => 'You may not cancel.',
  take_sale: () => 'You may not take walk-in money as a sale.',
}

const forbidden = (code: string, detail: string, facts: Facts = {}): Problem =>
  new Problem(403, 'client_error', [{ code, detail, attr: null }], {}, { facts })

const overDetails: Readonly<Record<string, string>> = {
  expired: 'Nobody has confirmed this in time. Ask for it again.',
  over: 'This is no longer possible.',
}

export const limitAnswers: Readonly<Record<LimitRefusalCode, Answer>> = {
  over_limit: (facts) => {
    const details = (facts.limits ?? '').split(',').map((limit) => limitDetails[limit]?.(facts) ?? '')
    return forbidden('over_limit', `${details.join(' ')} Ask a manager or an owner to confirm it.`, facts)
  },
  request_unknown: () => notFound(),
  request_over: saysWithFacts((facts) => overDetails[facts.state ?? ''] ?? `This was ${facts.state}${byActor(facts)}.`),
  request_impossible: saysWithFacts((facts) =>
    facts.why === 'asker'
      ? `${facts.by} may no longer ask for this. Nothing was changed.`
      : 'This is no longer possible: the money or the order has changed since. Nothing was changed.',
  ),
  request_own: () => forbidden('request_own', 'You asked for this yourself. Somebody else must confirm it.'),
  request_of_another: says('Somebody else asked for this. A manager or an owner can refuse it.'),
  request_not_needed: says('This is within your limits: do it without asking.'),
  request_limit: says(({ most, of }) =>
    of === 'member'
      ? `At most ${most} of your requests wait at a time. Withdraw one, or wait.`
      : `At most ${most} requests wait at a time. A manager or an owner must decide some first.`,
  ),
}
