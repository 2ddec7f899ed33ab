/**
 * A phone by its id or by its token, for every report, without a query each time (core/fresh-cache.ts): the answer is
 * at most a second and a half old. `load` reads the database, for the rare case in which that is too old: a secret that
 * does not match may be newer than the cache.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { PhoneId } from '../../core/ids.ts'
import { sameFingerprint } from '../../core/seal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Phone } from './phone.ts'
import { findByToken, findPhoneById, type PhoneRow } from './phone-sql.ts'

/** A sender whose messages this phone watches, and the packages of its app. */
export type Watch = {
  readonly sender: string
  readonly simSlot: '' | 'SIM1' | 'SIM2'
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
  /** After a change on this node. */
  forget(id: PhoneId): void
}

const deviceOf = (row: PhoneRow): KnownPhone => ({
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
  lastSeenAt: row.last_seen_at,
  selfTest: row.self_test_at === null ? null : { at: row.self_test_at, until: row.self_test_until! },
  ingestTokenHash: row.ingest_token_hash,
  watches: (JSON.parse(row.watches) as [string, Watch['simSlot'], string[]][]).map(([sender, simSlot, packages]) => ({
    sender,
    simSlot,
    packages,
  })),
})

export const phoneLookup = (db: Db): PhoneLookup => {
  const load = async (id: PhoneId): Promise<KnownPhone | undefined> => {
    const [row] = await findPhoneById(db, id)
    return row && deviceOf(row)
  }
  const devices = freshCache<PhoneId, KnownPhone>({ load, max: 20_000 })
  const tokens = freshCache<string, { readonly id: PhoneId }>({
    load: async (hash) => (await findByToken(db, Buffer.from(hash, 'hex')))[0],
    max: 20_000,
  })
  const has = (device: KnownPhone | undefined, tokenHash: Buffer): boolean =>
    device?.ingestTokenHash != null && sameFingerprint(device.ingestTokenHash, tokenHash)

  return {
    byId: async (id, now) => devices.get(id, now),
    async byToken(tokenHash, now) {
      const owner = await tokens.get(tokenHash.toString('hex'), now)
      if (owner === undefined) return undefined
      const known = await devices.get(owner.id, now)
      if (has(known, tokenHash)) return known
      // One of the two caches is older: the token was replaced a moment ago.
      devices.forget(owner.id)
      const fresh = await devices.get(owner.id, now)
      return has(fresh, tokenHash) ? fresh : undefined
    },
    load,
    forget: (id) => devices.forget(id),
  }
}
