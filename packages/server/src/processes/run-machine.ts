/**
 * The service as several processes of one machine (SANAD_PROCESSES): this parent, which answers no request; processes that serve on one
 * port; and one that does the background work. The parent owns the embedded PostgreSQL, migrates, and makes the master key, all once.
 * Signals go to the parent, which passes them on. SIGUSR2 replaces the processes one by one, by those of the version that is installed
 * now; the parent itself keeps its version until the whole service is restarted.
 */
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { builtDashboard } from '../built-dashboard.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { minute_ms } from '../core/duration.ts'
import { openKeyRing } from '../key-ring.ts'
import type { Log } from '../log.ts'
import { compareClocks } from '../node-clock.ts'
import { connectionsOfMachine, migrateStore, openClockPool, openPool } from '../open-store.ts'
import { originOf } from '../origin.ts'
import type { Greet, Say } from '../serve.ts'
import { openDatabaseUrl } from '../service/open-database-url.ts'
import { warnAtStart } from '../service/warn-at-start.ts'
import { shutdownOnSignals } from '../shutdown.ts'
import { watchNpm } from '../watch-npm.ts'
import { type Children, keepChildren } from './keep-children.ts'
import type { Duty } from './messages.ts'
import { rescueConnections } from './rescue-connections.ts'
import { onRollingRestart } from './rolling-signal.ts'

/** PostgreSQL's default, and room for commands beside the service. */
const leastConnections = 100
const otherConnections = 20

/** Each process limits itself to 25 s, and the delay that the operator set (shutdown.ts). Then this one closes what is left. */
const childrenWithin_ms = 27_000
const moreThanChildren_ms = 8_000

const dutiesOf = ({ role, processes }: Config): Duty[] => [
  ...Array.from({ length: processes }, (): Duty => 'serve'),
  ...(role === 'all' ? (['work'] as const) : []),
]

export const runMachine = async (config: Config, log: Log, say: Say, greet: Greet): Promise<void> => {
  let children: Children | undefined
  const shutdown = shutdownOnSignals(
    config,
    log,
    (signal) => {
      if (signal === 'SIGINT') children?.hurry()
    },
    moreThanChildren_ms,
  )
  if (config.underNpm) shutdown.opened('the watch on npm', watchNpm(() => void shutdown.end('npm ended', 0, true)).stop)
  const keepAlive = setInterval(() => {}, minute_ms)
  shutdown.opened('the process', async () => clearInterval(keepAlive))

  try {
    // One process more during a rolling restart, and this one at its start.
    const connections = connectionsOfMachine(config) + otherConnections
    const url = await openDatabaseUrl(config, log, shutdown, {
      max_connections: Math.max(leastConnections, connections),
    })
    if (shutdown.ending) return
    const { ran, all } = await migrateStore(url, (line) => log.info({}, line))
    log.info({ ran, all }, 'migrations checked')
    const opened: (() => Promise<unknown>)[] = []
    const closeStore = async (): Promise<void> => {
      for (const close of opened.splice(0).reverse()) await close()
    }
    shutdown.opened('database connections', closeStore)
    const db = openPool(url, { ...config, databaseConnections: 2 }, log)
    opened.push(() => db.close())
    const asked = openClockPool(url, log)
    opened.push(() => asked.close())
    const { state } = await compareClocks(asked)
    const now = (): number => systemClock.now() - Math.round(state.offset_ms)
    // Made here if there is none: the processes then find one.
    const masterKey = await openKeyRing(db, config, now())
    await builtDashboard(say)
    if (shutdown.ending) return

    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ args: ['start', '--child'] })
    children = keepChildren({
      fork: () => {
        const worker = cluster.fork()
        rescueConnections(worker)
        return worker
      },
      duties: dutiesOf(config),
      databaseUrl: url,
      machineId: randomUUID(),
      log,
      endWithin_ms: childrenWithin_ms + (config.drainDelay_ms ?? 0),
      onAsked: shutdown.markReadinessAsked,
      onLost: (fault) => {
        log.fatal({ err: fault }, 'no process serves, and none can start: stopping')
        void shutdown.end(fault.message, 1)
      },
    })
    shutdown.opened('processes', () => {
      const { why, patient, hurried } = shutdown.manner ?? { why: 'the start failed', patient: false, hurried: true }
      return children!.end({ why, patient, hurried, watched: shutdown.isWatched, replaced: false })
    })
    const { port, figuresPort } = await children.start()
    if (shutdown.ending) return
    onRollingRestart(() => {
      if (!shutdown.ending) void children!.replaceAll()
    })

    const origin = originOf(config, port ?? config.port)
    for (const line of await greet({ config, db, masterKey, origin, now: now() })) say(line)
    const { role, processes } = config
    log.info({ origin, role, processes, figures: figuresPort }, 'ready')
    await warnAtStart(config, db, now(), log)
    // From now on the processes alone use the database.
    await closeStore()
  } catch (fault) {
    if (shutdown.ending) return
    await shutdown.closeAll()
    throw fault
  }
}
