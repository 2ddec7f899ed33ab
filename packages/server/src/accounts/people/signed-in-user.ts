/** The user of a request, by a session in their browser or by a token in a script. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, CounterId, SessionId, UserId } from '../../core/ids.ts'
import type { MemberRights } from './permission.ts'

/** A user, found by their session or token. */
export type SignedInUser = {
  readonly userId: UserId
  /** Empty: a cashier without an address. */
  readonly email: string
  readonly name: string
  /** An operator: may do what concerns no single account. */
  readonly operator: boolean
  /** An app for codes or a passkey is set up. */
  readonly hasFactor: boolean
  /**
   * The account they act for, with their role, their wallets, whether they see today only, and from when on they need a second factor in
   * it; null without one.
   */
  readonly member:
    | ({
        readonly accountId: AccountId
        readonly factorDeadline: Instant | null
        readonly todayOnly: boolean
      } & MemberRights)
    | null
  /** Sessions and tokens from before this instant have ended. */
  readonly validFrom: Instant
}

/** `id` of a token: its session; null for a token from before tokens had sessions. */
export type Via =
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'token'; readonly id: SessionId | null }
  | { readonly kind: 'counter'; readonly id: CounterId }

/** The session of a call; null: it has none, as at a counter. */
export const sessionIn = (via: Via): SessionId | null => (via.kind === 'counter' ? null : via.id)

/** Where the request came from, as far as it is known. */
export type ClientInfo = { readonly address: string; readonly agent: string }

/** The user's name in the audit log and in timelines. */
export const actorOf = (user: Pick<SignedInUser, 'email' | 'name'>): string =>
  user.name === '' || user.email === '' ? user.name || user.email : `${user.name} <${user.email}>`

export const clientInfo = (address: string, agent: string | undefined): ClientInfo => ({
  address: address.slice(0, 64),
  agent: [...(agent ?? '').replace(/\p{Cc}/gu, '')].slice(0, 300).join(''),
})
