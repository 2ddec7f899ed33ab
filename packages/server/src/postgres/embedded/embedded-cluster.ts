/**
 * The files of the embedded PostgreSQL: its cluster, its socket's directory, and what its postmaster.pid says.
 * Promises a complete cluster that belongs to the runner; leaves starting and stopping to embedded.ts.
 */
import { createHash } from 'node:crypto'
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import { adminRole } from './embedded-roles.ts'
import { type Runner, run } from './embedded-user.ts'

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')

/** A socket's path has at most 107 bytes (103 on macOS), and libpq reads a comma in it as two hosts: where the data
 *  directory is deep or has an unusual name, the socket is under /tmp instead, by a name that everybody computes. */
export const socketDirOf = (dataDir: string): string => {
  const beside = join(dataDir, 'socket')
  const fits = Buffer.byteLength(`${beside}/.s.PGSQL.5432`) <= 103 && /^[\w./-]+$/.test(beside)
  // Not os.tmpdir(): a process with another TMPDIR would look elsewhere.
  return fits ? beside : `/tmp/sanad-${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
}

/** Makes the cluster where there is none yet, and hands what there is to the runner. */
export const prepareCluster = async (dataDir: string, runner: Runner, binaries: Binaries, sync: boolean) => {
  const clusterDir = clusterDirOf(dataDir)
  if (await lstat(clusterDir).catch(() => undefined)) await hand(clusterDir, runner)
  else await createCluster(dataDir, runner, binaries, sync)
  await prepareSocketDir(socketDirOf(dataDir), runner)
}

/** Made beside its place and moved there when complete and on disk: a cluster that is there is a whole one. */
const createCluster = async (dataDir: string, runner: Runner, binaries: Binaries, sync: boolean) => {
  const prefix = 'postgres.new-'
  for (const left of await readdir(dataDir)) {
    if (left.startsWith(prefix)) await rm(join(dataDir, left), { recursive: true, force: true })
  }
  const fresh = await mkdtemp(join(dataDir, prefix))
  await hand(fresh, runner)
  const { code, output } = await run(runner, binaries.initdb, [
    `--pgdata=${fresh}`,
    `--username=${adminRole}`,
    '--auth=trust', // the socket's directory is closed to everybody else
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(sync ? [] : ['--no-sync']),
  ])
  if (code !== 0) throw new Error(`initdb could not make a PostgreSQL cluster in ${dataDir}.`, { cause: output })
  await rename(fresh, clusterDirOf(dataDir))
  if (sync) await syncDirectory(dataDir)
}

const syncDirectory = async (path: string) => {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Every file is looked at, not the directory alone: one that was restored from a copy may belong to several users. */
const hand = async (directory: string, runner: Runner) => {
  const { uid } = await lstat(directory)
  if (process.getuid!() !== 0) {
    if (uid === runner.uid) return
    throw new Error(
      `${directory} belongs to another user (uid ${uid}): run Sanad as that user, or set SANAD_DATA_DIR to a directory of your own.`,
    )
  }
  for (const entry of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    const path = join(directory, entry)
    // At once, and not a thousand turns of the loop.
    if (lstatSync(path).uid !== runner.uid) lchownSync(path, runner.uid, runner.gid)
  }
}

/** Made anew at each start, so that it is ours: anybody may make a directory in /tmp, and would then be the one whom
 *  clients of that name reach. */
const prepareSocketDir = async (socketDir: string, runner: Runner) => {
  try {
    await removeSocketDir(socketDir)
    await mkdir(socketDir, { mode: 0o700 })
    await hand(socketDir, runner)
  } catch (cause) {
    throw new Error(`${socketDir} is in the way and cannot be replaced: remove it.`, { cause })
  }
}

/** Of a PostgreSQL that has ended. */
export const removeSocketDir = async (socketDir: string): Promise<void> => {
  const found = await lstat(socketDir).catch(() => undefined)
  if (!found?.isDirectory()) return
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(socketDir, name), { force: true })
  await rmdir(socketDir)
}

export type Postmaster = { pid: number; socketDir: string | undefined; ready: boolean }

/** What PostgreSQL says of itself in its cluster. A killed one leaves this behind. */
export const readPostmaster = async (clusterDir: string): Promise<Postmaster | undefined> => {
  const said = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  // Lines: pid, cluster, start time, port, socket directory, address, shared memory, state.
  const [pid, , , , socketDir, , , state] = said.split('\n')
  if (!Number.parseInt(pid ?? '', 10)) return undefined
  return { pid: Number.parseInt(pid!, 10), socketDir: socketDir || undefined, ready: state?.trim() === 'ready' }
}
