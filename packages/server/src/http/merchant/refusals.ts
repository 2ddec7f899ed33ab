/** How each business "no" of the merchant API is answered. A code that is missing here does not compile. */
import { type ErrorFacts, type ErrorSentence, errorOf } from '@sanad/contract/error-sentences'
import type {
  CheckoutRefusalCode,
  ErasureRefusalCode,
  ManagementRefusalCode,
  MemberRefusalCode,
  OperatorRefusalCode,
  PushRefusalCode,
  QueueRefusalCode,
  Refusal,
  RefusalCode,
  WebhookRefusalCode,
} from '../../core/refusal.ts'
import { invalid, notFound, Problem } from '../answers.ts'

/** The refusals that a call of the merchant API can have. All others belong to the checkout API or the dashboard. */
export type MerchantRefusal = Exclude<
  RefusalCode,
  | CheckoutRefusalCode
  | QueueRefusalCode
  | WebhookRefusalCode
  | MemberRefusalCode
  | ManagementRefusalCode
  | OperatorRefusalCode
  | PushRefusalCode
  | ErasureRefusalCode
>

type Answer = (facts: Readonly<Record<string, string>>) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])
const known = (attr: string, name: ErrorSentence, facts?: ErrorFacts): Problem =>
  invalid([{ ...errorOf(name, facts), attr }])

export const unknownWallet = (id: string) => ({ ...errorOf('does_not_exist', { id }), attr: 'wallet' })

const answers: Readonly<Record<MerchantRefusal, Answer>> = {
  wallet_unknown: (facts) => invalid([unknownWallet(facts.wallet ?? '')]),
  wallet_not_monitored: () => known('wallet', 'wallet_not_monitored'),
  currency_mismatch: (facts) =>
    field('currency', 'currency_mismatch', `This wallet collects ${facts.currency}; another currency was asked for.`),
  quota_exceeded: (facts) =>
    field('non_field_errors', 'quota_exceeded', `The quota of ${facts.quota} intents for this month is used up.`),
  idempotency_key_reused: () => known('SERVICE-IDEMPOTENCY-KEY', 'idempotency_key_reused'),
  idempotency_in_progress: () =>
    new Problem(
      409,
      'client_error',
      [
        {
          code: 'idempotency_in_progress',
          detail: 'A request with this key is still being processed. Try again.',
          attr: 'SERVICE-IDEMPOTENCY-KEY',
        },
      ],
      { 'retry-after': '1' },
    ),
  intent_unknown: () => notFound(),
  intent_not_pending: () => known('reference', 'intent_not_pending'),
  reference_already_used: () => known('reference', 'reference_already_used'),
  reference_limit: ({ most }) => known('reference', 'reference_limit', { most }),
}

export const answerTo = (refusal: Refusal<MerchantRefusal>): Problem => answers[refusal.refused](refusal.facts ?? {})
