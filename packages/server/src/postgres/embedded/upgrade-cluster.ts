/**
 * Brings the files of an embedded PostgreSQL to another major version: a backup is made with the old programs, restored into new
 * files with the new ones, and compared; then the old files are renamed and the new ones take their place. The old files are never
 * changed and never deleted.
 *
 * It may be killed at any moment and run again. Until the new files are complete, it begins anew. Between the two renames a start
 * is refused (embedded-major.ts), and the next run makes the second one.
 */
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Instant } from '../../core/clock.ts'
import { backup } from '../backup/backup.ts'
import type { Progress } from '../backup/progress.ts'
import { restore } from '../backup/restore.ts'
import { holdDataDir } from './data-dir.ts'
import { startEmbedded } from './embedded.ts'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { clusterDirOf } from './embedded-cluster.ts'
import { majorOf, newerFilesText, readyFileOf, upgradeDirOf } from './embedded-major.ts'
import { endOrphans } from './embedded-orphans.ts'

/** One sentence that says why the upgrade cannot be done. */
export class UpgradeRefused extends Error {}

/** The steps, in their order. Tests end the process after each of them. */
export const upgradeSteps = ['begun', 'copied', 'restored', 'ready', 'old renamed', 'new renamed'] as const
export type UpgradeStep = (typeof upgradeSteps)[number]

export type UpgradeOptions = {
  readonly dataDir: string
  readonly migrationsFolder: string
  readonly sanadVersion: string
  readonly now: Instant
  /** Finds the programs of the old version. `folder`: where they may be put; it is removed at the end. */
  readonly findOld: (major: number, folder: string) => Promise<Binaries>
  readonly progress?: Progress
  readonly afterStep?: (step: UpgradeStep) => void
}

export type Upgraded =
  | { readonly kind: 'nothing to do'; readonly major: number }
  | { readonly kind: 'upgraded'; readonly major: number; readonly kept: string; readonly rows?: number }

type Paths = {
  readonly dataDir: string
  readonly cluster: string
  readonly work: string
  readonly newDataDir: string
  readonly ready: string
}

const pathsOf = (dataDir: string): Paths => {
  const work = upgradeDirOf(dataDir)
  return { dataDir, cluster: clusterDirOf(dataDir), work, newDataDir: join(work, 'data'), ready: readyFileOf(dataDir) }
}

const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

const writeReady = async (path: string, kept: string): Promise<void> => {
  const handle = await open(`${path}.part`, 'w', 0o600)
  await handle.writeFile(JSON.stringify({ kept }))
  await handle.sync().finally(() => handle.close())
  await rename(`${path}.part`, path)
  await syncPath(dirname(path))
}

/** The name that the old files get, from an upgrade that completed the new ones; undefined: none did. */
const readReady = async (path: string): Promise<string | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : String((JSON.parse(text) as { kept: unknown }).kept)
}

/** Creates a directory that belongs to the owner of the data directory: a command run by root must not lock that user out. */
const makeOwned = async (path: string, dataDir: string): Promise<void> => {
  await mkdir(path, { recursive: true })
  // Other users may enter it but not list it: PostgreSQL may run as another user inside it.
  await chmod(path, 0o711)
  const { uid, gid } = await stat(dataDir)
  if (process.getuid!() === 0) await chown(path, uid, gid)
}

const sizeOf = async (directory: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  return bytes
}

/** The new files are about as large as the old ones, and the copy is smaller. */
const refuseFullDisk = async ({ dataDir, cluster }: Paths): Promise<void> => {
  const needed_bytes = 1.3 * (await sizeOf(cluster))
  const { bavail, bsize } = await statfs(dataDir)
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`
  if (bavail * bsize < needed_bytes)
    throw new UpgradeRefused(
      `The disk of ${dataDir} has ${megabytes(bavail * bsize)} free, and the upgrade needs ${megabytes(needed_bytes)}: make room first. Nothing was changed.`,
    )
}

/** Removes what an interrupted run left, and the programs of the old version. */
const removeWork = async ({ work, newDataDir, ready }: Paths): Promise<void> => {
  // First: without this file nothing here counts.
  await rm(ready, { force: true })
  if (existsSync(clusterDirOf(newDataDir))) await endOrphans(clusterDirOf(newDataDir))
  await rm(work, { recursive: true, force: true })
}

const finish = async (paths: Paths, major: number, kept: string, rows?: number): Promise<Upgraded> => {
  await removeWork(paths)
  return { kind: 'upgraded', major, kept: join(paths.dataDir, kept), ...(rows !== undefined && { rows }) }
}

/** Makes the second rename of an interrupted run. */
const renameNew = async ({ dataDir, cluster, newDataDir }: Paths): Promise<void> => {
  await rename(clusterDirOf(newDataDir), cluster)
  await syncPath(dataDir)
}

/** Completes an interrupted run whose new files were complete; undefined: it must begin anew. */
const resume = async (paths: Paths, major: number): Promise<Upgraded | undefined> => {
  const { dataDir, cluster, newDataDir, ready } = paths
  const kept = await readReady(ready)
  if (kept === undefined) return undefined
  const found = await majorOf(cluster)
  if (found === major) return finish(paths, major, kept)
  const isKept = existsSync(join(dataDir, kept))
  if (found === undefined && !existsSync(cluster)) {
    if (!isKept || (await majorOf(clusterDirOf(newDataDir))) !== major)
      throw new UpgradeRefused(
        `An upgrade in ${dataDir} was interrupted, and its files are not as it left them: rename ${join(dataDir, kept)} to ${cluster} yourself, remove ${paths.work}, and run this again.`,
      )
    await renameNew(paths)
    return finish(paths, major, kept)
  }
  // An old version of Sanad that was started in between has created an empty database.
  if (isKept)
    throw new UpgradeRefused(
      `${dataDir} has two databases of the old version: ${kept}, from which an upgrade was made, and ${cluster}, which was created after it. Move the one without your data away, and run this again.`,
    )
  return undefined
}

const upgrade = async (paths: Paths, options: UpgradeOptions): Promise<Upgraded> => {
  const { dataDir, cluster, work, newDataDir, ready } = paths
  const { migrationsFolder, sanadVersion, now, progress, afterStep = () => {} } = options
  const binaries = await findBinaries()
  const { major } = binaries
  const resumed = await resume(paths, major)
  if (resumed !== undefined) return resumed
  const from = await majorOf(cluster)
  if (from === undefined) throw new UpgradeRefused(`${dataDir} has no embedded database: there is nothing to upgrade.`)
  if (from > major) throw new UpgradeRefused(newerFilesText(cluster, from, major))
  await removeWork(paths)
  if (from === major) return { kind: 'nothing to do', major }

  await refuseFullDisk(paths)
  await makeOwned(work, dataDir)
  const old = await options.findOld(from, join(work, 'programs'))
  if (old.major !== from)
    throw new UpgradeRefused(`The programs given are of PostgreSQL ${old.major}, and the files of PostgreSQL ${from}.`)
  afterStep('begun')

  const more = { migrationsFolder, ...(progress !== undefined && { progress }) }
  const file = join(work, 'old.backup')
  const source = await startEmbedded({ dataDir, binaries: old })
  const copied = await backup({
    url: source.url,
    file,
    sanadVersion,
    masterKeyFingerprint: null,
    now,
    ...more,
  }).finally(source.stop)
  afterStep('copied')

  await makeOwned(newDataDir, dataDir)
  const target = await startEmbedded({ dataDir: newDataDir })
  // The restore compares the number of rows and the sums of each table with those of the old files.
  await restore({ url: target.url, file, ...more }).finally(target.stop)
  afterStep('restored')

  const kept = `postgres-${from}-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  if (existsSync(join(dataDir, kept))) throw new UpgradeRefused(`${join(dataDir, kept)} exists already: move it away.`)
  await writeReady(ready, kept)
  afterStep('ready')
  await rename(cluster, join(dataDir, kept))
  await syncPath(dataDir)
  afterStep('old renamed')
  await renameNew(paths)
  afterStep('new renamed')
  return finish(
    paths,
    major,
    kept,
    copied.manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  )
}

export const upgradeCluster = async (options: UpgradeOptions): Promise<Upgraded> => {
  if (!existsSync(options.dataDir))
    throw new UpgradeRefused(`${options.dataDir} does not exist: there is nothing to upgrade.`)
  const dataDir = await realpath(options.dataDir)
  const hold = await holdDataDir(dataDir, { role: 'sanad upgrade-database' })
  if (hold.kind === 'busy')
    throw new UpgradeRefused(`${dataDir} is used by process ${hold.pid} (${hold.role}): stop it first.`)
  try {
    return await upgrade(pathsOf(dataDir), options)
  } finally {
    await hold.release()
  }
}
