/**
 * A member decides that an alert is a separate payment although its text arrived before. This is only for alerts without a
 * reference, because two payments with one text cannot be told apart otherwise. The alert goes to review, where a member can
 * book it.
 */
import type { AlertId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { type AlertRef, lockQueueAlert } from './lock-queue-alert.ts'
import { setNotDuplicate } from './queue-sql.ts'

export const notDuplicate = async (
  tx: Tx,
  zone: Zone,
  ref: AlertRef,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_repeated'>> => {
  const row = await lockQueueAlert(tx, ref, zone)
  if (isRefusal(row)) return row
  const byText = row.state === 'duplicate' && (row.reason === 'same_text' || row.reason === 'message_part')
  if (!byText || row.hidden !== '' || row.reference_key !== null || row.direction === 'debit')
    return refuse('alert_not_repeated', { state: row.state })
  const changed = await setNotDuplicate(tx, ref.accountId, row.id, row.amount === null ? 'unread' : 'review')
  if (changed.length !== 1) throw new Error('an alert changed while its row was locked')
  return row.id
}
