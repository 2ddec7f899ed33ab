/**
 * Hides alerts that are older than the hiding of one-time codes: each unread one is checked once, and sealed if it is a
 * one-time code or of an unknown sender. It works in steps; an unfinished step is repeated.
 */
import { hiddenLife_ms } from '../../alerts/hidden/hidden-text.ts'
import { maskCode } from '../../alerts/texts/one-time-code.ts'
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { ReadReport } from '../reading/read-report.ts'
import { alertToResolve } from '../reading/read-stored.ts'
import { hiddenKind } from '../records/known-alerts.ts'
import { hideAlert, markAlertsChecked, uncheckedAlerts } from './hide-earlier-sql.ts'

/** Returns true if there may be more to do. */
export const hideEarlier = async (db: Db, readReport: ReadReport, most: number, now: Instant): Promise<boolean> => {
  const rows = await uncheckedAlerts(db, most)
  const { hiding } = readReport
  for (const row of rows) {
    const alert = await alertToResolve(row, readReport, now)
    const hidden = hiddenKind(alert)
    if (hidden === '') continue
    const { accountId, phoneId, report } = alert
    const repeated = row.state === 'duplicate'
    await hideAlert(db, {
      accountId,
      id: row.id,
      was: row.state,
      state: repeated ? 'duplicate' : 'hidden',
      reason:
        row.state === 'held' || repeated ? row.reason : alert.reading.kind === 'unread' ? alert.reading.reason : '',
      clientId: hiding.clientId(phoneId, report.clientId),
      sender: hidden === 'stranger' ? hiding.sender(accountId, report.sender) : report.sender,
      text: hidden === 'code' && !repeated ? maskCode(report.text) : '',
      fingerprint: hiding.fingerprint(accountId, report),
      hidden,
      sealedText: repeated ? null : hiding.seal(row.id, report),
      // A message of an unknown sender stays for a day from now: a wallet may still get that sender.
      forgetAt: (hidden === 'code' ? row.received_at : now) + hiddenLife_ms(hidden),
    })
  }
  await markAlertsChecked(
    db,
    rows.map(({ account_id }) => account_id),
    rows.map(({ id }) => id),
  )
  return rows.length === most
}
