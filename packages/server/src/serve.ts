/**
 * The service as a process: starts the embedded PostgreSQL, if no other database is set, migrates and listens. On a signal it
 * drains: requests under way finish, background work ends, and the embedded PostgreSQL is stopped cleanly.
 */
import type { AddressInfo } from 'node:net'
import { sealPins } from './accounts/counters/seal-pins.ts'
import { pinSealer } from './accounts/counters/sealed-pin.ts'
import { secondFactor } from './accounts/sessions/second-factor.ts'
import { upgradeRecoveryCodes } from './accounts/sessions/upgrade-recovery-codes.ts'
import { shipTemplates } from './alerts/shipped/ship-templates.ts'
import { apiReference } from './api-reference.ts'
import { builtDashboard } from './built-dashboard.ts'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Instant } from './core/clock.ts'
import { minute_ms } from './core/duration.ts'
import type { Keys } from './core/seal.ts'
import { agentFiles } from './http/agent-files.ts'
import { dashboardPages } from './http/app/dashboard-pages.ts'
import { type LiveKeyRing, openKeyRing } from './key-ring.ts'
import type { Log } from './log.ts'
import { openNodeClock } from './node-clock.ts'
import {
  migrateStore,
  migrationsFolder,
  openClockPool,
  openPool,
  openSendingPool,
  openSharedPool,
} from './open-store.ts'
import { originOf } from './origin.ts'
import { nodeIdIn } from './postgres/clock/node-id.ts'
import { openPulse, type Pulse } from './postgres/clock/pulse.ts'
import type { Db } from './postgres/connection/database.ts'
import { readMigrations } from './postgres/maintenance/migrate.ts'
import { endWithParent, type ParentLink } from './processes/parent-link.ts'
import { onlyOneProcess, onRollingRestart } from './processes/rolling-signal.ts'
import { openDatabaseUrl } from './service/open-database-url.ts'
import { openReplica } from './service/open-replica.ts'
import { warnAtStart } from './service/warn-at-start.ts'
import { openService } from './service.ts'
import { shutdownOnSignals } from './shutdown.ts'
import { watchNpm } from './watch-npm.ts'
import { endpointSecrets } from './webhooks/endpoints/endpoint-secrets.ts'
import { sealQueries } from './webhooks/endpoints/seal-queries.ts'

/** Writes a line for the operator to standard output; the log goes elsewhere. */
export type Say = (line: string) => void

/** Returns the lines that are printed once the service is ready. */
export type Greet = (ready: {
  readonly config: Config
  readonly db: Db
  readonly masterKey: Keys
  readonly origin: string
  readonly now: Instant
}) => Promise<readonly string[]>

/** `link`: this is one of several processes of a machine, started by its parent (processes/run-machine.ts). */
export const serve = async (config: Config, log: Log, say: Say, greet: Greet, link?: ParentLink): Promise<void> => {
  const shutdown = link === undefined ? shutdownOnSignals(config, log) : endWithParent(config, log, link)
  if (link === undefined) onRollingRestart(() => log.warn({}, onlyOneProcess))
  if (config.underNpm) shutdown.opened('the watch on npm', watchNpm(() => void shutdown.end('npm ended', 0, true)).stop)

  // Without this timer a node without a port would end while the database is away: nothing else keeps the process alive.
  const keepAlive = setInterval(() => {}, minute_ms)
  shutdown.opened('the process', async () => clearInterval(keepAlive))

  try {
    const url = link?.databaseUrl ?? (await openDatabaseUrl(config, log, shutdown))
    if (shutdown.ending) return
    const { ran, all } = await migrateStore(url, (line) => log.info({}, line))
    log.info({ ran, all }, 'migrations checked')
    const db = openPool(url, config, log)
    shutdown.opened('database connections', () => db.close())
    const asked = openClockPool(url, log)
    shutdown.opened('connection of the clock', () => asked.close())
    const nodeId = nodeIdIn(link?.machineId)
    const pulse = openPulse(asked)
    const clock = await openNodeClock(asked, pulse, log, nodeId)
    shutdown.opened('the watch on the clock', clock.stop)
    const masterKey = await openKeyRing(db, config, clock.now(), { watched: true })
    const watch = watchKeys(masterKey, pulse, (why) => {
      log.fatal({}, why)
      // At once: soon this node cannot unseal what other nodes seal.
      void shutdown.end(why, 1)
    })
    shutdown.opened('the watch on the master key', watch.stop)
    const shared = openSharedPool(url, log)
    shutdown.opened('shared database connections', () => shared.close())
    const sending = openSendingPool(url, log)
    shutdown.opened('connections of the sender', () => sending.close())
    const replica = config.role === 'work' ? undefined : openReplica(config, asked, nodeId, log)
    if (replica !== undefined) shutdown.opened('the replica', replica.close)

    const pages = config.role === 'work' ? undefined : await builtDashboard(say)
    const shipped = await shipTemplates(db, clock.now())
    if (shipped > 0) log.info({ shipped }, 'templates added')

    const rehashed = await upgradeRecoveryCodes(db, secondFactor(masterKey))
    if (rehashed > 0) log.info({ users: rehashed }, 'recovery codes are stored with a key now')

    const sealedPins = await sealPins(db, pinSealer(masterKey))
    if (sealedPins > 0) log.info({ pins: sealedPins }, 'the hashes of PINs are stored sealed now')

    const sealed = await sealQueries(db, endpointSecrets(masterKey))
    if (sealed > 0) log.info({ endpoints: sealed }, 'the queries of webhook addresses are stored sealed now')

    const ready = readiness(db)
    const service = await openService({
      config,
      log,
      clock,
      clockGuard: clock,
      pulse,
      masterKey,
      db,
      shared,
      sending,
      databaseUrl: url,
      ...(replica === undefined ? {} : { replica }),
      ...(link === undefined ? {} : { machine: link }),
      notReady: async () => {
        shutdown.markReadinessAsked()
        link?.askedWhetherReady()
        return shutdown.ending && !shutdown.isReplaced ? 'This node is stopping.' : ready()
      },
      more: async (app) => {
        await apiReference(config)(app)
        await app.register(agentFiles(config.publicUrl))
        if (pages !== undefined) await app.register(dashboardPages(pages))
      },
    })
    shutdown.opened('service', () => service.close(shutdown.idle_ms))
    const { host, metricsHost, metricsPort } = config
    if (config.role !== 'work') {
      await waitForPort(service.listen(host, config.port), host, config.port, 'PORT')
      shutdown.markListening()
    }
    const figures =
      metricsPort === undefined
        ? undefined
        : await waitForPort(
            service.operatorsApp.listen({ host: metricsHost, port: metricsPort }),
            metricsHost,
            metricsPort,
            'SANAD_METRICS_PORT',
          ).then(() => (service.operatorsApp.server.address() as AddressInfo).port)
    if (config.role !== 'serve') service.work()
    if (shutdown.ending) return

    const address = service.app.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : config.port
    const origin = originOf(config, port)
    if (link !== undefined) {
      const listens = config.role !== 'work'
      await link.ready({ port: listens ? port : undefined, figuresPort: figures })
      return
    }
    for (const line of await greet({ config, db, masterKey, origin, now: clock.now() })) say(line)
    log.info({ origin, role: config.role, figures }, 'ready')
    void warnAtStart(config, db, clock.now(), log)
  } catch (fault) {
    await shutdown.closeAll()
    throw fault
  }
}

/** Waits until the port is open. If it is taken, the error names the variable to change. */
const waitForPort = async (
  listening: Promise<unknown>,
  host: string,
  port: number,
  variable: string,
): Promise<void> => {
  await listening.catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EADDRINUSE') throw fault
    const other = port < 65_535 ? port + 1 : port - 1
    throw new CommandError(
      `Port ${port} of ${host} is taken by another program: set ${variable} to a free one. Example: ${variable}=${other}`,
    )
  })
}

/** Follows a rotation of the master key. `onRefused`: the key of this node was replaced, so the node must stop. */
const watchKeys = (ring: LiveKeyRing, pulse: Pulse, onRefused: (why: string) => void): { stop(): Promise<void> } => {
  let refreshing: Promise<void> | undefined
  /** What the database said about its keys when they were last read. */
  let known = ''
  let stopped = false
  pulse.follow(({ keys, sentAt }) => {
    if (stopped) return
    if (keys !== '' && keys === known) return ring.confirm(sentAt)
    refreshing ??= ring
      .refresh()
      .then(
        (why) => {
          if (why === undefined) known = keys
          else onRefused(why)
        },
        // While the database does not answer, nothing is sealed (key-ring.ts).
        () => {},
      )
      .finally(() => {
        refreshing = undefined
      })
  })
  return {
    async stop() {
      stopped = true
      await refreshing
    },
  }
}

/** A function that returns why this node is not ready; undefined: it is. */
const readiness = (db: Db) => async (): Promise<string | undefined> => {
  try {
    const known = (await readMigrations(migrationsFolder)).map(({ name }) => name)
    // Unknown migrations are allowed: a newer node may have run them. Every migration keeps the previous version working,
    // so that nodes can be replaced one by one.
    const text = 'select count(*) from migrations where name = any($1::text[])'
    const [row] = await db.run({ text, values: [known] })
    if (Number(row?.[0]) === known.length) return undefined
    return `The database has ${row?.[0]} migrations, this version has ${known.length}.`
  } catch {
    return 'The database does not answer.'
  }
}
