/**
 * A member says that an alert is a payment of its own. There are two cases:
 * - The same text came before. Only alerts without a reference are accepted: a reference tells two payments apart, a text does not.
 *   The alert goes to review, where a member can book it.
 * - Another alert of the same amount may be the same payment. The alert is matched as if the other one had not come.
 */
import type { AlertId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { acceptCredit } from '../resolve/amounts-sql.ts'
import { resolveAlerts } from '../resolve/resolve-alerts.ts'
import { matchAgain } from './dismiss-alert.ts'
import { type LockedAlert, lockQueueAlert } from './lock-queue-alert.ts'
import { setNotDuplicate } from './queue-sql.ts'

/** `reread`: the alert, read again by today's templates. */
export const notDuplicate = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  reread: AlertToResolve,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_repeated'>> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, ref, zone, alertLocks([reread]))
    if (isRefusal(row)) return row
    if (row.state === 'review' && row.reason === 'amount_seen') {
      // An alert gets this reason after its balance: it followed, or a member has accepted it.
      await resolveAlerts(tx, [{ ...reread, anotherPayment: true, balanceAccepted: true }], zone)
      return row.id
    }
    if (row.state === 'wrong_amount' && row.reference_key !== null && row.similar_to !== null) {
      await acceptCredit(tx, ref.scope, row.id)
      await matchAgain(tx, zone, { ...row, similar_to: null }, row.state, reread.now)
      return row.id
    }
    return repeatedText(tx, row)
  })

const repeatedText = async (tx: Tx, row: LockedAlert): Promise<AlertId | Refusal<'alert_not_repeated'>> => {
  const byText = row.state === 'duplicate' && (row.reason === 'same_text' || row.reason === 'message_part')
  if (!byText || row.hidden !== '' || row.reference_key !== null || row.direction === 'debit')
    return refuse('alert_not_repeated', { state: row.state })
  const changed = await setNotDuplicate(
    tx,
    wholeAccount(row.account_id),
    row.id,
    row.amount === null ? 'unread' : 'review',
  )
  if (changed.length !== 1) throw new Error('an alert changed while its row was locked')
  return row.id
}
