/**
 * Compares the master keys with the database, which stores a check value of the key that sealed its secrets. A wrong key is
 * refused with a sentence that says what to do, and so is a missing key if the database has secrets. A key is created only
 * for a database that never had one. During a rotation (rotate-master-key.ts) the database tells which of two keys seals;
 * nodes read that every second and follow.
 */
import { randomBytes } from 'node:crypto'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Instant } from './core/clock.ts'
import { smallestId } from './core/ids.ts'
import { deriveKey, type KeyRing, type MasterKey, sameFingerprint, sealerFor, unseal } from './core/seal.ts'
import { keyFileOf, keyPlaceOf, loadMasterKeys, makeMasterKey } from './master-key.ts'
import type { Db, Session } from './postgres/connection/database.ts'
import { insertMasterKey, readMasterKeys, type StoredMasterKey } from './postgres/maintenance/master-key-sql.ts'
import type { SealedColumn } from './postgres/maintenance/sealed-column-sql.ts'
import { sealedColumns } from './sealed-columns.ts'

export type LiveKeyRing = KeyRing & {
  /** Reads the database again and follows a rotation. Returns the sentence that refuses these keys; undefined: they fit. */
  refresh(): Promise<string | undefined>
  /** The keys of the last refresh are still those of the database, as an answer to a question sent then (ticks) says. */
  confirm(sentAt: number): void
}

/** The lock under which one node at a time creates or changes the newest key. */
export const masterKeysLock = 7262_2312n

/** A node that could not reach the database for this long does not seal: the key may have been rotated meanwhile. */
export const sealsUnchecked_ms = 5_000

export const checkValueOf = (key: MasterKey): Buffer => Buffer.from(deriveKey(key, 'check value'))
export const isKeyOf = (stored: StoredMasterKey, key: MasterKey): boolean =>
  sameFingerprint(stored.check_value, checkValueOf(key))

const hashKeyBound = 'hash key'
export const sealHashKey = (key: MasterKey, hashKey: Uint8Array): Buffer =>
  sealerFor(key, 'hash key').seal(Buffer.from(hashKey).toString('base64'), hashKeyBound)
export const unsealHashKey = (key: MasterKey, sealed: Buffer): Uint8Array =>
  new Uint8Array(Buffer.from(sealerFor(key, 'hash key').unseal(sealed, hashKeyBound), 'base64'))

type UsableKeys = Pick<KeyRing, 'all' | 'hashKey' | 'otherTokensUntil'>

const missingKey = (place: string): string =>
  `${place} is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held.`
const wrongKey = (place: string): string =>
  `${place} holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup.`

/** The keys in the order in which they are used, or the sentence that refuses them. Pure. */
const checkKeys = (
  config: Config,
  stored: readonly StoredMasterKey[],
  keys: readonly MasterKey[],
): UsableKeys | string => {
  const [newest, ...older] = stored as readonly [StoredMasterKey, ...StoredMasterKey[]]
  const place = keyPlaceOf(config)
  if (keys.length === 0) return missingKey(place)
  const current = keys.find((key) => isKeyOf(newest, key))
  const provideBoth =
    config.masterKey === undefined
      ? 'put the new key beside it as master.key.next'
      : 'set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS to the old one'
  if (current === undefined)
    return older.some((stored) => keys.some((key) => isKeyOf(stored, key)))
      ? `${place} holds a master key that was replaced by "sanad master-key rotate": ${newest.done_at === null ? provideBoth : 'set it to the new key'}.`
      : wrongKey(place)
  const others = keys.filter((key) => key !== current)
  const previous = older[0]
  if (newest.done_at === null && previous !== undefined && !others.some((key) => isKeyOf(previous, key)))
    return `The master key is being rotated, and the old one is not here: ${provideBoth} until "sanad master-key rotate" has ended.`
  return {
    all: [current, ...others],
    hashKey: unsealHashKey(current, newest.hash_key_sealed),
    otherTokensUntil: newest.tokens_until,
  }
}

const unseals = (column: SealedColumn, key: MasterKey, id: string, value: string): boolean => {
  try {
    column.each(value, (sealed) => {
      unseal(deriveKey(key, column.purpose), sealed, id)
      return sealed
    })
    return true
  } catch {
    return false
  }
}

/** For a database older than check values: whether it has secrets, and which of the keys unseals one of them. */
const findKeyBySecrets = async (
  session: Session,
  keys: readonly MasterKey[],
): Promise<{ readonly hasSecrets: boolean; readonly key: MasterKey | undefined }> => {
  let hasSecrets = false
  for (const column of sealedColumns)
    for (const { id, value } of await column.read(session, smallestId, 50)) {
      hasSecrets = true
      const key = keys.find((candidate) => unseals(column, candidate, id, value))
      if (key !== undefined) return { hasSecrets, key }
    }
  return { hasSecrets, key: undefined }
}

/** Stores the check value of the first key. If two nodes start at once, the second finds what the first has stored. */
const storeFirstKey = async (db: Db, config: Config, now: Instant): Promise<void> => {
  const work = async (session: Session): Promise<void> => {
    if ((await readMasterKeys(session)).length > 0) return
    const keys = await loadMasterKeys(config)
    const { hasSecrets, key } = await findKeyBySecrets(session, keys)
    if (hasSecrets && key === undefined)
      throw new CommandError(keys.length === 0 ? missingKey(keyFileOf(config)) : wrongKey(keyPlaceOf(config)))
    const first = key ?? keys[0] ?? (await makeMasterKey(config))
    await insertMasterKey(session, {
      generation: 1,
      check_value: checkValueOf(first),
      hash_key_sealed: sealHashKey(first, randomBytes(32)),
      began_at: now,
      tokens_until: now,
      done_at: now,
    })
  }
  await db.transaction(work, [masterKeysLock])
}

/**
 * Throws if the keys do not fit the database. `watched`: the caller calls `refresh` or `confirm` every second, and sealing fails
 * if the last successful call is more than a few seconds old.
 */
export const openKeyRing = async (
  db: Db,
  config: Config,
  now: Instant,
  { watched = false }: { readonly watched?: boolean } = {},
): Promise<LiveKeyRing> => {
  if ((await readMasterKeys(db)).length === 0) await storeFirstKey(db, config, now)
  let usable: UsableKeys | undefined
  let lastFingerprint = ''
  let version = 0
  let checkedAt = performance.now()

  const refresh = async (): Promise<string | undefined> => {
    const began = performance.now()
    const stored = await readMasterKeys(db)
    // The database is being restored: nothing is sealed until it has its keys again.
    if (stored.length === 0) return undefined
    const fingerprint = stored.map((key) => `${key.generation} ${key.done_at} ${key.tokens_until}`).join(', ')
    if (fingerprint !== lastFingerprint || usable === undefined) {
      // The files are read again: another key file may have been added meanwhile.
      const next = checkKeys(config, stored, await loadMasterKeys(config))
      if (typeof next === 'string') return next
      usable = next
      lastFingerprint = fingerprint
      version++
    }
    checkedAt = began
    return undefined
  }
  const refused = await refresh()
  if (refused !== undefined) throw new CommandError(refused)

  return {
    get version() {
      return version
    },
    current() {
      if (watched && performance.now() - checkedAt > sealsUnchecked_ms)
        throw new Error(
          'nothing is sealed: the database could not confirm that the master key is still the current one',
        )
      return usable!.all[0]!
    },
    get all() {
      return usable!.all
    },
    get hashKey() {
      return usable!.hashKey
    },
    get otherTokensUntil() {
      return usable!.otherTokensUntil
    },
    refresh,
    confirm(sentAt) {
      checkedAt = Math.max(checkedAt, sentAt)
    },
  }
}
