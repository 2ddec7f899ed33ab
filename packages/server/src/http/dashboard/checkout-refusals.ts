/** How the dashboard answers a business "no" about checkouts, sales at the counter and payment links. */
import { mostIntents } from '../../checkouts/checkout.ts'
import { refuse } from '../../core/refusal.ts'
import { invalid, notFound, Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import { answerTo as merchantAnswer } from '../merchant/refusals.ts'

export type CheckoutRefusal =
  | 'checkout_unknown'
  | 'checkout_not_open'
  | 'checkout_wallet_refused'
  | 'checkout_intent_limit'
  | 'checkout_rest_refused'
  | 'quota_exceeded'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'link_unknown'
  | 'link_limit'

type Facts = Readonly<Record<string, string>>

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])
const changed = (attr: string, code: string, detail: string, facts: Facts): Problem =>
  new Problem(400, 'validation_error', [{ code, detail, attr }], {}, { facts })

export const checkoutAnswers: Readonly<Record<CheckoutRefusal, (facts: Facts) => Problem>> = {
  checkout_unknown: () => notFound(),
  checkout_not_open: (facts) =>
    changed(
      NON_FIELD,
      'checkout_not_open',
      `Only an OPEN checkout can be changed or cancelled; this one is ${facts.status ?? 'over'}.`,
      facts,
    ),
  checkout_wallet_refused: () =>
    field('wallet', 'checkout_wallet_refused', 'This checkout cannot be paid into this wallet now. Choose another.'),
  checkout_intent_limit: () =>
    field(
      NON_FIELD,
      'checkout_intent_limit',
      `The wallet of a checkout is chosen at most ${mostIntents} times. Cancel it, and start another.`,
    ),
  checkout_rest_refused: () =>
    field(
      NON_FIELD,
      'checkout_rest_refused',
      'There is no rest to collect: nothing is missing, or the buyer has already sent another reference.',
    ),
  quota_exceeded: (facts) => merchantAnswer(refuse('quota_exceeded', { ...facts })),
  idempotency_key_reused: () => merchantAnswer(refuse('idempotency_key_reused')),
  idempotency_in_progress: () => merchantAnswer(refuse('idempotency_in_progress')),
  link_unknown: () => notFound(),
  link_limit: ({ most }) => field(NON_FIELD, 'link_limit', `An account has at most ${most} payment links.`),
}
