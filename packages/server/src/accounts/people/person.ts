/**
 * Somebody who asks: a person, by a session in their browser or by a token in a script. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, SessionId, UserId } from '../../core/ids.ts'
import type { MemberRole } from './permission.ts'

/** A person as the one whose session or token was looked up. */
export type Person = {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  /** Hosts this service: may do what concerns no single account. */
  readonly operator: boolean
  /** The account they act for now, and as what; null while they belong to none. */
  readonly member: { readonly accountId: AccountId; readonly role: MemberRole } | null
  /** Sessions and tokens from before this instant are over. */
  readonly validFrom: Instant
}

/** `id` of a token: its session; null for a token from before tokens had sessions. */
export type Via =
  | { readonly kind: 'session'; readonly id: SessionId }
  | { readonly kind: 'token'; readonly id: SessionId | null }

/** From where they ask, as far as one can know. */
export type Whereabouts = { readonly address: string; readonly agent: string }

/** As the audit log and the timelines call them. */
export const actorOf = (person: Pick<Person, 'email' | 'name'>): string =>
  person.name === '' ? person.email : `${person.name} <${person.email}>`

export const whereabouts = (address: string, agent: string | undefined): Whereabouts => ({
  address: address.slice(0, 64),
  agent: [...(agent ?? '').replace(/\p{Cc}/gu, '')].slice(0, 300).join(''),
})
