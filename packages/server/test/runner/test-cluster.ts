/**
 * The PostgreSQL of a run. Creating a cluster with the template databases takes seconds, so a copy of one is kept, and every run
 * starts its own copy of that. The kept copy is used only while everything that it was made from is unchanged.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { cacheFolder } from './cache-folder.ts'
import { reachedFrom, root } from './imports.ts'

export type TestCluster = { readonly adminUrl: string; readonly demo: Demo; stop(): Promise<void> }

const templates = 'packages/server/test/support/test-databases.ts'

// The data does not outlive the run, so nothing is flushed to disk or vacuumed. Tests of crashes start their own PostgreSQL.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  max_connections: 600,
}

/** A hash of everything that the template databases are made from. */
const hashOfSources = (): string => {
  const paths = [
    ...[...reachedFrom(templates), ...reachedFrom('packages/server/src/postgres/embedded/open-embedded.ts')],
    ...globSync('migrations/**/*.sql', { cwd: root }),
    'package-lock.json',
  ]
  const hash = createHash('sha256').update(process.platform + process.arch)
  for (const path of [...new Set(paths)].sort())
    if (existsSync(join(root, path))) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

const prepare = async (url: string): Promise<Demo> =>
  (await import('../support/test-databases.ts')).prepareTemplates(url)

/** Another PostgreSQL, such as the oldest supported version. Its template databases are dropped at the end. */
export const otherServer = async (url: string): Promise<TestCluster> => {
  const { dropTemplates } = await import('../support/test-databases.ts')
  return { adminUrl: url, demo: await prepare(url), stop: () => dropTemplates(url) }
}

const copyCluster = (from: string, to: string): void => {
  cpSync(join(from, 'postgres'), join(to, 'postgres'), { recursive: true })
  // PostgreSQL refuses a directory that others may read.
  chmodSync(join(to, 'postgres'), 0o700)
}

/** Copies the kept cluster. Undefined: there is none, or another run has just replaced it. */
const copyKept = (kept: string, dataDir: string): Demo | undefined => {
  try {
    const demo = JSON.parse(readFileSync(join(kept, 'demo.json'), 'utf8')) as Demo
    copyCluster(kept, dataDir)
    return demo
  } catch {
    rmSync(join(dataDir, 'postgres'), { recursive: true, force: true })
    return undefined
  }
}

/** Keeps a copy of the stopped cluster instead of earlier ones. If that fails, the next run creates its own again. */
const keep = (kept: string, dataDir: string, demo: Demo): void => {
  const fresh = `${kept}-new-${process.pid}`
  try {
    mkdirSync(fresh, { recursive: true, mode: 0o700 })
    copyCluster(dataDir, fresh)
    writeFileSync(join(fresh, 'demo.json'), JSON.stringify(demo))
    for (const name of readdirSync(cacheFolder).filter((name) => name.startsWith('cluster-'))) {
      if (name === basename(fresh)) continue
      // Renamed first: a run that is copying it must notice.
      const old = `${kept}-old-${process.pid}`
      renameSync(join(cacheFolder, name), old)
      rmSync(old, { recursive: true, force: true })
    }
    renameSync(fresh, kept)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
}

export const startCluster = async (dataDir: string): Promise<TestCluster> => {
  const open = (more = {}) => openEmbedded({ dataDir, role: 'tests', settings: { ...settings, ...more } })
  const kept = join(cacheFolder, `cluster-${hashOfSources()}`)
  const demo = copyKept(kept, dataDir)
  if (demo !== undefined) {
    try {
      return { ...(await open()), demo }
    } catch {
      // The kept copy is damaged.
      for (const folder of [kept, join(dataDir, 'postgres')]) rmSync(folder, { recursive: true, force: true })
    }
  }
  // Without files that PostgreSQL would keep for its next log, the copies are half as large.
  const first = await open({ min_wal_size: '32MB', wal_recycle: 'off' })
  try {
    const made = await prepare(first.adminUrl)
    await first.stop()
    keep(kept, dataDir, made)
    return { ...(await open()), demo: made }
  } catch (fault) {
    await first.stop()
    throw fault
  }
}
