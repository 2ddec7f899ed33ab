/**
 * What an account has agreed on that every screen needs: where its days begin, and how many intents it may make in a month.
 * At most a second and a half old (core/fresh-cache.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Zone, zoneOf } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findTerms } from './account-terms-sql.ts'

export type AccountTerms = {
  readonly zone: Zone
  /** Null: as many as they like. */
  readonly quota: number | null
}

export type TermsLookup = (accountId: AccountId, now: Instant) => Promise<AccountTerms>

/** `zone`: of an account that has named none. */
export const termsLookup = (db: Db, zone: Zone): TermsLookup => {
  // A zone remembers its days: it is opened once, not at every reading of the row.
  const zones = new Map([[zone.name, zone]])
  const named = (name: string): Zone => {
    const known = zones.get(name) ?? zoneOf(name)
    zones.set(name, known)
    return known
  }
  const cache = freshCache<AccountId, AccountTerms>({
    load: async (id) => {
      const [row] = await findTerms(db, id)
      if (row === undefined) return undefined
      return { zone: row.time_zone === '' ? zone : named(row.time_zone), quota: row.monthly_intent_quota }
    },
    max: 10_000,
  })
  return async (accountId, now) => {
    const terms = await cache.get(accountId, now)
    if (terms === undefined) throw new Error(`account ${accountId} is not there`)
    return terms
  }
}
