/**
 * A person says that an alert is a payment of its own although its text had come before. Only where there is no reference
 * that tells: then nobody but a person can. It goes to review, and a person books it.
 */
import type { AccountId, AlertId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { holdQueueAlert } from './hold-queue-alert.ts'
import { ownPayment } from './queue-sql.ts'

export const notDuplicate = (
  db: Db,
  zone: Zone,
  asked: { readonly accountId: AccountId; readonly alertId: string },
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_repeated'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone)
    if (isRefusal(row)) return row
    const byText = row.state === 'duplicate' && (row.reason === 'same_text' || row.reason === 'message_part')
    if (!byText || row.hidden !== '' || row.reference_key !== null || row.direction === 'debit')
      return refuse('alert_not_repeated', { state: row.state })
    const done = await ownPayment(tx, asked.accountId, row.id, row.amount === null ? 'unread' : 'review')
    if (done.length !== 1) throw new Error('an alert changed while it was held')
    return row.id
  })
