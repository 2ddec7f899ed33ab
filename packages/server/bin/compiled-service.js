/**
 * The service compiled to a few files in the data directory (src/commands/service/compile-service.ts): loading them takes a third of the
 * processor time that loading two thousand modules takes. They are used only while every file that they were made of is as it was then,
 * and otherwise the sources run as they are: so nobody has to build anything, and nothing can be out of date.
 *
 * JavaScript, so that a start need not load what reads TypeScript.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A first start has other things to do; and one that ends soon, such as a trial, needs no compiled service. */
const compileAfter_ms = 30_000

/** The same as in config.ts, for a start that has not read its settings yet. */
const dataDirOf = (env) => resolve(env.SANAD_DATA_DIR?.trim() || '.sanad')

/** Code that others can write is not run. */
const isOurs = (directory) => {
  if (process.getuid === undefined) return false
  const found = statSync(directory, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid() && (found.mode & 0o022) === 0
}

export const manifest = 'manifest.json'

/** The folder of this installation. Another one may have the same data directory: that of the version before, which is kept for a while. */
export const installation = fileURLToPath(new URL('../../..', import.meta.url))

/** The size of a file, and when its content and its entry changed last: no program can set the time of the entry. */
export const stateOf = (path) => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? [path, -1, 0, 0] : [path, found.isFile() ? found.size : 0, found.mtimeMs, found.ctimeMs]
}

const isUnchanged = (known) => {
  const state = stateOf(known[0])
  return state.every((value, i) => value === known[i])
}

export const compiledFolder = (env) => join(dataDirOf(env), 'compiled')

/** Keeps the compiled code of every file that is loaded from now on (compile-cache.ts), also of this start. */
export const keepCompiledCode = (env) => {
  const directory = join(dataDirOf(env), 'compile-cache')
  try {
    if (getCompileCacheDir() === undefined && isOurs(directory)) enableCompileCache(directory)
  } catch {
    // The start only takes longer.
  }
}

/** The file to run; undefined: there is none that is up to date. */
export const compiledMain = (folder) => {
  try {
    if (!isOurs(folder)) return undefined
    const { node, installation: of, main, files } = JSON.parse(readFileSync(join(folder, manifest), 'utf8'))
    if (node !== process.version || of !== installation) return undefined
    return files.every(isUnchanged) ? join(folder, main) : undefined
  } catch {
    return undefined
  }
}

/** Compiles the service for the next start, in a process of its own that gives way to all others. Without a data directory it does not. */
export const compileSoon = (folder) => {
  const program = fileURLToPath(new URL('../src/commands/service/compile-service.ts', import.meta.url))
  setTimeout(() => {
    if (!existsSync(dirname(folder))) return
    const child = spawn(process.execPath, [program, folder], { stdio: 'ignore' })
    // The next start runs the sources again.
    child.on('error', () => {})
    child.unref()
  }, compileAfter_ms).unref()
}
