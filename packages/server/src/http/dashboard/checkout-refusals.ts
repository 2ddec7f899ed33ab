/** How the dashboard answers a business "no" about checkouts, sales at the counter and payment links. */
import { mostIntents } from '../../checkouts/checkout.ts'
import { refuse } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { answerTo as merchantAnswer } from '../merchant/refusals.ts'
import { type Answer, says, saysWithFacts } from './refusal-answer.ts'

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

export const checkoutAnswers: Readonly<Record<CheckoutRefusal, Answer>> = {
  checkout_unknown: () => notFound(),
  checkout_not_open: saysWithFacts(
    (facts) => `Only an OPEN checkout can be changed or cancelled; this one is ${facts.status ?? 'over'}.`,
  ),
  checkout_wallet_refused: says('This checkout cannot be paid into this wallet now. Choose another.', 'wallet'),
  checkout_intent_limit: says(
    `The wallet of a checkout is chosen at most ${mostIntents} times. Cancel it, and start another.`,
  ),
  checkout_rest_refused: says(
    'There is no rest to collect: nothing is missing, or the buyer has already sent another reference.',
  ),
  quota_exceeded: (facts) => merchantAnswer(refuse('quota_exceeded', { ...facts })),
  idempotency_key_reused: () => merchantAnswer(refuse('idempotency_key_reused')),
  idempotency_in_progress: () => merchantAnswer(refuse('idempotency_in_progress')),
  link_unknown: () => notFound(),
  link_limit: says(({ most }) => `An account has at most ${most} payment links.`),
}
