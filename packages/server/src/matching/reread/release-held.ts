/**
 * Alerts that were stored and not matched get their chance: released by the merchant although the phone was switched off,
 * or read by a template that was published since. They are settled as if they had just come, but keep the time at which
 * they did: a late one matches only inside its intent's window. Reading again goes in steps, and a step that was not
 * finished is taken again.
 */
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../alerts/templates/template-lookup.ts'
import { accountsOfProvider, markReread, templateToReread } from '../../alerts/templates/template-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, WalletId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { holdQueueAlert } from '../queue/hold-queue-alert.ts'
import { storedAlert } from '../queue/queue-sql.ts'
import { reportReader, type UnderstandReport } from '../report/understand-report.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { type AlertToResolve, hiddenKind } from '../resolve/known-alerts.ts'
import { isPermanentFault, resolveAlerts, type Settled } from '../resolve/settle.ts'
import { sealedAlerts, type storedColumns, unreadAlerts } from './stored-alert-sql.ts'

type Stored = RowOf<typeof storedColumns>
export type ReleaseDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly understand: UnderstandReport
  /** After the commit: what became of those that were read again. */
  readonly onSettled?: (accountId: AccountId, settled: readonly Settled[]) => void
  /** Over one that cannot be settled. */
  readonly onFault?: (fault: unknown) => void
}

/** Who reads again makes a reader of their own. */
export type RereadDeps = Omit<ReleaseDeps, 'understand'> & { readonly hiding: Hiding }

/** `chosen`: which wallet it is for, where several fit. */
export const alertToResolve = async (
  row: Stored,
  understand: UnderstandReport,
  now: Instant,
  chosen: WalletId | undefined = row.wallet_id ?? undefined,
): Promise<AlertToResolve> => {
  const { hiding } = understand
  const message =
    row.sealed_text === null
      ? { clientId: row.client_id, sender: row.sender, title: row.title, text: row.raw_text }
      : hiding.open(row.id, row.sealed_text)
  const report = {
    ...message,
    kind: row.kind,
    package: row.package,
    simSlot: row.sim_slot,
    sentAt: row.sent_at,
    phoneReceivedAt: row.phone_received_at,
  }
  return {
    accountId: row.account_id,
    deviceId: row.device_id,
    adapter: row.adapter,
    trusted: row.trusted,
    report,
    reading: await understand(row.account_id, row.device_id, report, now, chosen),
    hiding,
    now,
    stored: {
      id: row.id,
      receivedAt: row.received_at,
      was: row.state,
      link: linkOf(row),
      phoneNew: row.phone_new,
    },
    // A hidden message of a phone that was switched off was held like any other.
    released: row.state !== 'hidden' || row.reason !== 'device_off',
  }
}

/** What was read when it came, held or not, has moved the balance then. */
const linkOf = (row: Stored) =>
  row.amount === null ? undefined : { chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }

type Asked = { readonly accountId: AccountId; readonly alertId: string }

/** An alert that is there, read anew. Before a transaction: what is needed to read may have to be looked up. */
export const readStored = async (
  deps: Pick<ReleaseDeps, 'db' | 'understand'>,
  asked: Asked,
  now: Instant,
  chosen?: WalletId,
): Promise<AlertToResolve | Refusal<'alert_unknown'>> => {
  const [row] = await storedAlert(deps.db, asked.accountId, asked.alertId)
  return row === undefined ? refuse('alert_unknown') : alertToResolve(row, deps.understand, now, chosen)
}

/** Locks come first, as everywhere; then the row is held, and is still what it was or somebody was quicker. */
export const releaseRead = (
  db: Db,
  zone: Zone,
  asked: Asked,
  item: AlertToResolve,
): Promise<Settled | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_held'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone, alertLocks([item]))
    if (isRefusal(row)) return row
    if (row.state !== 'held') return refuse('alert_not_held', { state: row.state })
    const [settled] = await resolveAlerts(tx, [item], zone)
    return settled!
  })

export const releaseHeld = async (deps: ReleaseDeps, asked: Asked, now: Instant) => {
  const item = await readStored(deps, asked, now)
  return isRefusal(item) ? item : releaseRead(deps.db, deps.zone, asked, item)
}

/** Reads again what nobody understood, in steps; answers how many are understood now. */
export const rereadAlerts = async (
  deps: ReleaseDeps,
  asked: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const { accountId, senders } = asked
  const strangers = senders.map((sender) => deps.understand.hiding.sender(accountId, sender))
  const unread = await rereadEach(deps, unreadAlerts, { accountId, senders }, now)
  return unread + (await rereadEach(deps, sealedAlerts, { accountId, senders: [...senders, ...strangers] }, now))
}

const rereadEach = async (
  deps: ReleaseDeps,
  find: typeof unreadAlerts,
  asked: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const step = 100
  let understood = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await find(deps.db, asked.accountId, asked.senders, after, step)
    const items = await Promise.all(rows.map((row) => alertToResolve(row, deps.understand, now)))
    const changed = items.filter((item, i) => item.reading.kind === 'read' || hiddenKind(item) !== rows[i]!.hidden)
    const settled = await resolveStored(deps, changed)
    if (settled.length > 0) deps.onSettled?.(asked.accountId, settled)
    understood += settled.filter(({ state }) => state !== 'unread' && state !== 'hidden').length
    if (rows.length < step) return understood
    after = rows.at(-1)!.id
  }
}

/** All at once; where one cannot be settled, each for itself, and that one stays as it is. */
const resolveStored = async (deps: ReleaseDeps, items: readonly AlertToResolve[]): Promise<Settled[]> => {
  if (items.length === 0) return []
  try {
    return await deps.db.transaction((tx) => resolveAlerts(tx, items, deps.zone), alertLocks(items))
  } catch (fault) {
    if (!isPermanentFault(fault)) throw fault
    if (items.length === 1) {
      deps.onFault?.(fault)
      return []
    }
  }
  const settled: Settled[] = []
  for (const item of items) settled.push(...(await resolveStored(deps, [item])))
  return settled
}

/** So long a node may still be storing what it read without a template that another has published. */
const unheard_ms = 30_000

/**
 * Takes the next published template and reads again what its senders sent, at once and once more when every node knows it. By
 * the templates that are in the database now, whatever this node remembers. True: there may be more to do.
 */
export const rereadForNext = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [template] = await templateToReread(db, now - unheard_ms)
  if (template === undefined) return false
  const senders = JSON.parse(template.sender_names) as string[]
  const understand = reportReader(db, templateLookup(db), deps.hiding)
  for (const { account_id } of await accountsOfProvider(db, template.provider_id, template.account_id))
    await rereadAlerts({ ...deps, understand }, { accountId: account_id, senders }, now)
  await markReread(db, template.id, template.reread_at, now)
  return true
}
