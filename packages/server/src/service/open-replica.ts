/** The replica of the settings: its connections, and the watch on its lag. */
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { openReplicaPools } from '../open-store.ts'
import type { Db, Pool } from '../postgres/connection/database.ts'
import type { ReplicaReason } from '../postgres/replica/replica-lag.ts'
import { type ReplicaWatch, watchReplica } from '../postgres/replica/watch-replica.ts'

export type Replica = {
  readonly reading: Pool
  readonly watch: ReplicaWatch
  readonly maxLag_ms: number
  /** Monotonic. */
  elapsed_ms(): number
  close(): Promise<void>
}

const usual = { every_ms: 250, elapsed_ms: () => performance.now() }

const sentences: Readonly<Record<ReplicaReason, string>> = {
  unreachable: 'cannot be reached',
  not_a_replica: 'is no replica: it accepts writes',
  other_cluster: 'is of another cluster',
  other_database: 'shows another database',
  unknown: 'has not shown yet how far it is',
  late: 'is too far behind',
  behind: 'is behind',
  fault: 'cannot be read',
}

/** Undefined: the settings name none. `primary`: a connection that no request uses. */
export const openReplica = (
  config: Pick<Config, 'databaseReadUrl' | 'readConnections' | 'readMaxLag_ms'>,
  primary: Db,
  nodeId: string,
  log: Log,
  { every_ms, elapsed_ms }: { readonly every_ms: number | undefined; readonly elapsed_ms: () => number } = usual,
): Replica | undefined => {
  const { databaseReadUrl: url, readMaxLag_ms: maxLag_ms } = config
  if (url === undefined) return undefined
  const { reading, looking } = openReplicaPools(url, config, (fault) =>
    log.warn({ err: fault }, 'a connection to the replica broke'),
  )
  const watch = watchReplica({
    primary,
    replica: looking,
    nodeId,
    host: hostname().slice(0, 200),
    maxLag_ms,
    every_ms,
    elapsed_ms,
    onChange(reason, cause) {
      if (reason === undefined) log.info({}, 'the replica is read')
      else if (reason !== 'unknown')
        log.warn(
          { reason, err: cause },
          `the replica of DATABASE_READ_URL ${sentences[reason]}: the primary is read instead`,
        )
    },
  })
  return {
    reading,
    watch,
    maxLag_ms,
    elapsed_ms,
    async close() {
      await watch.stop()
      await Promise.all([reading.close(), looking.close()])
    },
  }
}
