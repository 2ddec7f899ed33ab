/** How each business "no" of the dashboard is answered. A code that is missing here does not compile. */
import type { PeopleRefusalCode, QueueRefusalCode, Refusal, WebhookRefusalCode } from '../../ground/refusal.ts'
import { mostEndpoints, mostHeaders } from '../../webhooks/endpoint.ts'
import { invalid, notFound, Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

export type DashboardRefusal =
  | WebhookRefusalCode
  | PeopleRefusalCode
  | QueueRefusalCode
  | 'wallet_unknown'
  | 'intent_unknown'
  | 'intent_not_pending'

type Facts = Readonly<Record<string, string>>
type Answer = (facts: Facts) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

/** Somebody was first, or something changed: programs get the facts beside the sentence. */
const changed = (attr: string, code: string, detail: string, facts: Facts): Problem =>
  new Problem(400, 'validation_error', [{ code, detail, attr }], {}, { facts })

const by = ({ by }: Facts): string => (by === undefined || by === '' ? '' : ` by ${by}`)

/** What became of money that is no longer open. */
const fates: Readonly<Record<string, (facts: Facts) => string>> = {
  booked: (facts) => `This money was booked onto payment ${facts.payment}${by(facts)}.`,
  matched: (facts) => `This money was matched with payment ${facts.payment}.`,
  wrong_amount: (facts) => `This money was matched with payment ${facts.payment}, which asked for another amount.`,
  dismissed: (facts) => `This money was put aside${by(facts)}.`,
  held: () => 'This alert is held, because its phone was switched off. Release it first.',
  unread: () => 'Nobody understood this alert: there is no amount to book.',
  debit: () => 'This alert tells of money that left.',
  duplicate: () => 'This alert repeats another.',
}

const atTheDoor = (code: string, detail: string): Problem =>
  new Problem(401, 'client_error', [{ code, detail, attr: null }])

const answers: Readonly<Record<DashboardRefusal, Answer>> = {
  credentials_wrong: () => atTheDoor('authentication_failed', 'The address or the password is wrong.'),
  second_factor_required: () => atTheDoor('second_factor_required', 'A code of the second factor is needed as well.'),
  second_factor_wrong: () => atTheDoor('second_factor_wrong', 'This code is wrong, or was used already.'),
  door_busy: () => atTheDoor('authentication_failed', 'Too many are at the door. Try again in a moment.'),
  alert_unknown: () => notFound(),
  alert_not_open: (facts) =>
    changed(
      NON_FIELD,
      'alert_not_open',
      fates[facts.state ?? '']?.(facts) ?? 'This alert has changed meanwhile. Look at it again.',
      facts,
    ),
  alert_not_held: (facts) => changed(NON_FIELD, 'alert_not_held', 'This alert is not held.', facts),
  alert_not_dismissed: (facts) => changed(NON_FIELD, 'alert_not_dismissed', 'This alert was not put aside.', facts),
  // The intent of the path, or one that the body names.
  intent_unknown: (facts) =>
    facts.intent === undefined
      ? notFound()
      : field('intent', 'does_not_exist', `Invalid pk "${facts.intent}" - object does not exist.`),
  intent_not_pending: (facts) =>
    changed(
      'intent',
      'intent_not_pending',
      `Payment ${facts.payment ?? ''} is ${facts.status ?? 'over'}${by(facts)}.`,
      facts,
    ),
  intent_not_expired: (facts) =>
    changed('intent', 'intent_not_expired', 'Only the order of an EXPIRED intent is copied.', facts),
  intent_of_other_wallet: () =>
    field('intent', 'intent_of_other_wallet', 'This intent collects into another wallet than the money came to.'),
  amount_changed: (facts) =>
    changed(
      NON_FIELD,
      'amount_changed',
      `${facts.alert_amount} was paid and ${facts.intent_amount} is asked for, which is not what you saw.`,
      facts,
    ),
  reference_taken: (facts) =>
    changed(
      NON_FIELD,
      'reference_taken',
      `Other money of this wallet (${facts.amount}) stands for the same reference.`,
      facts,
    ),
  endpoint_unknown: () => notFound(),
  delivery_unknown: () => notFound(),
  replay_unknown: () => notFound(),
  wallet_unknown: (facts) => field('wallet', 'does_not_exist', `Invalid pk "${facts.wallet}" - object does not exist.`),
  url_refused: (facts) => field('url', facts.code ?? 'invalid', facts.detail ?? 'This address is not allowed.'),
  endpoint_limit: () => field(NON_FIELD, 'endpoint_limit', `An account has at most ${mostEndpoints} endpoints.`),
  headers_limit: () => field('headers', 'max_length', `An endpoint has at most ${mostHeaders} headers of its own.`),
  endpoint_disabled: () => field(NON_FIELD, 'endpoint_disabled', 'This endpoint is disabled. Enable it first.'),
  event_forgotten: () =>
    field(NON_FIELD, 'event_forgotten', 'This event is older than 30 days: what it said is no longer kept.'),
  replay_running: () =>
    field(NON_FIELD, 'replay_running', 'Another replay of this endpoint is running. Stop it first.'),
  replay_over: () => field(NON_FIELD, 'replay_over', 'This replay has reached its end.'),
  range_empty: () => field('until', 'range_empty', 'The range must end after it begins, and begin in the past.'),
  range_too_old: () => field('from', 'range_too_old', 'Events can be sent again for 30 days.'),
}

export const answerTo = (refusal: Refusal<DashboardRefusal>): Problem => answers[refusal.refused](refusal.facts ?? {})
