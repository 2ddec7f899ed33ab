/**
 * The major version of the files of an embedded PostgreSQL. The programs of one major version do not open the files of another one:
 * a start is refused with a sentence that names the command for it. upgrade-cluster.ts is that command.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, NoEmbeddedPostgres } from './embedded-binaries.ts'
import { clusterDirOf } from './embedded-cluster.ts'

/** Where an upgrade works, inside the data directory. */
export const upgradeDirOf = (dataDir: string): string => join(dataDir, 'upgrade')

/** Written when the new files are complete, and removed when they are in their place. */
export const readyFileOf = (dataDir: string): string => join(upgradeDirOf(dataDir), 'ready.json')

/** The major version of a cluster; undefined: there is none. */
export const majorOf = async (clusterDir: string): Promise<number | undefined> => {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined
    throw fault
  })
  return text === undefined ? undefined : Number.parseInt(text, 10)
}

export const newerFilesText = (clusterDir: string, major: number, ours: number): string =>
  `The files in ${clusterDir} are of PostgreSQL ${major}, and this version of Sanad comes with PostgreSQL ${ours}, which is older: install the version of Sanad that was used before.`

/** Refuses files of another major version, and a data directory in which an upgrade was interrupted between its last two steps. */
export const refuseOtherMajor = async (dataDir: string, { major }: Binaries): Promise<void> => {
  const clusterDir = clusterDirOf(dataDir)
  const found = await majorOf(clusterDir)
  if (found === major) return
  if (found === undefined) {
    // Otherwise an empty database would be created in the place of the old one.
    if (!existsSync(clusterDir) && existsSync(readyFileOf(dataDir)))
      throw new NoEmbeddedPostgres(
        `An upgrade of the database in ${dataDir} was interrupted: run sanad upgrade-database, which finishes it.`,
      )
    return
  }
  throw new NoEmbeddedPostgres(
    found > major
      ? newerFilesText(clusterDir, found, major)
      : `The files in ${clusterDir} are of PostgreSQL ${found}, and this version of Sanad comes with PostgreSQL ${major}: run sanad upgrade-database once, then start again. Nothing was changed.`,
  )
}
