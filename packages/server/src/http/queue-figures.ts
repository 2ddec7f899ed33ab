/** Reads the state of the webhook queue for the metrics. */
import type { Clock, Instant } from '../core/clock.ts'
import type { Db } from '../postgres/connection/database.ts'
import { queueState } from '../webhooks/sending/delivery-sql.ts'
import type { QueueState } from './metrics.ts'

export const queueFigures = (db: Db, clock: Clock) => async (): Promise<QueueState> => {
  const now = clock.now()
  const [state] = await queueState(db, now)
  const { oldest_due_at: oldest, oldest_sendable_at: sendable, waiting, open_breakers: openBreakers } = state!
  const seconds = (since: Instant | null): number => (since === null ? 0 : (now - since) / 1000)
  return { oldest_s: seconds(oldest), sendable_s: seconds(sendable), waiting, openBreakers }
}
