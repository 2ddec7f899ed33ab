/**
 * A business "no": returned, never thrown. The code is for programs; `facts` are for the sentence that a person reads.
 * How a refusal becomes an answer is one table at the border (http/merchant/refusals.ts); a code missing there does
 * not compile.
 */
export type RefusalCode =
  | 'wallet_unknown'
  | 'wallet_not_monitored'
  | 'currency_mismatch'
  | 'quota_exceeded'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'reference_already_used'
  | 'alert_unknown'
  | 'alert_not_open'
  | 'alert_not_held'
  | 'intent_not_expired'
  | WebhookRefusalCode
  | PeopleRefusalCode
  | OperatorRefusalCode

/** Of people at the door, and of what they manage. */
export type PeopleRefusalCode = 'credentials_wrong' | 'second_factor_required' | 'second_factor_wrong' | 'door_busy'

/** Of those who host the service, and of what everybody shares. */
export type OperatorRefusalCode =
  | 'account_unknown'
  | 'shared_provider_unknown'
  | 'shared_provider_exists'
  | 'shared_template_unknown'
  | 'shared_template_not_draft'
  | 'shared_template_not_active'
  | 'replaced_template_unknown'

/** Of the endpoints that merchants are told at, and of telling them again. */
export type WebhookRefusalCode =
  | 'endpoint_unknown'
  | 'endpoint_limit'
  | 'endpoint_disabled'
  | 'url_refused'
  | 'headers_limit'
  | 'delivery_unknown'
  | 'event_forgotten'
  | 'replay_unknown'
  | 'replay_running'
  | 'replay_over'
  | 'range_empty'
  | 'range_too_old'

export type Refusal<Code extends RefusalCode = RefusalCode> = {
  readonly refused: Code
  readonly facts?: Readonly<Record<string, string>>
}

export const refuse = <Code extends RefusalCode>(refused: Code, facts?: Record<string, string>): Refusal<Code> =>
  facts === undefined ? { refused } : { refused, facts }

export const isRefusal = <T extends object>(value: T): value is Extract<T, Refusal> => 'refused' in value
