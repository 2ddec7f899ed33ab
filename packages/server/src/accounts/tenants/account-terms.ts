/**
 * The time zone and the quota of an account, which every screen needs. At most a second and a half old
 * (core/fresh-cache.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Zone, zoneOf } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findTerms } from './account-terms-sql.ts'

export type AccountTerms = {
  readonly zone: Zone
  /** Null: no limit. */
  readonly quota: number | null
}

export type TermsLookup = (accountId: AccountId, now: Instant) => Promise<AccountTerms>

/** `zone`: the default for an account without a time zone of its own. */
export const termsLookup = (db: Db, zone: Zone): TermsLookup => {
  // A zone caches its days: it is opened once, not at every read of the row.
  const zones = new Map([[zone.name, zone]])
  const zoneNamed = (name: string): Zone => {
    const known = zones.get(name) ?? zoneOf(name)
    zones.set(name, known)
    return known
  }
  const cache = freshCache<AccountId, AccountTerms>({
    load: async (id) => {
      const [row] = await findTerms(db, id)
      if (row === undefined) return undefined
      return { zone: row.time_zone === '' ? zone : zoneNamed(row.time_zone), quota: row.monthly_intent_quota }
    },
    max: 10_000,
  })
  return async (accountId, now) => {
    const terms = await cache.get(accountId, now)
    if (terms === undefined) throw new Error(`account ${accountId} does not exist`)
    return terms
  }
}
