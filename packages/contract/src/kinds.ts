/**
 * Statuses, states, reasons and kinds that the API, the server's modules and the dashboard share. Each is listed once, and
 * its type comes from the list (a test fails on a second list). This file imports nothing, so every module may import it.
 */

export const intentStatuses = ['PENDING', 'VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED'] as const
export type IntentStatus = (typeof intentStatuses)[number]

/** What a list of intents can be sorted by. */
export const intentOrders = ['created_at', 'verified_at', 'payable_amount', 'status'] as const
export type IntentOrder = (typeof intentOrders)[number]

/** The entries of an intent's timeline that are stored (`intent_moves`). */
export const moveKinds = [
  'reference',
  /** A member moved its reference to another intent. */
  'reference_moved',
  'verified',
  'wrong_amount',
  'booked',
  'expired',
  'cancelled',
  /** Its amount arrived without a reference, and did not verify it. */
  'not_matched',
] as const
export type MoveKind = (typeof moveKinds)[number]

/** What can be done about a reference that two orders claim. */
export const claimStates = ['held', 'paid', 'free'] as const
export type ClaimState = (typeof claimStates)[number]

/** What an account keeps for a time and then erases. */
export const retentionKinds = [
  /** Texts of alerts that are money, and the payers that they name. */
  'texts',
  /** Messages that no template reads as money. */
  'no_money',
  /** Names and phones that were claimed for intents or sent with checkouts. */
  'payers',
  /** The log of API calls. */
  'api_calls',
  /** The audit log. */
  'audit',
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export const checkoutStatuses = ['OPEN', 'COMPLETE', 'EXPIRED', 'CANCELLED'] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

/** What a list of checkouts can be sorted by. */
export const checkoutOrders = ['created_at', 'amount', 'status'] as const
export type CheckoutOrder = (typeof checkoutOrders)[number]

/** The states of an alert that waits for an intent or for a member: the unmatched queue. */
export const queueStates = [
  /** A credit with a reference that no intent has yet. */
  'waiting',
  /** A credit that only a member may book; the reason says why. */
  'review',
  /** The phone was switched off, or the account suspended: stored, and not matched until it is released. */
  'held',
  /** No template could read it. */
  'unread',
  /** It ended an intent that asked for another amount. It is not spent, and may verify another intent. */
  'wrong_amount',
] as const
export type QueueState = (typeof queueStates)[number]

export const alertStates = [
  ...queueStates,
  /** Spent: the service matched it, and it verified an intent. */
  'matched',
  /** Spent: a member booked it. */
  'booked',
  /** A member set it aside. */
  'dismissed',
  /** Money that left the wallet: it verifies nothing, and only moves the balance. */
  'debit',
  'duplicate',
  /** A one-time code, or a message of a sender that no wallet and no provider has: sealed, and not shown. */
  'hidden',
] as const
export type AlertState = (typeof alertStates)[number]

/** What became of money that arrived. */
export const moneyOutcomes = [
  /** It verified an intent by itself. */
  'matched',
  /** A member took it as a sale at the counter. */
  'sale',
  /** A member, or the buyer's page, booked it onto an intent. */
  'booked',
  /** It has no intent: waiting, under review or held. */
  'unmatched',
  'wrong_amount',
  'dismissed',
  /** A message says that it was reversed or has failed, and no member has booked it. */
  'denied',
] as const
export type MoneyOutcome = (typeof moneyOutcomes)[number]

/** What became of a message that a phone reported, as the phone is told. */
export const reportOutcomes = ['accepted', 'duplicate', 'held'] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

/** Why an alert is in its state. */
export const alertReasons = [
  '',
  'unknown_sender',
  'which_wallet',
  'not_understood',
  'ambiguous',
  'no_reference',
  'wrong_currency',
  'other_sim',
  'second_amount',
  'low_trust',
  'above_limit',
  'broken_chain',
  'no_intent',
  'late',
  'device_off',
  'same_text',
  'same_reference',
  /** A member dismissed an earlier alert of the same money, which this alert supersedes. */
  'dismissed_before',
  /** Stored without a decision because of a fault of ours. */
  'not_decided',
  /** The text or the title says that the payment was reversed, failed or is pending. */
  'denied',
  /** Where a name should be, the text has words of a sentence, or the title of the notification has such words: the message may say
   *  that no money arrived. */
  'unexpected_words',
  /** A notification of an app that is not the provider's. */
  'other_app',
  /** The same message was reported for another wallet before. */
  'seen_before',
  /** A duplicate: a part of a longer message. */
  'message_part',
  /** A part of this message was read as other money, or this message is such a part. */
  'read_in_part',
  // On a wallet with unique amounts: why an alert whose reference no intent has did not verify the intent that asks for its amount.
  /** Several intents ask for the amount, or did until a short time ago. */
  'amount_of_several',
  /** The intent has a reference: only that verifies it. */
  'amount_has_reference',
  /** The intent was paid a short time ago. */
  'amount_paid_before',
  /** The money was sent before the intent was made. */
  'amount_before_intent',
  /** The phone does not know when the message was sent. */
  'amount_untimed',
  /** Another payer was claimed for the intent. */
  'amount_payer_differs',
  /** Another alert has the same amount, with or without a reference: it may be the same payment. */
  'amount_seen',
] as const
export type AlertReason = (typeof alertReasons)[number]

/** Reasons of a message that says, or may say, that its money did not arrive. A member reads it before booking. */
export const denialReasons = ['denied', 'unexpected_words'] as const satisfies readonly AlertReason[]

/** The fields that a sample of a template can expect to be read from its text. */
export const sampleFields = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee'] as const

/** Facts about an alert that a member should see before using it. */
export const doubtCodes = [
  'unsigned',
  'balance',
  'phone_new',
  /** Messages of its sender have counted for the wallet for less than a day. */
  'sender_new',
  /** An unsigned message with the same reference denies the payment. */
  'unsigned_denial',
  'seen_before',
  'same_payment',
  'many_references',
] as const
export type DoubtCode = (typeof doubtCodes)[number]

/** What keeps an alert from being the payment of an intent: the codes that have no facts. */
export const plainDifferences = [
  'no_reference',
  'held',
  'unread',
  'low_trust',
  'above_limit',
  'broken_chain',
  'other_sim',
  'second_amount',
  'denied',
  'unexpected_words',
  'late',
  'duplicate',
  'dismissed',
] as const
export type PlainDifference = (typeof plainDifferences)[number]

/** What keeps an alert from being the payment of an intent: the codes that have facts. */
export const factDifferences = [
  'amount',
  'reference',
  'reference_not_attached',
  'payer',
  'currency',
  'time',
  'taken',
] as const

/** `retrying`: at least one attempt has failed, and the next one is planned. */
export const deliveryStates = ['waiting', 'retrying', 'sending', 'delivered', 'exhausted', 'disabled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Filters of the delivery log. `waiting`: not finished. `failed`: given up, or not finished and an attempt has failed. */
export const templateStates = ['draft', 'active', 'retired'] as const

export const deliveryFilters = ['all', 'waiting', 'delivered', 'failed'] as const
export type DeliveryFilter = (typeof deliveryFilters)[number]

/**
 * `open`: nothing is sent for a while. `probing`: the next delivery is a probe. `recovering`: it answers again, and gets
 * more calls step by step.
 */
export const breakerStates = ['closed', 'open', 'probing', 'recovering'] as const
export type BreakerState = (typeof breakerStates)[number]

export const memberRoles = ['owner', 'manager', 'cashier', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

export const phoneStates = ['off', 'waiting', 'silent', 'healthy'] as const
export type PhoneState = (typeof phoneStates)[number]

/** How far the self-test of a phone is. `heard`: the phone was in contact, but no alert came yet. `ended`: none came in time. */
export const selfTestStates = ['waiting', 'heard', 'arrived', 'ended'] as const
export type SelfTestState = (typeof selfTestStates)[number]

/** What is wrong with a wallet, for its members. */
export const walletNotes = [
  'inactive',
  'no_phone',
  'no_sender',
  'no_template',
  'phone_off',
  'phone_unpaired',
  'phone_silent',
  'account_number',
] as const
export type WalletNoteCode = (typeof walletNotes)[number]

/**
 * Events that can be sent to a webhook. `payment.received` belongs to the testing wallet. All but `payment.verified` and
 * `payment.received` are sent only to endpoints that subscribe to them.
 */
export const eventKinds = [
  'payment.verified',
  'payment.unmatched',
  'payment.received',
  'payment.wrong_amount',
  'payment.expired',
  'payment.cancelled',
  'checkout.completed',
  'checkout.expired',
] as const
export type EventKind = (typeof eventKinds)[number]

/** The apps that the set-up page of a phone offers, in its order. */
export const setupApps = ['smsgate', 'agent', 'sms-to-url', 'sms-forwarder'] as const
export type SetupApp = (typeof setupApps)[number]

/** Why a change needs an owner: what would count as proof of a payment afterwards that does not count before. */
export const ownerReasons = [
  'sender',
  'app',
  'low_trust_limit',
  'review_above',
  'review_broken_chains',
  'review_later_messages',
] as const
export type OwnerReason = (typeof ownerReasons)[number]

/** The changes that a manager can ask an owner to confirm. */
export const approvalKinds = ['wallet.create', 'wallet.update', 'provider.update', 'template.publish'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** `expired`: no owner decided in time. `stale`: when an owner confirmed, the object had changed. */
export const approvalStates = ['open', 'confirmed', 'declined', 'withdrawn', 'expired', 'stale'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Changes and problems of which the owners of an account get a notice. */
export const ownerNoticeKinds = [
  'phone_paired',
  'app_let_in',
  'signing_key_set',
  'webhook_created',
  'webhook_moved',
  'webhook_rotated',
  'key_created',
  'key_rotated',
  'key_loosened',
  'template_published',
  'approval_asked',
  'secrets_lost',
  'member_request',
  'webhook_failing',
  'webhook_disabled',
  'webhook_gone',
  'booked_short',
  'template_retired',
  'trust_changed',
  'owner_added',
  'owner_removed',
  'sign_in_new',
  'sign_in_wrong',
  'second_factor_changed',
  'factor_rule_changed',
  'pins_guessed',
] as const
export type OwnerNoticeKind = (typeof ownerNoticeKinds)[number]

/** Of which users get a notice about themselves. */
export const userNoticeKinds = [
  'sign_in_new',
  'sign_in_wrong',
  'second_factor_changed',
  'password_changed',
  'role_changed',
  'membership_ended',
  'operator_changed',
] as const
export type UserNoticeKind = (typeof userNoticeKinds)[number]

export const noticeKinds = [
  ...ownerNoticeKinds,
  'password_changed',
  'role_changed',
  'membership_ended',
  'operator_changed',
] as const satisfies readonly (OwnerNoticeKind | UserNoticeKind)[]
export type NoticeKind = (typeof noticeKinds)[number]

/** What was changed of a second factor. */
export const factorChanges = [
  'app_on',
  'app_off',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'ended_by_operator',
] as const
export type FactorChange = (typeof factorChanges)[number]

/** What a notice can be about. `user`: somebody's sign-in. */
export const noticeObjects = [
  'phone',
  'webhook',
  'key',
  'template',
  'approval',
  'account',
  'member',
  'intent',
  'user',
  'wallet',
  'provider',
] as const
export type NoticeObject = (typeof noticeObjects)[number]

/** What a member can be notified of on their devices. */
export const pushKinds = [
  'money',
  /** Money without an order, or that a member must look at. */
  'unmatched',
  'wrong_amount',
  'phone_silent',
  'endpoint_failing',
  /** A member asks for what is over the limit of their role. */
  'request_asked',
  /** What the member asked for was decided, or has ended. */
  'request_decided',
] as const
export type PushKind = (typeof pushKinds)[number]

/** How a change was made. */
export const auditVias = ['session', 'token', 'command', 'counter'] as const
export type AuditVia = (typeof auditVias)[number]

/** What users can change: the kinds of the audit log and of the live stream. */
export const objectKinds = [
  'account',
  'alert',
  'approval',
  'checkout',
  'counter',
  'delivery',
  'intent',
  'invitation',
  'key',
  'master_key',
  'member',
  'notice',
  'payment_link',
  'phone',
  'provider',
  'request',
  'session',
  'shift',
  'template',
  'user',
  'wallet',
  'webhook',
] as const
export type ObjectKind = (typeof objectKinds)[number]
