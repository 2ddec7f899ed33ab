/**
 * Stores the events of intents that expired or were cancelled, in the transaction that ended them: an end and its event are
 * committed together, so each end is reported once. If no endpoint subscribes, nothing is read or written.
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type EventId, type IntentId, timeOrderedId } from '../core/ids.ts'
import type { Zone } from '../core/zone.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { endedBody } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/event-sql.ts'
import { endedIntents } from './end-events-sql.ts'

/** `subscribed`: an endpoint subscribes to this end. */
export type EndedRow = { readonly account_id: AccountId; readonly id: IntentId; readonly subscribed: boolean }

export const insertEndEvents = async (
  tx: Tx,
  kind: 'payment.expired' | 'payment.cancelled',
  ended: readonly EndedRow[],
  zone: Zone,
  now: Instant,
): Promise<void> => {
  const reported = ended.filter((row) => row.subscribed)
  if (reported.length === 0) return
  const rows = await endedIntents(tx, reported)
  await insertEvents(
    tx,
    rows.map((row) => {
      const intent = { ...row, externalOrderId: row.external_order_id, paid: null, isTest: row.is_test }
      return {
        accountId: row.account_id,
        id: timeOrderedId<EventId>(now),
        kind,
        walletId: row.wallet_id,
        intentId: row.id,
        alertId: null,
        body: endedBody(kind, intent, kind === 'payment.expired' ? row.expires_at : now, zone),
        createdAt: now,
      }
    }),
  )
}
