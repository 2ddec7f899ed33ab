/**
 * Debian's PostgreSQL for a test, with its programs (pg_dump, pg_restore, psql), which the embedded PostgreSQL does not have.
 * It has a private directory and a unix socket, no port, and is removed at the end.
 *
 * It takes the oldest installed version from 15 on. If there is none, it installs one with apt-get, if it runs as root;
 * otherwise it throws an error that says how to install it. A test that needs it is never skipped.
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

/** If several versions are installed: the oldest supported one. */
const installed = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter(
      (folder) => Number(basename(dirname(folder))) >= 15 && programs.every((name) => existsSync(join(folder, name))),
    )
    .sort()[0]

const aptGet = (...args: string[]): boolean =>
  // RUNLEVEL keeps the package from starting its own cluster.
  spawnSync(
    'env',
    ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args],
    {
      stdio: 'ignore',
    },
  ).status === 0

const install = (): string | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const args = ['install', '-y', '--no-install-recommends', 'postgresql']
  if (!aptGet(...args) && !(aptGet('update') && aptGet(...args))) return undefined
  return installed()
}

/** The folder of Debian's programs. */
export const findFolder = (): string => {
  const folder = installed() ?? install()
  if (folder !== undefined) return folder
  throw new Error(
    'These tests need PostgreSQL 15 or later with its programs: install it (Debian: apt-get install postgresql) so that it is in /usr/lib/postgresql.',
  )
}

/** The user that runs PostgreSQL, which refuses to run as root. */
const postgresUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export type RealPostgres = {
  /** The URL of the database `postgres`. */
  readonly url: string
  urlOf(database: string): string
  create(database: string): Promise<string>
  /** Runs one of PostgreSQL's programs as its superuser; returns its standard output. */
  run(program: string, ...args: string[]): Promise<string>
  stop(): Promise<void>
}

export const startRealPostgres = async (more: Readonly<Record<string, string>> = {}): Promise<RealPostgres> => {
  const folder = findFolder()
  const user = postgresUser()
  const directory = await mkdtemp(join(tmpdir(), 'sanad-real-'))
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...user }
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
    async run(program, ...args) {
      const most_bytes = 64 * 1024 * 1024
      const done = await promisify(execFile)(join(folder, program), args, { ...options, maxBuffer: most_bytes })
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
