/**
 * Finds a phone by its id or by its token, for every report, without a query each time (core/fresh-cache.ts): the answer is
 * at most 1.5 seconds old. `load` reads the database, for the rare case in which that is too old: a secret that does not
 * match may be newer than the cache.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { PhoneId } from '../../core/ids.ts'
import { sameFingerprint } from '../../core/seal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { SimSlot } from '../wallet-phones.ts'
import type { Phone } from './phone.ts'
import { findPhoneById, findPhoneByToken, type PhoneRow } from './phone-sql.ts'

/** A sender whose messages this phone watches, and the packages of its app. */
export type Watch = {
  readonly sender: string
  readonly simSlot: SimSlot
  readonly packages: readonly string[]
}

export type KnownPhone = Phone & {
  readonly ingestTokenHash: Buffer | null
  readonly watches: readonly Watch[]
}

export type PhoneLookup = {
  byId(id: PhoneId, now: Instant): Promise<KnownPhone | undefined>
  byToken(tokenHash: Buffer, now: Instant): Promise<KnownPhone | undefined>
  load(id: PhoneId): Promise<KnownPhone | undefined>
  /** Called after a change on this node. */
  forget(id: PhoneId): void
}

const knownPhoneOf = (row: PhoneRow): KnownPhone => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  on: row.switched_on,
  awaited: row.awaited,
  secretSealed: row.secret_sealed,
  secretVersion: row.secret_version,
  secretUsed: row.secret_used,
  previousSecretSealed: row.previous_secret_sealed,
  signingKeySealed: row.signing_key_sealed,
  ingestAdapter: row.ingest_adapter,
  lastSeenAt: row.last_seen_at,
  selfTest: row.self_test_at === null ? null : { at: row.self_test_at, until: row.self_test_until! },
  ingestTokenHash: row.ingest_token_hash,
  watches: (JSON.parse(row.watches) as [string, Watch['simSlot'], string[]][]).map(([sender, simSlot, packages]) => ({
    sender,
    simSlot,
    packages,
  })),
})

/** `onForget`: other caches that depend on the phone. */
export const phoneLookup = (db: Db, onForget?: (id: PhoneId) => void): PhoneLookup => {
  const load = async (id: PhoneId): Promise<KnownPhone | undefined> => {
    const [row] = await findPhoneById(db, id)
    return row && knownPhoneOf(row)
  }
  const phones = freshCache<PhoneId, KnownPhone>({ load, max: 20_000 })
  const tokens = freshCache<string, { readonly id: PhoneId }>({
    load: async (hash) => (await findPhoneByToken(db, Buffer.from(hash, 'hex')))[0],
    max: 20_000,
  })
  const hasToken = (phone: KnownPhone | undefined, tokenHash: Buffer): boolean =>
    phone?.ingestTokenHash != null && sameFingerprint(phone.ingestTokenHash, tokenHash)

  return {
    byId: async (id, now) => phones.get(id, now),
    async byToken(tokenHash, now) {
      const owner = await tokens.get(tokenHash.toString('hex'), now)
      if (owner === undefined) return undefined
      const known = await phones.get(owner.id, now)
      if (hasToken(known, tokenHash)) return known
      // The token was replaced a moment ago, and one of the two caches is older than that.
      phones.forget(owner.id)
      const fresh = await phones.get(owner.id, now)
      return hasToken(fresh, tokenHash) ? fresh : undefined
    },
    load,
    forget(id) {
      phones.forget(id)
      onForget?.(id)
    },
  }
}
