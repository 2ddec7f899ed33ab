/** What people read that may come from the replica; without one, all of it comes from the primary. */

import { recentChanges } from '../postgres/replica/recent-changes.ts'
import { primaryReads, routeReads } from '../postgres/replica/route-reads.ts'
import { replicaStatements } from '../views/reads/replica-statements.ts'
import { operatorKey, type Reads, sourceOn } from '../views/reads/routed-source.ts'
import type { Views } from './create-views.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'

/** Beyond what a replica may lack: a hint of another node takes a moment. */
const hintMargin_ms = 1_000

export const createReads = ({ db, replica, metrics, onFault }: Base, views: Views, live: Live): Reads => {
  const primarySource = { db, list: views.listForUsers, talliedUntil: views.talliedUntil }
  if (replica === undefined) return primaryReads(primarySource)
  const changes = recentChanges(replica.maxLag_ms + hintMargin_ms)
  live.onHint(
    (accountId, { kind }) => {
      const now_ms = replica.elapsed_ms()
      changes.changed(accountId ?? undefined, now_ms)
      if (kind === 'account') changes.changed(operatorKey, now_ms)
    },
    () => changes.changed(undefined, replica.elapsed_ms()),
  )
  return routeReads({
    primary: db,
    replica: replica.reading,
    watch: replica.watch,
    changes,
    statements: replicaStatements,
    primarySource,
    sourceOn,
    elapsed_ms: replica.elapsed_ms,
    onRead: metrics.readFrom,
    onFault: onFault('a read was not routed to the replica'),
  })
}
