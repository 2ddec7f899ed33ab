/**
 * Two PostgreSQL servers for a test: a primary and a replica, synchronous unless the test says otherwise. They use the programs of the embedded
 * PostgreSQL, or those in the folder `bin` (Debian's). Each server can be killed, frozen and promoted.
 */
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../../../src/postgres/embedded/embedded-binaries.ts'
import { chooseRunner, type Program, type Runner, run, spawnAs } from '../../../src/postgres/embedded/embedded-user.ts'
import { freePort } from './free-port.ts'

export type PostgresServer = {
  readonly port: number
  /** The URL of this server's database `postgres`. */
  readonly url: string
  /** Kills all of its processes at once, as when the machine loses power. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  promote(): Promise<void>
  query(text: string): Promise<Record<string, string>[]>
}

export type Replicated = {
  readonly primary: PostgresServer
  readonly replica: PostgresServer
  /** Starts the replica again after a kill, at the same port. */
  restartReplica(): Promise<void>
  /** The URL of the database `sanad` with both hosts, as an operator writes it. */
  readonly url: string
  stop(): Promise<void>
}

/** The process ids of the postmaster and its children, read from /proc: each process leads its own group. */
const processTree = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })
    .map(Number),
]

const signalAll = (pid: number, signal: NodeJS.Signals): void => {
  for (const member of processTree(pid))
    try {
      process.kill(member, signal)
    } catch {
      // The process has ended in the meantime.
    }
}

const startServer = async (
  runner: Runner,
  postgres: string,
  directory: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer & { stop(): Promise<void> }> => {
  const places = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }
  const args = Object.entries({ ...places, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program: Program = spawnAs(runner, postgres, ['-D', directory, ...args])
  const output: string[] = []
  program.stderr.on('data', (chunk) => output.push(String(chunk)))
  program.stdout.resume()
  let hasEnded = false
  const ended = once(program, 'exit').then(() => {
    hasEnded = true
  })
  const atExit = (): void => signalAll(program.pid!, 'SIGKILL')
  process.once('exit', atExit)
  const url = `postgresql://sanad@127.0.0.1:${port}/postgres`
  const query = async (text: string): Promise<Record<string, string>[]> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  for (;;) {
    if (hasEnded) throw new Error(`PostgreSQL at port ${port} ended while it started: ${output.join('').slice(-2000)}`)
    if (await query('select 1').then(Boolean, () => false)) break
    await delay(50)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.off('exit', atExit)
    if (hasEnded) return
    signalAll(program.pid!, 'SIGCONT')
    if (signal === 'SIGKILL') signalAll(program.pid!, signal)
    else program.kill(signal)
    await ended
  }
  return {
    port,
    url,
    query,
    kill: () => end('SIGKILL'),
    freeze: () => signalAll(program.pid!, 'SIGSTOP'),
    thaw: () => signalAll(program.pid!, 'SIGCONT'),
    async promote() {
      const [row] = await query('select pg_promote(true, 30) as promoted')
      if (String(row?.promoted) !== 'true') throw new Error('the replica was not promoted')
    },
    stop: () => end('SIGQUIT'),
  }
}

export const startReplicated = async (bin?: string, { synchronous = true } = {}): Promise<Replicated> => {
  const folder = mkdtempSync(join(tmpdir(), 'sanad-replicated-'))
  await chmod(folder, 0o711)
  const embedded = await findBinaries()
  const { initdb, postgres } =
    bin === undefined ? embedded : { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  const own = join(folder, 'own')
  const runner = await chooseRunner(folder, own, postgres)
  await mkdir(own, { mode: 0o700 })
  if (process.getuid?.() === 0) await chown(own, runner.uid, runner.gid)
  const [a, b] = [join(own, 'a'), join(own, 'b')]
  const initialized = await run(runner, initdb, [
    `--pgdata=${a}`,
    '--username=sanad',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ])
  if (initialized.code !== 0) throw new Error(`initdb: ${initialized.output}`)
  // A copy of the files of a cluster that never ran is as good as a base backup.
  cpSync(a, b, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(b, 'standby.signal'), '')
  if (process.getuid?.() === 0)
    for (const entry of ['', ...readdirSync(b, { recursive: true, encoding: 'utf8' })])
      await chown(join(b, entry), runner.uid, runner.gid)
  await chmod(b, 0o700)
  const [portA, portB] = [await freePort(), await freePort()]
  const both = {
    wal_level: 'replica',
    hot_standby: 'on',
    wal_keep_size: '1GB',
    max_connections: '100',
  }
  const replica = {
    ...both,
    primary_conninfo: `host=127.0.0.1 port=${portA} user=sanad application_name=replica`,
    wal_retrieve_retry_interval: '200ms',
  }
  const startReplica = () => startServer(runner, postgres, b, portB, replica)
  const started = await Promise.all([
    startServer(runner, postgres, a, portA, { ...both, ...(synchronous && { synchronous_standby_names: 'replica' }) }),
    startReplica(),
  ])
  const first = started[0]
  let second = started[1]
  const wanted = synchronous ? `sync_state = 'sync'` : `state = 'streaming'`
  for (;;) {
    const [row] = await first.query(`select count(*) as n from pg_stat_replication where ${wanted}`)
    if (row?.n === '1') break
    await delay(50)
  }
  await first.query('create database sanad')
  return {
    primary: first,
    get replica() {
      return second
    },
    async restartReplica() {
      second = await startReplica()
    },
    url: `postgresql://sanad@127.0.0.1:${portA},127.0.0.1:${portB}/sanad?target_session_attrs=read-write`,
    async stop() {
      await Promise.all([first.stop(), second.stop()])
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
