/**
 * The kinds of events, notices, changed things and apps, each listed once. Schemas, the server's modules and the dashboard take
 * their lists and types from here. Plain lists: this file imports nothing, so every module may import it.
 */

/**
 * Events that a webhook can be sent. `payment.received` is of the testing wallet. All but `payment.verified` and
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

/** What owners get a notice of. */
export const noticeKinds = [
  'phone_paired',
  'app_let_in',
  'signing_key_set',
  'webhook_created',
  'webhook_moved',
  'webhook_rotated',
  'key_created',
  'key_rotated',
  'template_published',
  'secrets_lost',
  'webhook_failing',
  'webhook_disabled',
  'webhook_gone',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** What a notice can be about. */
export const noticeObjects = ['phone', 'webhook', 'key', 'template', 'account'] as const
export type NoticeObject = (typeof noticeObjects)[number]

/** What users can change: the kinds of the audit log and of the live stream. */
export const thingKinds = [
  'account',
  'alert',
  'checkout',
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
  'session',
  'template',
  'user',
  'wallet',
  'webhook',
] as const
export type ThingKind = (typeof thingKinds)[number]
