/**
 * What the owners of an account are notified of, by email and in the dashboard: a phone was paired, a forwarding app may report
 * for a phone, events go to another address, a key was created, a manager asks for an approval, an endpoint fails, a member booked
 * less than was asked. Pure.
 */
import type { NoticeKind, NoticeObject } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, NoticeId, UserId } from '../../core/ids.ts'

export type { NoticeKind, NoticeObject }

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
  /** How many phones, endpoints and members lost their secrets with the master key. */
  readonly phones?: number
  readonly endpoints?: number
  readonly second_factors?: number
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

export type NoticeAbout = { readonly kind: NoticeKind; readonly facts: NoticeFacts }

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
