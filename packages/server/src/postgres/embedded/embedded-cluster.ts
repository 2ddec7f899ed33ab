/**
 * The files of the embedded PostgreSQL: its cluster, the directory of its socket, and the content of postmaster.pid. Ensures a
 * complete cluster that belongs to the user that PostgreSQL runs as. embedded.ts starts and stops the server.
 */
import { createHash } from 'node:crypto'
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import { adminRole } from './embedded-roles.ts'
import { type Runner, run } from './embedded-user.ts'

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')

/** A socket's path has at most 107 bytes (103 on macOS), and libpq reads a comma in it as two hosts. So if the data directory
 *  has a long or unusual path, the socket is under /tmp, with a name that every process can compute. */
export const socketDirOf = (dataDir: string): string => {
  const inDataDir = join(dataDir, 'socket')
  const fits = Buffer.byteLength(`${inDataDir}/.s.PGSQL.5432`) <= 103 && /^[\w./-]+$/.test(inDataDir)
  // Not os.tmpdir(): a process with another TMPDIR would look elsewhere.
  return fits ? inDataDir : `/tmp/sanad-${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
}

/** Creates the cluster if there is none yet, and makes the runner its owner. */
export const prepareCluster = async (dataDir: string, runner: Runner, binaries: Binaries, sync: boolean) => {
  const clusterDir = clusterDirOf(dataDir)
  if (await lstat(clusterDir).catch(() => undefined)) await setOwner(clusterDir, runner)
  else await createCluster(dataDir, runner, binaries, sync)
  await prepareSocketDir(socketDirOf(dataDir), runner)
}

/** Creates the cluster under another name and renames it when it is complete and on disk: an existing cluster is always
 *  complete. */
const createCluster = async (dataDir: string, runner: Runner, binaries: Binaries, sync: boolean) => {
  const prefix = 'postgres.new-'
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(prefix)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  const fresh = await mkdtemp(join(dataDir, prefix))
  await setOwner(fresh, runner)
  const { code, output } = await run(runner, binaries.initdb, [
    `--pgdata=${fresh}`,
    `--username=${adminRole}`,
    '--auth=trust', // no other user can open the socket's directory
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(sync ? [] : ['--no-sync']),
  ])
  if (code !== 0) throw new Error(`initdb could not create a PostgreSQL cluster in ${dataDir}.`, { cause: output })
  await rename(fresh, clusterDirOf(dataDir))
  if (sync) await syncDirectory(dataDir)
}

const syncDirectory = async (path: string) => {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Checks every file, not only the directory: after a restore from a copy, files may belong to several users. */
const setOwner = async (directory: string, runner: Runner) => {
  const { uid } = await lstat(directory)
  if (process.getuid!() !== 0) {
    if (uid === runner.uid) return
    throw new Error(
      `${directory} belongs to another user (uid ${uid}): run Sanad as that user, or set SANAD_DATA_DIR to a directory of your own.`,
    )
  }
  for (const entry of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    const path = join(directory, entry)
    // Synchronous calls: faster than a thousand turns of the event loop.
    if (lstatSync(path).uid !== runner.uid) lchownSync(path, runner.uid, runner.gid)
  }
}

/** Creates the directory again at each start, so that it belongs to us: another user could have created it in /tmp, and clients
 *  would connect to that user's socket. */
const prepareSocketDir = async (socketDir: string, runner: Runner) => {
  try {
    await removeSocketDir(socketDir)
    await mkdir(socketDir, { mode: 0o700 })
    await setOwner(socketDir, runner)
  } catch (cause) {
    throw new Error(`${socketDir} cannot be replaced: remove it.`, { cause })
  }
}

/** Called after PostgreSQL has ended. */
export const removeSocketDir = async (socketDir: string): Promise<void> => {
  const found = await lstat(socketDir).catch(() => undefined)
  if (!found?.isDirectory()) return
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(socketDir, name), { force: true })
  await rmdir(socketDir)
}

export type Postmaster = { pid: number; socketDir: string | undefined; ready: boolean }

/** The content of postmaster.pid. A killed PostgreSQL leaves it behind. */
export const readPostmaster = async (clusterDir: string): Promise<Postmaster | undefined> => {
  const content = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  // Lines: pid, cluster, start time, port, socket directory, address, shared memory, state.
  const [pid, , , , socketDir, , , state] = content.split('\n')
  if (!Number.parseInt(pid ?? '', 10)) return undefined
  return { pid: Number.parseInt(pid!, 10), socketDir: socketDir || undefined, ready: state?.trim() === 'ready' }
}
