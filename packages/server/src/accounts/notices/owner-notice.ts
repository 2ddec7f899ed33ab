/**
 * What the owners of an account are told, by letter and in the dashboard: that somebody can speak as a phone now, that events
 * go to another address, that a key was made; and that an endpoint fails. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, NoticeId, UserId } from '../../core/ids.ts'

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

/** What a notice can be about: where the dashboard shows it. */
export type NoticeObject = 'phone' | 'webhook' | 'key' | 'template' | 'account'

/** What the sentence needs, as it was then. Never a secret: addresses without what may be a password in them. */
export type NoticeFacts = {
  /** Of the phone, the key or the template. */
  readonly name?: string
  /** It had been paired before. */
  readonly again?: boolean
  /** As the phone says of itself. */
  readonly model?: string
  readonly app?: string
  /** Whose messages the template reads. */
  readonly senders?: string
  /** Whether the app must sign from now on. */
  readonly signs?: boolean
  /** Where the endpoint was, and where it is. */
  readonly from?: string
  readonly to?: string
  /** Of how many the secrets were lost with the master key. */
  readonly phones?: number
  readonly endpoints?: number
  readonly second_factors?: number
  readonly failing_since?: Instant | null
  readonly failures?: number
  /** The earliest, if nothing succeeds until then. */
  readonly disables_at?: Instant | null
}

export type NoticeAbout = { readonly kind: NoticeKind; readonly facts: NoticeFacts }

export type NewNotice = NoticeAbout & {
  readonly accountId: AccountId
  readonly id: NoticeId
  readonly objectKind: NoticeObject
  readonly objectId: string
  /** As the audit log calls them; empty: nobody, the service found out itself. */
  readonly by: string
}

export type OwnerNotice = NewNotice & { readonly at: Instant }

/** A notice that waits for letters. */
export type UntoldNotice = OwnerNotice & {
  /** The owners who have their letter. */
  readonly told: readonly UserId[]
}
