/**
 * A business "no": returned, never thrown. The code is for programs; `facts` fill the sentence that a user reads. One table
 * per API turns refusals into responses (`refusals.ts` in http/merchant and http/dashboard); a code that is missing there
 * does not compile.
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
  | 'reference_limit'
  | CheckoutRefusalCode
  | QueueRefusalCode
  | WebhookRefusalCode
  | MemberRefusalCode
  | ManagementRefusalCode
  | OperatorRefusalCode
  | PushRefusalCode
  | ErasureRefusalCode

/** Erasing an account, which is asked for by a command alone. */
export type ErasureRefusalCode = 'erasure_begun' | 'erasure_code' | 'erasure_not_waiting'

/** Checkouts: the merchant's calls and the buyer's page. */
export type CheckoutRefusalCode =
  | 'checkout_unknown'
  | 'checkout_not_open'
  | 'checkout_wallet_refused'
  | 'checkout_no_wallet'
  | 'checkout_intent_limit'
  | 'checkout_reference_limit'
  | 'checkout_no_open_intent'
  | 'checkout_rest_refused'
  | 'link_unknown'
  | 'link_off'
  | 'link_paid'
  | 'link_amount'
  | 'link_in_use'
  | 'link_limit'

/** The queue of unmatched money, and references that two orders claim. */
export type QueueRefusalCode =
  | 'alert_unknown'
  | 'alert_not_open'
  | 'alert_not_held'
  | 'alert_not_dismissed'
  | 'alert_not_ambiguous'
  | 'alert_not_doubtful'
  | 'alert_not_unread'
  | 'alert_not_hidden'
  | 'alert_erased'
  | 'code_deleted'
  | 'alert_not_repeated'
  | 'wallet_not_offered'
  | 'intent_not_expired'
  | 'intent_not_wrong'
  | 'intent_of_other_wallet'
  | 'test_and_real'
  | 'amount_changed'
  | 'reference_taken'
  | 'may_be_same_payment'
  | SaleRefusalCode
  | LimitRefusalCode
  | ShiftRefusalCode
  | 'claim_unknown'
  | 'reference_not_held'
  | 'reference_spent'

/** Walk-in money that is taken as a sale, and handing over. */
export type SaleRefusalCode =
  | 'sale_of_test_money'
  | 'sale_amount'
  | 'sale_amount_changed'
  | 'sale_needs_look'
  | 'voucher_limit'
  | 'voucher_revoked'
  | 'sale_order_waits'
  | 'sale_unknown'
  | 'sale_final'
  | 'intent_not_paid'

/** Limits of roles, and requests for what is over them. */
export type LimitRefusalCode =
  | 'over_limit'
  | 'request_unknown'
  | 'request_over'
  | 'request_impossible'
  | 'request_own'
  | 'request_of_another'
  | 'request_not_needed'
  | 'request_limit'

/** Shifts at the counter. */
export type ShiftRefusalCode = 'shift_unknown' | 'shift_open' | 'shift_over'

/** The management of wallets, phones, templates and keys. */
export type ManagementRefusalCode =
  | 'wallet_limit'
  | 'wallet_exists'
  | 'wallet_closed'
  | 'test_wallet_fixed'
  | 'provider_unknown'
  | 'provider_for_tests'
  | 'account_number_form'
  | 'provider_limit'
  | 'read_only'
  | 'sender_collision'
  | 'phone_unknown'
  | 'phone_limit'
  | 'phone_full'
  | 'phone_has_wallets'
  | 'phone_has_alerts'
  | 'phone_not_judged'
  | 'template_unknown'
  | 'template_limit'
  | 'template_not_draft'
  | 'template_not_active'
  | 'template_draft_exists'
  | 'template_not_green'
  | 'owner_needed'
  | 'approval_unknown'
  | 'approval_over'
  | 'approval_stale'
  | 'approval_not_needed'
  | 'approval_limit'
  | 'approval_of_another'
  | 'key_unknown'
  | 'key_limit'
  | 'key_revoked'
  | 'key_is_test'
  | 'key_wallet_unknown'
  | 'confirmation_required'
  | 'retention_bounds'
  | 'buyer_phone'
  | 'buyer_cursor'

export type PasskeyRefusalCode =
  | 'passkey_wrong'
  | 'passkey_unknown'
  | 'passkey_limit'
  | 'passkey_known'
  | 'passkey_no_host'

/** A user's second factor, and who must have one. */
export type FactorRefusalCode =
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_not_begun'
  | 'factor_needed'
  | 'operator_factor_needed'
  | 'own_factor_first'
  | 'last_factor'

/** Sign-in, members and invitations. */
export type MemberRefusalCode =
  | 'credentials_wrong'
  | 'second_factor_required'
  | 'second_factor_wrong'
  | 'sign_in_busy'
  | 'session_unknown'
  | 'password_wrong'
  | 'password_refused'
  | 'code_wrong'
  | PasskeyRefusalCode
  | FactorRefusalCode
  | 'link_over'
  | 'sign_in_first'
  | 'other_person'
  | 'owner_sees_all'
  | 'member_wallet_unknown'
  | 'member_unknown'
  | 'last_owner'
  | 'last_proved_owner'
  | 'not_a_request'
  | 'address_unproved'
  | 'address_proved'
  | 'proof_limit'
  | 'no_longer_allowed'
  | 'already_member'
  | 'already_invited'
  | 'members_limit'
  | 'invitation_unknown'
  | 'role_needed'
  | CounterRefusalCode

/** Counters, their cashiers and PINs. */
export type CounterRefusalCode =
  | 'counter_unknown'
  | 'counter_limit'
  | 'counter_browser_only'
  | 'cashier_name_taken'
  | 'cashier_name_refused'
  | 'cashier_has_address'
  | 'cashier_role_fixed'
  | 'pin_refused'
  | 'pin_wrong'
  | 'pin_paused'
  | 'pin_needed'
  | 'pin_not_for_role'

/** The operator's commands, and the providers and templates that all accounts share. */
export type OperatorRefusalCode =
  | 'account_unknown'
  | 'shared_provider_unknown'
  | 'shared_provider_exists'
  | 'shared_template_unknown'
  | 'shared_template_not_draft'
  | 'shared_template_retired'
  | 'replaced_template_unknown'

/** Notifications on members' devices. */
export type PushRefusalCode =
  | 'push_address_refused'
  | 'push_browser_only'
  | 'push_device_limit'
  | 'push_device_unknown'
  | 'push_key_invalid'
  | 'quiet_hours_empty'

/** Webhook endpoints, deliveries and replays. */
export type WebhookRefusalCode =
  | 'endpoint_unknown'
  | 'endpoint_limit'
  | 'endpoint_disabled'
  | 'endpoint_owner_only'
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
