/**
 * A PostgreSQL of Debian's for a test, with its own programs (pg_dump, pg_restore, psql): a private directory, a unix
 * socket, no port, gone at the end. The embedded one has no such programs.
 *
 * It takes the newest version from 15 on that the machine has, and otherwise installs one with apt-get where it may; else
 * it throws a sentence that says how to get it. A test that needs it is never skipped.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql']

/** The oldest version that is supported is the one to try, where there are several. */
const installed = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter(
      (folder) => Number(basename(dirname(folder))) >= 15 && programs.every((name) => existsSync(join(folder, name))),
    )
    .sort()[0]

const aptGet = (...words: string[]): boolean =>
  // RUNLEVEL: the package's own cluster is not started.
  spawnSync(
    'env',
    ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...words],
    {
      stdio: 'ignore',
    },
  ).status === 0

const install = (): string | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const words = ['install', '-y', '--no-install-recommends', 'postgresql']
  if (!aptGet(...words) && !(aptGet('update') && aptGet(...words))) return undefined
  return installed()
}

const findFolder = (): string => {
  const folder = installed() ?? install()
  if (folder !== undefined) return folder
  throw new Error(
    'These tests need PostgreSQL 15 or later with its programs: install it (Debian: apt-get install postgresql) so that it is in /usr/lib/postgresql.',
  )
}

/** PostgreSQL refuses to run as root. */
const runner = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export type RealPostgres = {
  /** Of the database `postgres`. */
  readonly url: string
  urlOf(database: string): string
  create(database: string): Promise<string>
  /** Runs one of its own programs as its superuser; what it wrote to standard output. */
  run(program: string, ...args: string[]): Promise<string>
  stop(): Promise<void>
}

export const startRealPostgres = async (more: Readonly<Record<string, string>> = {}): Promise<RealPostgres> => {
  const folder = findFolder()
  const as = runner()
  const directory = await mkdtemp(join(tmpdir(), 'sanad-real-'))
  if (as !== undefined) chownSync(directory, as.uid, as.gid)
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...as }
  const data = join(directory, 'data')
  await promisify(execFile)(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'sanad', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    options,
  )
  const places = { listen_addresses: '', unix_socket_directories: directory }
  const settings = { max_connections: 200, fsync: 'off', ...more, ...places }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server: ChildProcess = spawn(join(folder, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' })
  const killAtExit = (): void => void server.kill('SIGKILL')
  process.once('exit', killAtExit)

  const urlOf = (database: string): string =>
    `postgresql://sanad@/${database}?host=${encodeURIComponent(directory)}&port=5432&sslmode=disable`
  const ask = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  for (let tries = 0; ; tries++) {
    try {
      await ask('select 1')
      break
    } catch (fault) {
      if (tries > 200 || server.exitCode !== null) throw new Error('PostgreSQL did not start.', { cause: fault })
      await delay(50)
    }
  }
  return {
    url: urlOf('postgres'),
    urlOf,
    async create(database) {
      await ask(`create database ${database}`)
      return urlOf(database)
    },
    async run(program, ...words) {
      const most_bytes = 64 * 1024 * 1024
      const done = await promisify(execFile)(join(folder, program), words, { ...options, maxBuffer: most_bytes })
      return done.stdout
    },
    async stop() {
      process.off('exit', killAtExit)
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit')
        server.kill('SIGINT')
        await ended
      }
      await rm(directory, { recursive: true, force: true })
    },
  }
}
