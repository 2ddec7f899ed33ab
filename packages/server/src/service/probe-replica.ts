/** What the doctor sees of the replica: whether it is one of this primary, and how soon it has what the primary has now. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Finding, found } from '../doctor/finding.ts'
import { openReplicaPools } from '../open-store.ts'
import type { Db } from '../postgres/connection/database.ts'
import { faultCode } from '../postgres/connection/unavailable.ts'
import { placeFault } from '../postgres/replica/replica-lag.ts'
import { primaryPosition, replicaPlace, replicaReached } from '../postgres/replica/replica-sql.ts'
import { isNoReplica } from '../postgres/replica/watch-replica.ts'

const askEvery_ms = 50

/** Without a replica there is nothing to say. */
export const probeReplica = async (
  { databaseReadUrl: url, readMaxLag_ms }: Pick<Config, 'databaseReadUrl' | 'readMaxLag_ms'>,
  primary: Db,
): Promise<Finding[]> => {
  if (url === undefined) return []
  const { reading, looking } = openReplicaPools(url, { readConnections: 1 }, () => {})
  try {
    const [here] = await replicaPlace(primary)
    const [there] = await replicaPlace(looking)
    const fault = placeFault(there!, here!)
    if (fault !== undefined) return [found(fault === 'not_a_replica' ? 'replica_is_primary' : 'replica_foreign')]
    const [now] = await primaryPosition(primary)
    for (const began = performance.now(); performance.now() - began <= readMaxLag_ms; await delay(askEvery_ms))
      if ((await replicaReached(looking, now!.position))[0]!.reached) return [found('replica_ok')]
    return [found('replica_late', { most: readMaxLag_ms })]
  } catch (fault) {
    if (isNoReplica(fault)) return [found('replica_is_primary')]
    return [found('replica_unreached', { reason: faultCode(fault) ?? 'no reason' })]
  } finally {
    await Promise.all([reading.close(), looking.close()])
  }
}
