/**
 * The service as a process: holds its data directory, starts the database, migrates, listens, and on a signal drains:
 * requests under way finish, background work ends, PostgreSQL is stopped cleanly.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { shipTemplates } from './alerts/ship-templates.ts'
import { builtDashboard } from './built-dashboard.ts'
import { type Config, cautionsFor } from './config.ts'
import { systemClock } from './ground/clock.ts'
import type { MasterKey } from './ground/seal.ts'
import { dashboardPages } from './http/dashboard-pages.ts'
import type { Log } from './log.ts'
import { loadMasterKey } from './master-key.ts'
import { migrationsFolder, openPool, openSendingPool, openSharedPool } from './open-store.ts'
import { originOf } from './origin.ts'
import { holdDataDir } from './postgres/data-dir.ts'
import type { Db } from './postgres/database.ts'
import { startEmbedded } from './postgres/embedded.ts'
import { migrate, readMigrations } from './postgres/migrate.ts'
import { reference } from './reference.ts'
import { Refused } from './refused.ts'
import { openService } from './service.ts'
import { countTwins } from './wallets/find-twins.ts'

/** What a person is told on standard output; the log goes elsewhere. */
export type Say = (line: string) => void

/** What is said to a person once the service is ready. */
export type Greet = (ready: {
  readonly config: Config
  readonly db: Db
  readonly masterKey: MasterKey
  readonly origin: string
}) => Promise<readonly string[]>

const drainMost_ms = 25_000

type Step = { readonly name: string; readonly undo: () => Promise<unknown> }

export const serve = async (config: Config, log: Log, say: Say, greet: Greet): Promise<void> => {
  // What was opened, in order: closed from the end.
  const opened: Step[] = []
  const closeAll = async (): Promise<void> => {
    for (const step of opened.splice(0).reverse()) {
      await step.undo().catch((fault) => log.error({ err: fault }, `could not close: ${step.name}`))
    }
  }
  let ending = false
  const end = async (why: string, code: number): Promise<void> => {
    if (ending) return
    ending = true
    log.info({ why }, 'draining')
    const late = setTimeout(() => {
      log.error({}, 'draining took too long: ending at once')
      process.exit(1)
    }, drainMost_ms)
    await closeAll()
    clearTimeout(late)
    log.info({}, 'stopped')
    log.flush()
    process.exitCode = code
    // Nothing should be left to wait for; should a socket linger, it does not keep us.
    setTimeout(() => process.exit(code), 500).unref()
  }
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // npm and a terminal may both pass on one Ctrl-C: only a later one means impatience.
      if (++signals > 3) process.exit(130)
      void end(signal, 0)
    })
  }

  // While the database is away nothing else may be left to wait for; a node that only works would end in silence.
  const awake = setInterval(() => {}, 60_000)
  opened.push({ name: 'the process', undo: async () => clearInterval(awake) })

  try {
    for (const caution of cautionsFor(config)) log.warn({}, caution)
    const url = await openRows(config, log, opened, (why) => void end(why, 1))
    if (ending) return
    const { ran, all } = await migrate(url, migrationsFolder, (line) => log.info({}, line))
    log.info({ ran, all }, 'migrations checked')
    const masterKey = await loadMasterKey(config)
    const db = openPool(url, config, log)
    opened.push({ name: 'database connections', undo: () => db.close() })
    const shared = openSharedPool(url, log)
    opened.push({ name: 'shared database connections', undo: () => shared.close() })
    const sending = openSendingPool(url, log)
    opened.push({ name: 'connections of the sender', undo: () => sending.close() })

    const pages = config.role === 'work' ? undefined : await builtDashboard(say)
    const shipped = await shipTemplates(db, systemClock.now())
    if (shipped > 0) log.info({ shipped }, 'templates added')

    const service = await openService({
      config,
      log,
      clock: systemClock,
      masterKey,
      db,
      shared,
      sending,
      databaseUrl: url,
      notReady: readiness(db),
      more: async (app) => {
        await reference(config)(app)
        if (pages !== undefined) await app.register(dashboardPages(pages))
      },
    })
    opened.push({ name: 'service', undo: () => service.close() })
    const { host, metricsPort } = config
    if (config.role !== 'work') await listen(service.app, host, config.port, 'PORT')
    const figures =
      metricsPort === undefined
        ? undefined
        : await listen(service.operatorsApp, host, metricsPort, 'SANAD_METRICS_PORT')
    if (config.role !== 'serve') service.work()
    if (ending) return

    const address = service.app.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : config.port
    const origin = originOf(config, port)
    for (const line of await greet({ config, db, masterKey, origin })) say(line)
    log.info({ origin, role: config.role, figures }, 'ready')
    if (config.role !== 'serve') void warnOfTwins(db, log)
  } catch (fault) {
    await closeAll()
    throw fault
  }
}

/** One payment into such a wallet can verify two intents: the operator merges its entries. */
const warnOfTwins = async (db: Db, log: Log): Promise<void> => {
  try {
    const twins = await countTwins(db)
    if (twins > 0) log.warn({ twins }, 'real wallets have several identities: `sanad wallet twins` lists them')
  } catch (fault) {
    log.warn({ err: fault }, 'could not look for twin wallets')
  }
}

/** The port it listens at. A taken one is said in a sentence that names the variable. */
const listen = async (app: FastifyInstance, host: string, port: number, variable: string): Promise<number> => {
  await app.listen({ host, port }).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EADDRINUSE') throw fault
    const other = port < 65_535 ? port + 1 : port - 1
    throw new Refused(
      `Port ${port} of ${host} is taken by another program: set ${variable} to a free one. Example: ${variable}=${other}`,
    )
  })
  return (app.server.address() as AddressInfo).port
}

const openRows = async (config: Config, log: Log, opened: Step[], onLoss: (why: string) => void): Promise<string> => {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const hold = await holdDataDir(config.dataDir, { role: 'service', url: originOf(config) })
  if (hold.kind === 'busy') {
    const where = hold.url === undefined ? '' : ` at ${hold.url}`
    throw new Refused(
      `Sanad already runs on ${config.dataDir} (${hold.role}, process ${hold.pid}${where}): stop it, or set SANAD_DATA_DIR.`,
    )
  }
  opened.push({ name: 'data directory', undo: () => hold.release() })
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: (line) => log.info({ postgres: line }, 'postgres'),
    onExit: (code, signal) => {
      log.fatal({ code, signal }, 'PostgreSQL ended by itself: stopping; the next start recovers')
      onLoss('PostgreSQL ended')
    },
  })
  opened.push({ name: 'embedded PostgreSQL', undo: () => embedded.stop() })
  return embedded.url
}

const readiness = (db: ReturnType<typeof openPool>) => async (): Promise<string | undefined> => {
  try {
    const [row] = await db.run({ text: 'select count(*) from migrations', values: [] })
    const known = (await readMigrations(migrationsFolder)).length
    if (Number(row?.[0]) === known) return undefined
    return `The database has ${row?.[0]} migrations, this version has ${known}.`
  } catch {
    return 'The database does not answer.'
  }
}
