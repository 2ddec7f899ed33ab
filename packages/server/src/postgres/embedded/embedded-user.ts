/**
 * Chooses the user that PostgreSQL runs as. PostgreSQL refuses to run as root, and initdb needs a user with a passwd entry. Each
 * candidate is tried: its programs must run and reach the data directory. embedded-cluster.ts sets the owner of the files.
 *
 * If the program setpriv exists, the kernel also sends PostgreSQL SIGINT, a fast shutdown, when this process dies.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export type Runner = {
  /** The owner of PostgreSQL's files. */
  uid: number
  gid: number
  /** The words before the program on the command line. */
  before: readonly string[]
}

/** Replaces our own environment: PGDATA, PGOPTIONS, a locale or a preloaded library would change what PostgreSQL does. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export type Program = ChildProcessByStdio<null, Readable, Readable>

export const spawnAs = (
  runner: Runner,
  program: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): Program => {
  const [command, ...rest] = [...runner.before, program, ...args]
  return spawn(command!, rest, {
    // The user may have no access to this process's directory.
    cwd: '/',
    env: { ...environment, ...variables },
    // A separate session: Ctrl-C in a terminal reaches only this process, which stops PostgreSQL after the last request.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(runner.uid !== process.getuid!() && { uid: runner.uid, gid: runner.gid }),
  })
}

/** `clusterDir` need not exist yet, `dataDir` must. */
export const chooseRunner = async (dataDir: string, clusterDir: string, postgres: string): Promise<Runner> => {
  const refusals: string[] = []
  for (const runner of await candidates(dataDir, clusterDir)) {
    const check = 'test -x "$1" && exec "$2" --version'
    const { code, output } = await run(runner, '/bin/sh', ['-c', check, 'sh', dataDir, postgres])
    if (code === 0) return runner
    refusals.push(`${[...runner.before, `(uid ${runner.uid})`].join(' ')}: ${output.trim() || `ended with ${code}`}`)
  }
  throw new Error(
    `The embedded PostgreSQL cannot be run here by this user: run Sanad as an ordinary user, set SANAD_DATA_DIR to a directory that other users may enter, or set DATABASE_URL to a PostgreSQL of your own.`,
    { cause: refusals.join('\n') },
  )
}

const candidates = async (dataDir: string, clusterDir: string): Promise<Runner[]> => {
  const [uid, gid] = [process.getuid!(), process.getgid!()]
  const here = { uid, gid, before: [] }
  // The kernel forgets the signal when the user changes, so these words come last, right before the program.
  const setpriv = ['setpriv', '--pdeathsig', 'INT', '--']
  const before = (await run(here, setpriv[0]!, [...setpriv.slice(1), 'true'])).code === 0 ? setpriv : []

  const nobody = await passwdEntry('nobody')
  // Inside the namespace the user is nobody; outside it is still our user, which can read our files.
  const namespace: Runner[] = nobody ? [{ uid, gid, before: [...unshare(nobody.uid, nobody.gid), ...before] }] : []
  if (uid !== 0) return hasPasswdEntry() ? [{ uid, gid, before }] : namespace

  // The owner of the files stays: after a command that root ran once, an ordinary user must still have access.
  const owner = await stat(clusterDir).catch(() => stat(dataDir))
  const ownerEntry = owner.uid !== 0 ? await passwdEntry(String(owner.uid)) : undefined
  const others = [ownerEntry, nobody].filter((user) => user !== undefined)
  return [...others.map((user) => ({ ...user, before })), ...namespace]
}

const unshare = (uid: number, gid: number) => ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']

const passwdEntry = async (key: string): Promise<{ uid: number; gid: number } | undefined> => {
  const here = { uid: process.getuid!(), gid: process.getgid!(), before: [] }
  const { code, output } = await run(here, 'getent', ['passwd', key])
  const [, , uid, gid] = output.split(':')
  return code === 0 ? { uid: Number(uid), gid: Number(gid) } : undefined
}

const hasPasswdEntry = (): boolean => {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Runs a short program to its end. A missing program gives an exit code like any other. */
export const run = async (
  runner: Runner,
  program: string,
  args: string[],
): Promise<{ code: number; output: string }> => {
  const child = spawnAs(runner, program, args)
  const code = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (status) => resolve(status ?? 128))
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, output: out + err }
}
