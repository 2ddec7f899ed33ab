/**
 * The time zone and the quota of an account, which every screen needs. At most a second and a half old
 * (core/fresh-cache.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { sharedZone, type Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findAccountTerms } from './account-terms-sql.ts'

export type AccountTerms = {
  readonly zone: Zone
  /** Null: no limit. */
  readonly quota: number | null
}

export type TermsLookup = (accountId: AccountId, now: Instant) => Promise<AccountTerms>

/** `zone`: the default for an account without a time zone of its own. */
export const termsLookup = (db: Db, zone: Zone): TermsLookup => {
  const cache = freshCache<AccountId, AccountTerms>({
    load: async (id) => {
      const [row] = await findAccountTerms(db, wholeAccount(id))
      if (row === undefined) return undefined
      return { zone: sharedZone(row.time_zone, zone), quota: row.monthly_intent_quota }
    },
    max: 10_000,
  })
  return async (accountId, now) => {
    const terms = await cache.get(accountId, now)
    if (terms === undefined) throw new Error(`account ${accountId} does not exist`)
    return terms
  }
}
