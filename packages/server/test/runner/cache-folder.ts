/**
 * What one run leaves for the next: compiled modules, durations of files, a PostgreSQL cluster with the template databases. It
 * is in node_modules, so git ignores it and `npm ci` removes it. Every part may be missing.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'

export const cacheFolder = join(root, 'node_modules/.cache/sanad-tests')

/** A repository that has been worked on for long leaves files of modules that no longer exist. */
const mostCompiled = 20_000

/** The folder for Node's compile cache: a module that one process has compiled is not compiled again. */
export const compileCache = (): string => {
  const folder = join(cacheFolder, 'compiled')
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder, { recursive: true }).length > mostCompiled) rmSync(folder, { recursive: true, force: true })
  return folder
}

const durationsFile = join(cacheFolder, 'durations.json')

/** How many milliseconds the tests of each file took when they ran last, by path. */
export const readDurations = (): Readonly<Record<string, number>> => {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8'))
  } catch {
    return {}
  }
}

/** `exists`: durations of files that no longer exist are dropped. */
export const keepDurations = (measured: ReadonlyMap<string, number>, exists: (path: string) => boolean): void => {
  const all = { ...readDurations(), ...Object.fromEntries(measured) }
  const kept = Object.fromEntries(Object.entries(all).filter(([path]) => exists(path)))
  mkdirSync(cacheFolder, { recursive: true })
  const fresh = `${durationsFile}.${process.pid}`
  writeFileSync(fresh, JSON.stringify(kept))
  renameSync(fresh, durationsFile)
}
