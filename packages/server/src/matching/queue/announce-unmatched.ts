/**
 * Announces unmatched money to the merchant, once the last intent that it might belong to has ended. The batch is bounded, and
 * several nodes may run it at once. The mark and the event are written in one transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, type EventId, timeOrderedId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { unmatchedBody } from '../../webhooks/event.ts'
import { insertEvents } from '../../webhooks/event-sql.ts'
import { takeUnannounced } from './announce-sql.ts'

/** Returns how many were announced. If that is `limit`, there may be more. `onAnnounced` is called for each after the
 *  commit. */
export const announceUnmatched = async (
  db: Db,
  zone: Zone,
  limit: number,
  now: Instant,
  onAnnounced: (accountId: AccountId, id: AlertId) => void = () => {},
): Promise<number> => {
  const announced = await db.transaction(async (tx) => {
    const alerts = await takeUnannounced(tx, now, limit)
    if (alerts.length === 0) return alerts
    await insertEvents(
      tx,
      alerts.map((alert) => ({
        accountId: alert.account_id,
        id: timeOrderedId<EventId>(now),
        kind: 'payment.unmatched',
        walletId: alert.wallet_id,
        intentId: null,
        alertId: alert.id,
        body: unmatchedBody(
          {
            alertId: alert.id,
            reference: alert.reference,
            amount: alert.amount,
            currency: alert.currency,
            receivedAt: alert.received_at,
            isTest: false,
          },
          alert.wallet_name,
          zone,
        ),
        createdAt: now,
      })),
    )
    return alerts
  })
  for (const { account_id, id } of announced) onAnnounced(account_id, id)
  return announced.length
}
