/** Whether an account can live in another cell: everything that it needs there is compared before anything is changed. */
import { lockErasure } from '../../accounts/erasure/account-erasure-sql.ts'
import { findAccount } from '../../accounts/tenants/account-sql.ts'
import { takenEmails, usersToMove } from '../../accounts/tenants/move-users.ts'
import { CommandError } from '../../command-error.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { MasterKey } from '../../core/seal.ts'
import { isKeyOf, unsealHashKey } from '../../key-ring.ts'
import { type BackupConnection, runText } from '../../postgres/backup/backup-connection.ts'
import { appliedMigrations, hasMigrationsTable } from '../../postgres/backup/backup-sql.ts'
import { noProgress } from '../../postgres/backup/progress.ts'
import { agreementOf } from '../../postgres/clock/clock-agreement.ts'
import { askTime } from '../../postgres/clock/clock-sql.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { readMasterKeys, replaceHashKey, type StoredMasterKey } from '../../postgres/maintenance/master-key-sql.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { copyTables } from '../../postgres/tenancy/copy-account.ts'
import { type MovedTable, movedTables } from '../../postgres/tenancy/moved-tables.ts'
import {
  missingShared,
  sharedProvidersUsed,
  sharedTemplatesUsed,
  usesHashKey,
} from '../../views/operator/shared-needs-sql.ts'
import type { Cells } from './cell-connections.ts'

const nothing = 'Nothing was changed.'

const refuseOtherVersion = async ({ source, target }: Cells, cell: Cell): Promise<void> => {
  const [table] = await hasMigrationsTable(target)
  const there = table!.exists ? await appliedMigrations(target) : []
  const text = (rows: readonly { readonly name: string; readonly hash: string }[]): string =>
    JSON.stringify(rows.map(({ name, hash }) => [name, hash]))
  if (text(there) !== text(await appliedMigrations(source)))
    throw new CommandError(
      `Cell ${cell.name} has other migrations than this cell: bring both to the same version, and start both once. ${nothing}`,
    )
}

/** Rows of the account would not be in the order of time, and the windows of its open intents would be longer or shorter there. */
export const refuseOtherTime = async (source: Session, target: Session, cell: Pick<Cell, 'name'>): Promise<void> => {
  const sentAt = performance.now()
  const [own] = await askTime(source)
  const [other] = await askTime(target)
  const error_ms = (performance.now() - sentAt) / 2
  const ahead_ms = (other!.time_us - own!.time_us) / 1000 - error_ms
  if (agreementOf(ahead_ms, error_ms) === 'agrees') return
  throw new CommandError(
    `The clock of the database of cell ${cell.name} is ${Math.round(Math.abs(ahead_ms) / 1000)} s ${ahead_ms > 0 ? 'ahead of' : 'behind'} the one here: set them both. ${nothing}`,
  )
}

const newestKey = async (session: BackupConnection, where: string): Promise<StoredMasterKey> => {
  const [newest] = await readMasterKeys(session)
  if (newest === undefined)
    throw new CommandError(`The database of ${where} has no master key yet: start its service once. ${nothing}`)
  if (newest.done_at === null)
    throw new CommandError(`The master key of ${where} is being rotated: end that first. ${nothing}`)
  return newest
}

/** Secrets are copied sealed, and addresses of pages as keyed hashes. Returns what takes the key over, if that is needed. */
const checkKeys = async (
  { source, target }: Cells,
  cell: Cell,
  key: MasterKey,
  prepare: boolean,
  now: Instant,
): Promise<(() => Promise<string>) | undefined> => {
  const [own, other] = [await newestKey(source, 'this cell'), await newestKey(target, `cell ${cell.name}`)]
  if (!isKeyOf(own, key) || !isKeyOf(other, key))
    throw new CommandError(
      `Cell ${cell.name} has another master key than this cell: secrets of phones, webhooks and users could not be read there. Cells between which accounts move are set up with one SANAD_MASTER_KEY. ${nothing}`,
    )
  const [hash, otherHash] = [unsealHashKey(key, own.hash_key_sealed), unsealHashKey(key, other.hash_key_sealed)]
  if (Buffer.compare(hash, otherHash) === 0) return undefined
  const [row] = await usesHashKey(target)
  if (row!.used !== '')
    throw new CommandError(
      `Cell ${cell.name} makes the addresses of buyers' pages with another key than this cell, and has ${row!.used} already that depend on it: no account of this cell can be moved there. A new cell takes the key over with --prepare, before it has any. ${nothing}`,
    )
  if (!prepare)
    throw new CommandError(
      `Cell ${cell.name} makes the addresses of buyers' pages with another key than this cell. It has no account yet: run the command again with --prepare, and it takes over the key of this cell. ${nothing}`,
    )
  return async () => {
    await replaceHashKey(target, other.generation, own.hash_key_sealed, now)
    return `Cell ${cell.name} now makes the addresses of buyers' pages with the key of this cell.`
  }
}

/** Rows of providers and templates that have no account, by their ids. */
const sharedRows = (tables: readonly MovedTable[], missing: readonly string[]): MovedTable[] =>
  ['providers', 'alert_templates'].map((name) => ({
    ...tables.find((table) => table.name === name)!,
    rows: `account_id is null and id in (${missing.map((id) => `'${id}'::uuid`).join(', ')})`,
  }))

const checkShared = async (
  { source, target }: Cells,
  cell: Cell,
  accountId: AccountId,
  prepare: boolean,
): Promise<string | undefined> => {
  const scope = wholeAccount(accountId)
  const [providers, templates] = [await sharedProvidersUsed(source, scope), await sharedTemplatesUsed(source, scope)]
  const rows = await missingShared(
    target,
    providers.map(({ id }) => id),
    templates.map(({ id }) => id),
  )
  const missing = rows.map(({ id }) => id)
  if (missing.length === 0) return undefined
  const names = [...providers, ...templates].filter(({ id }) => missing.includes(id)).map(({ name }) => name)
  const list = `${names.slice(0, 10).join(', ')}${names.length > 10 ? `, and ${names.length - 10} more` : ''}`
  if (!prepare)
    throw new CommandError(
      `Cell ${cell.name} lacks providers or templates that everybody shares here and the account uses: ${list}. Run the command again with --prepare, and they are added there. ${nothing}`,
    )
  await runText(target, 'begin')
  try {
    await copyTables(source, target, sharedRows(await movedTables(source), missing), accountId, noProgress)
    await runText(target, 'commit')
  } catch (cause) {
    await runText(target, 'rollback')
    throw new CommandError(
      `Cell ${cell.name} has other versions of providers or templates that everybody shares: ${list}. Make them the same in both cells: ${(cause as Error).message}. ${nothing}`,
      { cause },
    )
  }
  return `Added in cell ${cell.name} for everybody: ${list}.`
}

const refuseTakenAddresses = async ({ source, target }: Cells, cell: Cell, accountId: AccountId): Promise<void> => {
  const tables = (await movedTables(source)).map(({ name }) => name)
  const taken = await takenEmails(target, await usersToMove(source, accountId, tables))
  if (taken.length > 0)
    throw new CommandError(
      `In cell ${cell.name} other users have the addresses of members of this account: ${taken.slice(0, 10).join(', ')}. One address is one user in a cell: one of the two must get another address, or leave. ${nothing}`,
    )
}

const refuseErased = async (source: BackupConnection, accountId: AccountId): Promise<void> => {
  const [erasure] = await lockErasure(source, accountId)
  if (erasure !== undefined && erasure.state !== 'asked')
    throw new CommandError(`The account waits to be erased: sanad account keep cancels it. ${nothing}`)
}

/** What may have changed while the account was copied, which may take long. The other cell's transaction has begun. */
export const checkCellAgain = async (cells: Cells, cell: Cell, accountId: AccountId, key: MasterKey): Promise<void> => {
  await refuseOtherVersion(cells, cell)
  await refuseErased(cells.source, accountId)
  await checkKeys(cells, cell, key, false, systemClock.now())
}

/** What the move begins with. Returns what was made ready in the other cell, one sentence each. */
export const checkCell = async (
  cells: Cells,
  cell: Cell,
  accountId: AccountId,
  key: MasterKey,
  prepare: boolean,
  now: Instant,
): Promise<string[]> => {
  await refuseOtherVersion(cells, cell)
  await refuseOtherTime(cells.source, cells.target, cell)
  await refuseErased(cells.source, accountId)
  const takeOverKey = await checkKeys(cells, cell, key, prepare, now)
  if ((await findAccount(cells.target, accountId)).length > 0)
    throw new CommandError(
      `The account is in cell ${cell.name} already: if it was moved here from there, end the forwarding there first. ${nothing}`,
    )
  const [left] = await lockErasure(cells.target, accountId)
  if (left !== undefined)
    throw new CommandError(`Cell ${cell.name} has erased this account, or is erasing it. ${nothing}`)
  await refuseTakenAddresses(cells, cell, accountId)
  const shared = await checkShared(cells, cell, accountId, prepare)
  return [shared, await takeOverKey?.()].filter((sentence) => sentence !== undefined)
}
