/**
 * Sets a new master key for a database whose key is lost for good. Nobody can read what was sealed with the lost key: exactly
 * that is cleared, in one transaction with the new key. Owners must pair their phones again. Endpoints get random secrets,
 * which nobody knows until an owner rotates them. Second factors are switched off, PINs of cashiers and sealed messages are deleted. Devices that
 * are notified are removed: members switch notifications on again. The
 * audit log of the service and of each account gets an entry, and owners get a notice.
 *
 * Refused while nodes are connected, and if the key of the database is available: then nothing is lost.
 */
import { randomBytes } from 'node:crypto'
import type { WriteAudit } from './accounts/audit/audit.ts'
import { changeByCommand } from './accounts/audit/change-by-command.ts'
import { losePins } from './accounts/counters/sealed-pin-sql.ts'
import { loseSecondFactors } from './accounts/sessions/lost-second-factor-sql.ts'
import { loseHiddenCodes, loseHiddenStrangers } from './alerts/hidden/lost-hidden-sql.ts'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Instant } from './core/clock.ts'
import { type AccountId, smallestId } from './core/ids.ts'
import type { MasterKey } from './core/seal.ts'
import { checkValueOf, isKeyOf, masterKeysLock, sealHashKey } from './key-ring.ts'
import { keyPlaceOf, loadMasterKeys, makeMasterKey } from './master-key.ts'
import type { Db, Session } from './postgres/connection/database.ts'
import { connectionsOfNodes, insertMasterKey, readMasterKeys } from './postgres/maintenance/master-key-sql.ts'
import { deleteAllDevices } from './push/push-devices-sql.ts'
import { deletePushKeys } from './push/push-keys-sql.ts'
import { losePhoneSecrets } from './wallets/phones/lost-master-key-sql.ts'
import { endpointSecrets, newWebhookSecret } from './webhooks/endpoints/endpoint-secrets.ts'
import { endpointsAfter, replaceLostSecrets } from './webhooks/endpoints/lost-endpoint-sql.ts'

/** How many of each have lost their secrets. */
export type Lost = {
  readonly phones: number
  readonly endpoints: number
  readonly secondFactors: number
  readonly pins: number
  readonly messages: number
}

export type Reset = Lost & { readonly generation: number; readonly place: string }

const batch_rows = 500
const secret_bytes = 32

/** How often each account occurs. */
const countByAccount = (accounts: readonly (AccountId | null)[]): Map<AccountId, number> => {
  const counts = new Map<AccountId, number>()
  for (const id of accounts) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Gives all endpoints new secrets; returns the accounts of those that are not removed, one for each endpoint. */
const renewEndpoints = async (tx: Session, key: MasterKey): Promise<AccountId[]> => {
  const secrets = endpointSecrets(key)
  const accounts: AccountId[] = []
  for (let after: string = smallestId; ; ) {
    const rows = await endpointsAfter(tx, after, batch_rows)
    if (rows.length === 0) return accounts
    const sealed = rows.map(({ id }) => secrets.seal(id, newWebhookSecret(secret_bytes)))
    const ids = rows.map(({ id }) => id)
    await replaceLostSecrets(tx, ids, sealed)
    accounts.push(...rows.flatMap(({ removed, account_id }) => (removed ? [] : [account_id])))
    after = ids.at(-1)!
  }
}

const loseMessages = async (tx: Session): Promise<number> => {
  let lost = 0
  for (const lose of [loseHiddenCodes, loseHiddenStrangers])
    for (let rows = batch_rows; rows === batch_rows; lost += rows) rows = (await lose(tx, batch_rows)).length
  return lost
}

const auditAccounts = (
  audit: WriteAudit,
  phones: ReadonlyMap<AccountId, number>,
  endpoints: ReadonlyMap<AccountId, number>,
  factors: ReadonlyMap<AccountId, number>,
  pins: ReadonlyMap<AccountId, number>,
): void => {
  for (const accountId of new Set([...phones.keys(), ...endpoints.keys(), ...factors.keys(), ...pins.keys()])) {
    const facts = {
      phones: phones.get(accountId) ?? 0,
      endpoints: endpoints.get(accountId) ?? 0,
      second_factors: factors.get(accountId) ?? 0,
      pins: pins.get(accountId) ?? 0,
    }
    audit({
      action: 'account.secrets_lost',
      kind: 'account',
      id: accountId,
      accountId,
      after: facts,
      notice: { kind: 'secrets_lost', facts },
    })
  }
}

/** The key that the operator has set, or a new one in the key file. */
const newKey = async (config: Config): Promise<MasterKey> =>
  (await loadMasterKeys(config))[0] ?? (await makeMasterKey(config))

/** Throws if a reset is refused. Changes nothing. */
export const checkReset = async (db: Session, config: Config): Promise<void> => {
  const [newest] = await readMasterKeys(db)
  if (newest === undefined) throw new CommandError('This database has no master key yet: start the service once.')
  const available = await loadMasterKeys(config)
  if (available.some((key) => isKeyOf(newest, key)))
    throw new CommandError(
      `${keyPlaceOf(config)} holds the master key of this database: nothing is lost. "sanad master-key rotate" replaces it.`,
    )
  const [nodes] = await connectionsOfNodes(db)
  if (nodes!.connections > 0)
    throw new CommandError('A node of the service is connected to this database: end every node first.')
}

const reset = async (tx: Session, audit: WriteAudit, config: Config, now: Instant): Promise<Reset> => {
  await checkReset(tx, config)
  const key = await newKey(config)
  const [newest] = await readMasterKeys(tx)
  const generation = newest!.generation + 1
  await insertMasterKey(tx, {
    generation,
    check_value: checkValueOf(key),
    hash_key_sealed: sealHashKey(key, randomBytes(32)),
    began_at: now,
    tokens_until: now,
    done_at: now,
  })
  const phones = (await losePhoneSecrets(tx)).flatMap((row) => (row.was_connected ? [row.account_id] : []))
  const endpoints = await renewEndpoints(tx, key)
  const factors = await loseSecondFactors(tx)
  const pins = (await losePins(tx)).map(({ account_id }) => account_id)
  await deleteAllDevices(tx)
  await deletePushKeys(tx)
  const lost: Lost = {
    phones: phones.length,
    endpoints: endpoints.length,
    secondFactors: new Set(factors.map(({ user_id }) => user_id)).size,
    pins: pins.length,
    messages: await loseMessages(tx),
  }
  const { secondFactors: second_factors, ...counts } = lost
  const after = { generation, ...counts, second_factors }
  audit({ action: 'master_key.reset', kind: 'master_key', id: String(generation), accountId: null, after })
  const factorAccounts = factors.map(({ account_id }) => account_id)
  auditAccounts(
    audit,
    countByAccount(phones),
    countByAccount(endpoints),
    countByAccount(factorAccounts),
    countByAccount(pins),
  )
  return { ...lost, generation, place: keyPlaceOf(config) }
}

export const resetMasterKey = (db: Db, config: Config, now: Instant): Promise<Reset> =>
  changeByCommand(db, now, (inside, audit) =>
    inside.transaction((tx) => reset(tx, audit, config, now), [masterKeysLock]),
  )
