/**
 * Resolves stored alerts again: released by a member although the phone was switched off, or read by a template that was
 * published since. They are resolved as if they had just come, but keep the time at which they came: a late one matches only
 * inside its intent's window. Reading again goes in steps, and a step that was not finished is repeated.
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
import { type AlertRef, holdQueueAlert } from '../queue/hold-queue-alert.ts'
import { storedAlert } from '../queue/queue-sql.ts'
import { type ReadReport, reportReader } from '../report/read-report.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { type AlertToResolve, hiddenKind } from '../resolve/known-alerts.ts'
import { type AlertOutcome, isPermanentFault, resolveAlerts } from '../resolve/resolve-alerts.ts'
import { sealedAlerts, type storedColumns, unreadAlerts } from './stored-alert-sql.ts'

type StoredRow = RowOf<typeof storedColumns>
export type ReleaseDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly understand: ReadReport
  /** Called after the commit. */
  readonly onResolved?: (accountId: AccountId, outcomes: readonly AlertOutcome[]) => void
  /** Called for each alert that cannot be resolved. */
  readonly onFault?: (fault: unknown) => void
}

/** Rereading makes its own reader, with fresh caches. */
export type RereadDeps = Omit<ReleaseDeps, 'understand'> & { readonly hiding: Hiding }

/** A stored alert, read again. `chosen`: its wallet, where several fit. */
export const alertToResolve = async (
  row: StoredRow,
  understand: ReadReport,
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
      link: storedLinkOf(row),
      phoneNew: row.phone_new,
    },
    // A hidden message of a phone that was off stays held, like any other alert of that phone.
    released: row.state !== 'hidden' || row.reason !== 'device_off',
  }
}

/** An alert that was read when it came has moved the balance then, even if it was held. */
const storedLinkOf = (row: StoredRow) =>
  row.amount === null ? undefined : { chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }

/** A stored alert, read again. Runs before the transaction, because wallets and templates may have to be loaded. */
export const readStored = async (
  deps: Pick<ReleaseDeps, 'db' | 'understand'>,
  ref: AlertRef,
  now: Instant,
  chosen?: WalletId,
): Promise<AlertToResolve | Refusal<'alert_unknown'>> => {
  const [row] = await storedAlert(deps.db, ref.accountId, ref.alertId)
  return row === undefined ? refuse('alert_unknown') : alertToResolve(row, deps.understand, now, chosen)
}

/** `again`: the alert, read again (`readStored`). Refused if it is not held any more. */
export const releaseRead = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  again: AlertToResolve,
): Promise<AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_held'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, ref, zone, alertLocks([again]))
    if (isRefusal(row)) return row
    if (row.state !== 'held') return refuse('alert_not_held', { state: row.state })
    const [outcome] = await resolveAlerts(tx, [again], zone)
    return outcome!
  })

export const releaseHeld = async (deps: ReleaseDeps, ref: AlertRef, now: Instant) => {
  const again = await readStored(deps, ref, now)
  return isRefusal(again) ? again : releaseRead(deps.db, deps.zone, ref, again)
}

/** Reads unread alerts of these senders again, in steps. Returns how many could be read now. */
export const rereadAlerts = async (
  deps: ReleaseDeps,
  scope: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const { accountId, senders } = scope
  const strangers = senders.map((sender) => deps.understand.hiding.sender(accountId, sender))
  const unread = await rereadEach(deps, unreadAlerts, { accountId, senders }, now)
  return unread + (await rereadEach(deps, sealedAlerts, { accountId, senders: [...senders, ...strangers] }, now))
}

const rereadEach = async (
  deps: ReleaseDeps,
  find: typeof unreadAlerts,
  scope: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const step = 100
  let readNow = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await find(deps.db, scope.accountId, scope.senders, after, step)
    const alerts = await Promise.all(rows.map((row) => alertToResolve(row, deps.understand, now)))
    const changed = alerts.filter((alert, i) => alert.reading.kind === 'read' || hiddenKind(alert) !== rows[i]!.hidden)
    const outcomes = await resolveStored(deps, changed)
    if (outcomes.length > 0) deps.onResolved?.(scope.accountId, outcomes)
    readNow += outcomes.filter(({ state }) => state !== 'unread' && state !== 'hidden').length
    if (rows.length < step) return readNow
    after = rows.at(-1)!.id
  }
}

/** All in one transaction; if one always fails, each in its own, and that one stays as it is. */
const resolveStored = async (deps: ReleaseDeps, alerts: readonly AlertToResolve[]): Promise<AlertOutcome[]> => {
  if (alerts.length === 0) return []
  try {
    return await deps.db.transaction((tx) => resolveAlerts(tx, alerts, deps.zone), alertLocks(alerts))
  } catch (fault) {
    if (!isPermanentFault(fault)) throw fault
    if (alerts.length === 1) {
      deps.onFault?.(fault)
      return []
    }
  }
  const outcomes: AlertOutcome[] = []
  for (const alert of alerts) outcomes.push(...(await resolveStored(deps, [alert])))
  return outcomes
}

/** Another node may store alerts that it read without a newly published template for this long. */
const otherNodes_ms = 30_000

/**
 * Takes the next published template and reads the unread alerts of its senders again: at once, and once more when every node
 * knows the template. It uses the templates of the database, not this node's cache. Returns true if there may be more to do.
 */
export const rereadForNext = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [template] = await templateToReread(db, now - otherNodes_ms)
  if (template === undefined) return false
  const senders = JSON.parse(template.sender_names) as string[]
  const understand = reportReader(db, templateLookup(db), deps.hiding)
  for (const { account_id } of await accountsOfProvider(db, template.provider_id, template.account_id))
    await rereadAlerts({ ...deps, understand }, { accountId: account_id, senders }, now)
  await markReread(db, template.id, template.reread_at, now)
  return true
}
