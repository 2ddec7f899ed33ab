/**
 * Reads what the database knows of the health of the installation: the figures that `sanad health` prints, and from them the facts that
 * are judged. Every figure is a count that the operator's page reads too.
 */
import type { Instant } from '../core/clock.ts'
import { backupAge, recordsAhead_ms } from '../postgres/backup/backup-age.ts'
import { latestBackup, latestVerified } from '../postgres/backup/backups-sql.ts'
import { agreementOf } from '../postgres/clock/clock-agreement.ts'
import { listNodeClocks } from '../postgres/clock/node-clocks-sql.ts'
import { machinesOf } from '../postgres/clock/node-id.ts'
import type { Db } from '../postgres/connection/database.ts'
import { frozenAccounts } from '../postgres/tenancy/freeze-sql.ts'
import { accountsElsewhere, switchedAccounts } from '../postgres/tenancy/move-sql.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import { countTwins } from '../wallets/identity/find-twins.ts'
import { queueState } from '../webhooks/sending/delivery-sql.ts'
import { databaseRoom } from './database-room-sql.ts'
import type { DatabaseFacts } from './diagnosis.ts'

export type NodeFacts = {
  readonly connectionsOfOneNode: number
  /** Processes of this machine that use the database. */
  readonly processesOfMachine: number
  readonly sharesLimits: boolean
  /** A last backup that is older needs a person; undefined: no age does. */
  readonly backupMaxAge_ms: number | undefined
  /** How far the clock of this machine is ahead of the database's; undefined: they agree. */
  readonly wrongClock_ms: number | undefined
}

export type ServiceState = Awaited<ReturnType<typeof readServiceState>>

export const readServiceState = async (db: Db, now: Instant) => ({
  now,
  room: (await databaseRoom(db))[0]!,
  figures: (await serviceFigures(db, now))[0]!,
  queue: (await queueState(db, now))[0]!,
  nodes: await listNodeClocks(db),
  twins: await countTwins(db),
  // One that is used in another cell stays frozen here for as long as calls are forwarded.
  frozen: (await frozenAccounts(db)).length - (await accountsElsewhere(db)).length,
  moved: (await switchedAccounts(db)).length,
  /** The last good backup; undefined: none is recorded. */
  backup: (await latestBackup(db, now + recordsAhead_ms))[0],
  /** The last backup that was restored as a test. */
  verified: (await latestVerified(db, now + recordsAhead_ms))[0],
})

/** `host -7200 s`: the clock of the node is two hours behind the database's. */
const clockText = (host: string, offset_ms: number): string =>
  `${host} ${offset_ms > 0 ? '+' : '-'}${Math.round(Math.abs(offset_ms) / 1000)} s`

export const databaseFacts = (state: ServiceState, node: NodeFacts): DatabaseFacts => {
  const { now, room, figures, queue, nodes, twins, frozen, moved, backup } = state
  return {
    connections: { ...room, ofOneNode: node.connectionsOfOneNode },
    nodes: {
      running: nodes.length,
      machines: machinesOf(nodes.map(({ node_id }) => node_id)),
      ofThisMachine: node.processesOfMachine,
      wrongClocks: nodes
        .filter(({ offset_ms, error_ms }) => agreementOf(offset_ms, error_ms) !== 'agrees')
        .map(({ host, offset_ms }) => clockText(host, offset_ms)),
    },
    wrongClock_ms: node.wrongClock_ms,
    sharesLimits: node.sharesLimits,
    phones: { on: figures.phones, silent: figures.silent_phones },
    endpoints: {
      unreachable: queue.open_breakers,
      oldestDelivery_s: queue.oldest_due_at === null ? 0 : Math.max(0, Math.floor((now - queue.oldest_due_at) / 1000)),
    },
    unreadAlerts: figures.unread_alerts,
    twinWallets: twins,
    frozenAccounts: frozen,
    movedAccounts: moved,
    backup: backup && backupAge(backup, now, node.backupMaxAge_ms),
  }
}
