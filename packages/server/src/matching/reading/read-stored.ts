/**
 * Reads a stored alert again, with the current wallets and templates, so that it can be resolved again. It keeps its time of
 * arrival. Called before the transaction, because wallets and templates may have to be loaded.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, WalletId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import type { AlertOutcome } from '../resolve/resolve-alerts.ts'
import { storedAlert, type storedColumns } from '../resolve/stored-alert-sql.ts'
import type { ReadReport } from './read-report.ts'

type StoredRow = RowOf<typeof storedColumns>
export type ReleaseDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly readReport: ReadReport
  /** Called after the commit. */
  readonly onResolved?: (accountId: AccountId, outcomes: readonly AlertOutcome[]) => void
  /** Called for each alert that cannot be resolved. */
  readonly onFault?: (fault: unknown) => void
}

/** The alert of a row, read again. `chosen`: its wallet, if several fit. An erased alert has no text to read: the caller has refused
 *  it, or needs no reading. */
export const alertToResolve = async (
  row: StoredRow,
  readReport: ReadReport,
  now: Instant,
  chosen: WalletId | undefined = row.wallet_id ?? undefined,
): Promise<AlertToResolve> => {
  const { hiding } = readReport
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
    phoneId: row.device_id,
    adapter: row.adapter,
    trusted: row.trusted,
    report,
    reading:
      row.erased_at !== null
        ? { kind: 'unread', reason: 'not_understood', wallet: undefined, hidden: row.hidden }
        : await readReport(wholeAccount(row.account_id), row.device_id, report, now, chosen),
    hiding,
    now,
    stored: {
      id: row.id,
      receivedAt: row.received_at,
      was: row.state,
      link: storedLinkOf(row),
      phoneNew: row.phone_new,
      senderNew: row.sender_new,
    },
    // A hidden alert of a phone that was off stays held, like any other alert of that phone.
    released: row.state !== 'hidden' || row.reason !== 'device_off',
  }
}

/** An alert that a template read at its arrival has already moved the balance, even if it was held. */
const storedLinkOf = (row: StoredRow) =>
  row.amount === null ? undefined : { chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }

/** The same as `alertToResolve`, for an alert that is given by its id. `erased`: what becomes of an alert without a text. */
export const readStored = async (
  deps: Pick<ReleaseDeps, 'db' | 'readReport'>,
  ref: AlertRef,
  now: Instant,
  chosen?: WalletId,
  erased: 'refused' | 'unread' = 'refused',
): Promise<AlertToResolve | Refusal<'alert_unknown' | 'alert_erased'>> => {
  const [row] = await storedAlert(deps.db, ref.scope, ref.alertId)
  if (row === undefined) return refuse('alert_unknown')
  if (row.erased_at !== null && erased === 'refused') return refuse('alert_erased')
  return alertToResolve(row, deps.readReport, now, chosen)
}
