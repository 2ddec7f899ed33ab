/**
 * A private, real PostgreSQL in the data directory, reached by a Unix socket that only its user may open.
 *
 * Promises: it answers when `startEmbedded` returns, also after a `kill -9` of Sanad or of PostgreSQL. Commits are on disk. It
 * ends with this process: at once if the kernel can signal it (embedded-user.ts), otherwise at the next start. data-dir.ts
 * ensures that only one process uses the directory (open-embedded.ts combines both), and migrations create the tables. Call it on
 * the main thread: the kernel takes the end of a thread for the end of the parent.
 */
import { mkdir, realpath } from 'node:fs/promises'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { clusterDirOf, prepareCluster, readPostmaster, removeSocketDir, socketDirOf } from './embedded-cluster.ts'
import { refuseOtherMajor } from './embedded-major.ts'
import { endOrphans } from './embedded-orphans.ts'
import { adminRole, prepareRoles, serviceRole } from './embedded-roles.ts'
import { chooseRunner, type Program, type Runner, spawnAs } from './embedded-user.ts'

export type Settings = Readonly<Record<string, string | number>>

export type Embedded = {
  /** The URL for `pg` and for libpq, with the role that owns the database and has no other rights. */
  readonly url: string
  /** The URL with the role of the superuser, for creating further databases. */
  readonly adminUrl: string
  readonly socketDir: string
  /** The process id of the postmaster. */
  readonly pid: number
  /** Ends PostgreSQL in an orderly way. May be called again. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Absolute; PostgreSQL's files are in `postgres` below it. */
  dataDir: string
  /** The programs of another version than the one that comes with Sanad. */
  binaries?: Binaries
  /** PostgreSQL's own settings, which replace those of `defaults`. */
  settings?: Settings
  /** Each line of PostgreSQL's log. */
  log?: (line: string) => void
  /** Called when PostgreSQL ended without a call of `stop`. */
  onExit?: (code: number | null, signal: NodeJS.Signals | null) => void
}

const defaults: Settings = {
  max_connections: 100,
  shared_buffers: '256MB',
  max_wal_size: '2GB', // fewer checkpoints; after each of them whole pages are logged
  random_page_cost: 1.1, // today's disks have no seek time
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // The lines go to Sanad's log, which adds the time. They must not contain merchants' data.
  log_line_prefix: '',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  max_logical_replication_workers: 0, // nothing subscribes here: one process less
}

const port = 5432
const database = 'sanad'

/** Without TLS, whatever PGSSLMODE is: nothing leaves the machine. */
export const urlOf = (socketDir: string, user: string = serviceRole): string =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(socketDir)}&port=${port}&sslmode=disable`

/** The caller holds `dataDir`: a PostgreSQL that still works on it is stopped. */
export const startEmbedded = async ({ log = () => {}, ...options }: EmbeddedOptions): Promise<Embedded> => {
  const binaries = options.binaries ?? (await findBinaries())
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 })
  const dataDir = await realpath(options.dataDir)
  const [clusterDir, socketDir] = [clusterDirOf(dataDir), socketDirOf(dataDir)]
  const settings = { ...defaults, ...options.settings }
  await refuseOtherMajor(dataDir, binaries)
  const runner = await chooseRunner(dataDir, clusterDir, binaries.postgres)
  let orphans = await endOrphans(clusterDir)
  await prepareCluster(dataDir, runner, binaries, settings.fsync !== 'off')

  // If the children of a killed postmaster cannot be found and ended, they use its shared memory for a while.
  const deadline = AbortSignal.timeout(15_000)
  for (;;) {
    const server = launch(runner, binaries, dataDir, settings, orphans.stalePid, log)
    try {
      await waitUntilReady(server, clusterDir, socketDir)
      return runningServer(server, socketDir, options.onExit)
    } catch (cause) {
      await end(server)
      if (!server.hasLogged(/shared memory block|lock file/) || deadline.aborted) {
        throw new Error(`The embedded PostgreSQL in ${clusterDir} did not start: ${server.lastLines()}`, { cause })
      }
    }
    await delay(200)
    orphans = await endOrphans(clusterDir)
  }
}

type Server = {
  program: Program
  /** Resolves when it has ended. */
  ended: Promise<void>
  hasEnded(): boolean
  hasLogged(pattern: RegExp): boolean
  lastLines(): string
}

const launch = (
  runner: Runner,
  binaries: Binaries,
  dataDir: string,
  settings: Settings,
  stalePid: number | undefined,
  log: (line: string) => void,
): Server => {
  const connectionSettings: Settings = {
    listen_addresses: '',
    port,
    unix_socket_directories: socketDirOf(dataDir),
    unix_socket_permissions: '0700',
  }
  const args = Object.entries({ ...settings, ...connectionSettings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // PostgreSQL does not start while the process of an old postmaster.pid lives, unless that process is its parent or grandparent.
  // So a pid that belongs to another program now is passed as the grandparent. The check of shared memory still applies.
  const grandparent = stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }
  const program = spawnAs(runner, binaries.postgres, ['-D', clusterDirOf(dataDir), ...args], grandparent)

  const lines: string[] = []
  const addLine = (line: string) => {
    lines.push(line)
    if (lines.length > 20) lines.shift()
    log(line)
  }
  createInterface({ input: program.stderr }).on('line', addLine)
  program.stdout.resume()
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const markEnded = () => {
      hasEnded = true
      resolve()
    }
    program.once('exit', markEnded)
    program.once('error', (error) => {
      addLine(error.message)
      markEnded()
    })
  })
  return {
    program,
    ended,
    hasEnded: () => hasEnded,
    hasLogged: (pattern) => lines.some((line) => pattern.test(line)),
    lastLines: () => lines.slice(-5).join(' | '),
  }
}

/** Waits until PostgreSQL answers and has the database. Recovery after a crash may take long: only the end of the process is
 *  final. */
const waitUntilReady = async (server: Server, clusterDir: string, socketDir: string): Promise<void> => {
  for (;;) {
    if (server.hasEnded()) throw new Error('PostgreSQL ended while it started.')
    // Read from the file instead of connecting: each refused connection would be a line in the log.
    const postmaster = await readPostmaster(clusterDir)
    if (postmaster?.ready && postmaster.pid === server.program.pid) break
    await Promise.race([delay(10), server.ended])
  }
  await prepareRoles((name) => connection(socketDir, name, adminRole), database)
}

export const connection = (socketDir: string, name: string = database, user: string = serviceRole): pg.Client => {
  const client = new pg.Client({ host: socketDir, port, user, database: name, ssl: false })
  // A connection that breaks between two queries must not end the process: the next query fails.
  client.on('error', () => {})
  return client
}

const runningServer = (server: Server, socketDir: string, onExit: EmbeddedOptions['onExit']): Embedded => {
  const { program } = server
  let stopping: Promise<void> | undefined
  const atExit = () => program.kill('SIGINT')
  process.once('exit', atExit)
  program.once('exit', (code, signal) => {
    process.off('exit', atExit)
    if (!stopping) onExit?.(code, signal)
  })
  keepAlive(program, false)
  return {
    url: urlOf(socketDir),
    adminUrl: urlOf(socketDir, adminRole),
    socketDir,
    pid: program.pid!,
    stop: () => {
      // If it ended by itself, another PostgreSQL may run by now, with its socket in the same directory.
      stopping ??= server.hasEnded() ? Promise.resolve() : end(server).then(() => removeSocketDir(socketDir))
      return stopping
    },
  }
}

/** A running PostgreSQL does not keep this process alive; waiting for its end does. */
const keepAlive = (program: Program, keeps: boolean) => {
  const method = keeps ? 'ref' : 'unref'
  program[method]()
  for (const stream of [program.stdout, program.stderr]) if (stream instanceof Socket) stream[method]()
}

/** A fast shutdown: clients are disconnected, commits are flushed. If it takes too long, an immediate shutdown follows, and
 *  the next start recovers. */
const end = async (server: Server): Promise<void> => {
  if (server.hasEnded()) return
  keepAlive(server.program, true)
  server.program.kill('SIGINT')
  const forced = setTimeout(() => server.program.kill('SIGQUIT'), 20_000)
  await server.ended
  clearTimeout(forced)
}
