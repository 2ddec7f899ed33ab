/**
 * The master keys held against the database, which knows by a check value which key its secrets are sealed with. A key
 * that does not fit, and a missing one beside a database that has secrets, is refused with a sentence that says what to
 * do; a key is made only for a database that never had one. While a rotation is under way (rotate-master-key.ts) the
 * database says which of two keys seals; nodes look every second and follow it.
 */
import { randomBytes } from 'node:crypto'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Instant } from './core/clock.ts'
import { deriveKey, type KeyRing, type MasterKey, sameFingerprint, sealerFor, unseal } from './core/seal.ts'
import { keyFileOf, keyPlaceOf, loadMasterKeys, makeMasterKey } from './master-key.ts'
import type { Db, Session } from './postgres/connection/database.ts'
import { insertMasterKey, readMasterKeys, type StoredMasterKey } from './postgres/maintenance/master-key-sql.ts'
import type { SealedColumn } from './postgres/maintenance/sealed-column-sql.ts'
import { sealedColumns } from './sealed-columns.ts'

export type LiveKeyRing = KeyRing & {
  /** Looks at the database again and follows a rotation. Answers the sentence that says why these keys are refused. */
  refresh(): Promise<string | undefined>
}

/** Only one of all nodes makes or changes the newest key. */
export const masterKeysLock = 7262_2312n
export const firstId = '00000000-0000-0000-0000-000000000000'

/** A node that could not ask for so long does not seal: the key may have been rotated meanwhile. */
export const sealsUnchecked_ms = 5_000

export const checkValueOf = (key: MasterKey): Buffer => Buffer.from(deriveKey(key, 'check value'))
const fits = (stored: StoredMasterKey, key: MasterKey): boolean =>
  sameFingerprint(stored.check_value, checkValueOf(key))

const hashKeyBound = 'hash key'
export const sealHashKey = (key: MasterKey, hashKey: Uint8Array): Buffer =>
  sealerFor(key, 'hash key').seal(Buffer.from(hashKey).toString('base64'), hashKeyBound)
export const unsealHashKey = (key: MasterKey, sealed: Buffer): Uint8Array =>
  new Uint8Array(Buffer.from(sealerFor(key, 'hash key').unseal(sealed, hashKeyBound), 'base64'))

type Opened = Pick<KeyRing, 'all' | 'hashKey' | 'otherTokensUntil'>

/** What the keys are good for; or the sentence that refuses them. Pure. */
const held = (config: Config, stored: readonly StoredMasterKey[], keys: readonly MasterKey[]): Opened | string => {
  const [newest, ...older] = stored as readonly [StoredMasterKey, ...StoredMasterKey[]]
  const place = keyPlaceOf(config)
  if (keys.length === 0)
    return `${place} is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held.`
  const current = keys.find((key) => fits(newest, key))
  const both =
    config.masterKey === undefined
      ? 'put the new key beside it as master.key.next'
      : 'set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS to the old one'
  if (current === undefined)
    return older.some((one) => keys.some((key) => fits(one, key)))
      ? `${place} holds a master key that was replaced by "sanad master-key rotate": ${newest.done_at === null ? both : 'set it to the new key'}.`
      : `${place} holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup.`
  const others = keys.filter((key) => key !== current)
  const before = older[0]
  if (newest.done_at === null && before !== undefined && !others.some((key) => fits(before, key)))
    return `The master key is being rotated, and the old one is not here: ${both} until "sanad master-key rotate" has ended.`
  return {
    all: [current, ...others],
    hashKey: unsealHashKey(current, newest.hash_key_sealed),
    otherTokensUntil: newest.tokens_until,
  }
}

const opens = (column: SealedColumn, key: MasterKey, id: string, value: string): boolean => {
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

/** Of a database from before there were check values: whether it has secrets, and which of the keys opens one. */
const tryOnSecrets = async (
  session: Session,
  keys: readonly MasterKey[],
): Promise<{ readonly hasSecrets: boolean; readonly key: MasterKey | undefined }> => {
  let hasSecrets = false
  for (const column of sealedColumns)
    for (const { id, value } of await column.read(session, firstId, 50)) {
      hasSecrets = true
      const key = keys.find((one) => opens(column, one, id, value))
      if (key !== undefined) return { hasSecrets, key }
    }
  return { hasSecrets, key: undefined }
}

/** The first key of a database. Whoever comes second finds what the first has written. */
const begin = async (db: Db, config: Config, now: Instant): Promise<void> => {
  const work = async (session: Session): Promise<void> => {
    if ((await readMasterKeys(session)).length > 0) return
    const keys = await loadMasterKeys(config)
    const { hasSecrets, key } = await tryOnSecrets(session, keys)
    if (hasSecrets && key === undefined)
      throw new CommandError(
        keys.length === 0
          ? `${keyFileOf(config)} is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held.`
          : `${keyPlaceOf(config)} holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup.`,
      )
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
 * Refused: the keys do not fit the database. `watched`: the caller calls `refresh` every second; the last answer counts for a few
 * seconds only.
 */
export const openKeyRing = async (
  db: Db,
  config: Config,
  now: Instant,
  { watched = false }: { readonly watched?: boolean } = {},
): Promise<LiveKeyRing> => {
  if ((await readMasterKeys(db)).length === 0) await begin(db, config, now)
  let opened: Opened | undefined
  let seen = ''
  let version = 0
  let checkedAt = performance.now()

  const refresh = async (): Promise<string | undefined> => {
    const began = performance.now()
    const stored = await readMasterKeys(db)
    // A database that is being restored: nothing is sealed until it has its keys again.
    if (stored.length === 0) return undefined
    const fingerprint = stored.map((one) => `${one.generation} ${one.done_at} ${one.tokens_until}`).join(', ')
    if (fingerprint !== seen || opened === undefined) {
      // Read again: a key file may have come beside the first meanwhile.
      const next = held(config, stored, await loadMasterKeys(config))
      if (typeof next === 'string') return next
      opened = next
      seen = fingerprint
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
        throw new Error('nothing is sealed: the database could not be asked whether the master key is still the same')
      return opened!.all[0]!
    },
    get all() {
      return opened!.all
    },
    get hashKey() {
      return opened!.hashKey
    },
    get otherTokensUntil() {
      return opened!.otherTokensUntil
    },
    refresh,
  }
}
