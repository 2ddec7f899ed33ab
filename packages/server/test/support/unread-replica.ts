/** A replica that is never read: its metrics are there. */
import type { Pool } from '../../src/postgres/connection/database.ts'
import type { Replica } from '../../src/service/open-replica.ts'

const away = (): Promise<never> => Promise.reject(new Error('this replica is never read'))

export const unreadReplica: Replica = {
  reading: {
    run: away,
    transaction: away,
    pipelined: () => ({ run: away }),
    connections: () => ({ most: 4, open: 0, idle: 0, waiting: 0 }),
    close: async () => {},
  } satisfies Pool,
  watch: {
    whyNot: () => 'unknown',
    lag: () => undefined,
    place: () => undefined,
    failed: () => {},
    look: async () => {},
    stop: async () => {},
  },
  maxLag_ms: 2_000,
  elapsed_ms: () => performance.now(),
  close: async () => {},
}
