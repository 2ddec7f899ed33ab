/**
 * A member says that an alert is a payment of its own although its text came before. Only for alerts without a reference:
 * nothing else tells two payments with one text apart. The alert goes to review, where a member can book it.
 */
import type { AlertId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { type AlertRef, holdQueueAlert } from './hold-queue-alert.ts'
import { ownPayment } from './queue-sql.ts'

export const notDuplicate = async (
  tx: Tx,
  zone: Zone,
  ref: AlertRef,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_repeated'>> => {
  const row = await holdQueueAlert(tx, ref, zone)
  if (isRefusal(row)) return row
  const byText = row.state === 'duplicate' && (row.reason === 'same_text' || row.reason === 'message_part')
  if (!byText || row.hidden !== '' || row.reference_key !== null || row.direction === 'debit')
    return refuse('alert_not_repeated', { state: row.state })
  const done = await ownPayment(tx, ref.accountId, row.id, row.amount === null ? 'unread' : 'review')
  if (done.length !== 1) throw new Error('an alert changed while it was held')
  return row.id
}
