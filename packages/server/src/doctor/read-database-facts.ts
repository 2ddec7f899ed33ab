/** Reads what the database knows of the health of the installation. Every figure is a count that the operator's page reads too. */
import type { Instant } from '../core/clock.ts'
import { backupAge, recordsAhead_ms } from '../postgres/backup/backup-age.ts'
import { latestBackup } from '../postgres/backup/backups-sql.ts'
import { agreementOf, offsetText } from '../postgres/clock/clock-agreement.ts'
import { listNodeClocks } from '../postgres/clock/node-clocks-sql.ts'
import type { Db } from '../postgres/connection/database.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import { countTwins } from '../wallets/identity/find-twins.ts'
import { queueState } from '../webhooks/sending/delivery-sql.ts'
import { databaseRoom } from './database-room-sql.ts'
import type { DatabaseFacts } from './diagnosis.ts'

export type NodeFacts = {
  readonly connectionsOfOneNode: number
  readonly sharesLimits: boolean
  /** A last backup that is older needs a person; undefined: no age does. */
  readonly backupMaxAge_ms: number | undefined
  /** Undefined: the clock of this machine agrees with the database's. */
  readonly wrongClock: string | undefined
}

/** Nodes with a wrong clock that are named. */
const mostNamed = 5

export const readDatabaseFacts = async (
  db: Db,
  now: Instant,
  { connectionsOfOneNode, sharesLimits, wrongClock, backupMaxAge_ms }: NodeFacts,
): Promise<DatabaseFacts> => {
  const [room] = await databaseRoom(db)
  const [figures] = await serviceFigures(db, now)
  const [queue] = await queueState(db, now)
  const nodes = await listNodeClocks(db)
  const [backup] = await latestBackup(db, now + recordsAhead_ms)
  return {
    connections: { ...room!, ofOneNode: connectionsOfOneNode },
    nodes: {
      running: nodes.length,
      wrongClocks: nodes
        .filter(({ offset_ms, error_ms }) => agreementOf(offset_ms, error_ms) !== 'agrees')
        .slice(0, mostNamed)
        .map(({ host, offset_ms }) => `${host} is ${offsetText(offset_ms)} the database`),
    },
    wrongClock,
    sharesLimits,
    phones: { on: figures!.phones, silent: figures!.silent_phones },
    endpoints: {
      unreachable: queue!.open_breakers,
      oldestDelivery_s:
        queue!.oldest_due_at === null ? 0 : Math.max(0, Math.floor((now - queue!.oldest_due_at) / 1000)),
    },
    unreadAlerts: figures!.unread_alerts,
    twinWallets: await countTwins(db),
    backup: backup && backupAge(backup, now, backupMaxAge_ms),
  }
}
