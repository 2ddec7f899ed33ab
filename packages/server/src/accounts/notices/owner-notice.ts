/**
 * What the owners of an account are notified of, by email, in the dashboard and on their devices: a phone was paired, a forwarding
 * app may report for a phone, events go to another address, a key was created, a manager asks for an approval, an endpoint fails, a
 * member booked less than was asked, there is another owner, a member signed in from a new browser. And what users are notified of
 * about themselves, whichever accounts they have. Pure.
 */
import type { FactorChange, NoticeKind, NoticeObject, OwnerNoticeKind, UserNoticeKind } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms } from '../../core/duration.ts'
import type { AccountId, NoticeId, UserId } from '../../core/ids.ts'
import type { MemberRole } from '../people/permission.ts'

export type { FactorChange, NoticeKind, NoticeObject, OwnerNoticeKind, UserNoticeKind }

/** The facts at the time of the notice, for its sentence. Never a secret: parts of a URL that may be secret are masked. */
export type NoticeFacts = {
  /** The name of the phone, the key or the template. */
  readonly name?: string
  /** The phone had been paired before. */
  readonly again?: boolean
  /** The phone's model and app, as the phone reports them. */
  readonly model?: string
  readonly app?: string
  /** The senders whose messages the template reads, or would count; and how many more there are. */
  readonly senders?: string
  readonly more_senders?: number
  /** The apps whose notifications would count, and how many more there are. */
  readonly packages?: string
  readonly more_packages?: number
  /** What a manager asks an owner to confirm: codes of `needsOwner`, with commas. */
  readonly reasons?: string
  /** Whether the app must sign from now on. */
  readonly signs?: boolean
  /** The endpoint's earlier and present address. */
  readonly from?: string
  readonly to?: string
  /** How many phones, endpoints, members and cashiers lost their secrets with the master key. */
  readonly phones?: number
  readonly endpoints?: number
  readonly second_factors?: number
  readonly pins?: number
  /** A booking that fell short: the payment code, the order, and decimal amounts. */
  readonly payment?: string
  readonly order?: string
  readonly asked_amount?: string
  readonly arrived_amount?: string
  readonly forgiven_amount?: string
  readonly currency?: string
  /** It is test money. */
  readonly test?: boolean
  readonly failing_since?: Instant | null
  readonly failures?: number
  /** The earliest time at which the endpoint is disabled if no delivery succeeds before. */
  readonly disables_at?: Instant | null
  /** From where a user signed in, or tried to. */
  readonly address?: string
  readonly browser?: string
  readonly system?: string
  /** A script got a token. */
  readonly script?: boolean
  readonly change?: FactorChange
  /** The counter at which PINs were tried. */
  readonly counter?: string
  /** How many wrong sign-ins, or PINs. */
  readonly count?: number
  /** How often it happened again that day, beside the notices that there are of it. */
  readonly more?: number
  /** The name of the account, in a notice about the user. */
  readonly account?: string
  readonly role?: MemberRole
  readonly role_before?: MemberRole
  /** Whether it is on now. */
  readonly on?: boolean
  /** From when on members need a second factor. */
  readonly due_at?: Instant
}

/** How long a list of names in a notice may be. The record that the notice links to has all of them. */
const longestNames = 300

/** As many whole names as a notice holds, at least one, and how many more there are. */
export const namesInNotice = (field: 'senders' | 'packages', names: readonly string[]): NoticeFacts => {
  const [first, ...others] = names
  if (first === undefined) return {}
  let shown = first
  let more = others.length
  for (const name of others) {
    if (shown.length + 2 + name.length > longestNames) break
    shown += `, ${name}`
    more--
  }
  return { [field]: shown, ...(more === 0 ? {} : { [`more_${field}`]: more }) }
}

/** Kinds of which an intruder could cause thousands: beyond `mostOfOne` a day about one user, the newest notice counts the others. */
const repeated: ReadonlySet<NoticeKind> = new Set(['sign_in_new', 'second_factor_changed', 'pins_guessed'])
export const isRepeated = (kind: NoticeKind): boolean => repeated.has(kind)
export const mostOfOne = 5
export const repeatedWithin_ms = day_ms

/** So many notices of one kind are mailed to the owners of an account in a day; further ones are in the dashboard alone. */
export const mostMailed = 30

/** Wrong sign-ins of a user are announced once in this time; meanwhile the notice counts them. */
export const wrongSignInsEvery_ms = 6 * hour_ms

export type NoticeAbout = { readonly kind: OwnerNoticeKind; readonly facts: NoticeFacts }

/** A notice to a user about themselves. */
export type NewUserNotice = {
  readonly userId: UserId
  readonly id: NoticeId
  readonly kind: UserNoticeKind
  readonly facts: NoticeFacts
  /** The account that it happened in; null: it concerns the user in every account. */
  readonly accountId: AccountId | null
  /** It ended the user's ownership of that account. */
  readonly wasOwner: boolean
  readonly by: string
}

/** What a change adds to its entry in the audit log, so that owners and a user are told of it. */
export type ChangeNotices = {
  readonly notice?: NoticeAbout
  readonly userNotice?: Omit<NewUserNotice, 'id' | 'by'>
}

export type UserNotice = NewUserNotice & { readonly at: Instant }

export type NewNotice = NoticeAbout & {
  readonly accountId: AccountId
  readonly id: NoticeId
  readonly objectKind: NoticeObject
  readonly objectId: string
  /** The user, as in the audit log; empty: the service itself noticed it. */
  readonly by: string
}

export type OwnerNotice = NewNotice & { readonly at: Instant }

/** A notice that has not been emailed to every owner yet. */
export type UnsentNotice = OwnerNotice & {
  /** The owners who have their email. */
  readonly emailed: readonly UserId[]
}
