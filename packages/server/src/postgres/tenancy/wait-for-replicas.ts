/**
 * Waits until the replicas that follow this primary have what was committed: if one of them is promoted then, it is not lost. Replicas
 * that are not connected, or that the role may not see (PostgreSQL shows them to members of pg_monitor), are not waited for.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../connection/database.ts'
import { primaryPosition, replicasBehind } from '../replica/replica-sql.ts'

const pause_ms = 50

/** Returns how many are still behind after `most_ms`. */
export const waitForReplicas = async (db: Db, most_ms: number): Promise<number> => {
  const [{ position }] = (await primaryPosition(db)) as [{ position: string }]
  const began = performance.now()
  for (;;) {
    const [row] = await replicasBehind(db, position)
    if (row!.behind === 0 || performance.now() - began > most_ms) return row!.behind
    await delay(pause_ms)
  }
}
