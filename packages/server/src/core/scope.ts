/**
 * What a caller may see and change: an account, of it all wallets or some, and all days or today. It is made once, when the caller is known (a
 * member, an API key, a phone); background jobs and commands act for the whole account. Statements take it instead of an
 * account's id. Pure.
 */
import type { Instant } from './clock.ts'
import { day_ms, hour_ms } from './duration.ts'
import type { AccountId, WalletId } from './ids.ts'
import type { Zone } from './zone.ts'

/** The day of a caller who sees no other day (docs/decisions/0095). */
export type OnlyToday = {
  /** When the day of the account began. */
  readonly since: Instant
  /** Money that waits for a person counts as today's if it came after this: at midnight the customer still stands there. */
  readonly openSince: Instant
  /** What is older is not of today, whatever happens to it. It bounds what lists read. */
  readonly oldest: Instant
  readonly now: Instant
}

/** The parameters of a statement that is limited to today. */
export type DayParameters = {
  /** The first id of the day. */
  readonly first: string
  /** The first id of money that may still be open work. */
  readonly firstOpen: string
  /** The first id of what can be of today at all. */
  readonly oldest: string
  /** When the day began. */
  readonly since: string
  readonly now: string
}

export type Scope = {
  readonly accountId: AccountId
  /** Null: all wallets, also those that are added later. */
  readonly wallets: readonly WalletId[] | null
  /** Null: all days. */
  readonly today: OnlyToday | null
}

/** How long money that waits is still shown after midnight. */
export const openAfterMidnight_ms = 6 * hour_ms

/** The age up to which an order that is paid today counts as today's. */
export const oldestOfToday_ms = 31 * day_ms

export const todayIn = (zone: Zone, now: Instant): OnlyToday => {
  const [year, month, day] = zone.format(new Date(now)).slice(0, 10).split('-').map(Number) as [number, number, number]
  const since = zone.instantOf({ year, month, day }).getTime()
  return { since, openSince: Math.min(since, now - openAfterMidnight_ms), oldest: since - oldestOfToday_ms, now }
}

/** Whether the scope has the wallet, if it is one of the account. */
export const seesWallet = ({ wallets }: Scope, walletId: string): boolean =>
  wallets === null || wallets.some((id) => id === walletId)

/**
 * All wallets and all days of the account of a scope: for a verb whose object the caller has found within the scope, because rules about money see
 * the whole account, and for what belongs to no wallet, such as the names of members.
 */
export const wholeOf = ({ accountId }: Scope): Scope => wholeAccount(accountId)

export const wholeAccount = (accountId: AccountId): Scope => ({ accountId, wallets: null, today: null })
