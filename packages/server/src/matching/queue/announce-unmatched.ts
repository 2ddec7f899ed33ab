/**
 * Announces unmatched money to the merchant once the last intent that it might have belonged to has ended. Bounded, and safe
 * on several nodes; the mark and the event are written in one transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, type EventId, timeOrderedId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { unmatchedBody } from '../../webhooks/event.ts'
import { insertEvents } from '../../webhooks/event-sql.ts'
import { takeOwed } from './announce-sql.ts'

/** Returns how many were announced; as many as `limit` means that there may be more. `onAnnounced` is called for each after
 *  the commit. */
export const announceUnmatched = async (
  db: Db,
  zone: Zone,
  limit: number,
  now: Instant,
  onAnnounced: (accountId: AccountId, id: AlertId) => void = () => {},
): Promise<number> => {
  const owed = await db.transaction(async (tx) => {
    const owed = await takeOwed(tx, now, limit)
    if (owed.length === 0) return owed
    await insertEvents(
      tx,
      owed.map((alert) => ({
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
    return owed
  })
  for (const { account_id, id } of owed) onAnnounced(account_id, id)
  return owed.length
}
