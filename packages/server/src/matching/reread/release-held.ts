/**
 * Releases a held alert: a member lets it match although its phone is switched off. It is resolved as if it had just arrived,
 * but keeps its time of arrival. It matches only an intent whose window is still open.
 */
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { lockQueueAlert } from '../queue/lock-queue-alert.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { type AlertOutcome, resolveAlerts } from '../resolve/resolve-alerts.ts'

/** `reread`: the result of `readStored`. Refused if the alert is no longer held. */
export const releaseHeld = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  reread: AlertToResolve,
): Promise<AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_held'>> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, ref, zone, alertLocks([reread]))
    if (isRefusal(row)) return row
    if (row.state !== 'held') return refuse('alert_not_held', { state: row.state })
    const [outcome] = await resolveAlerts(tx, [reread], zone)
    return outcome!
  })
