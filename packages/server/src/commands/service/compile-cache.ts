/**
 * Keeps the compiled code of the service between starts, in the data directory: the second start needs about half the processor time.
 * A directory of our own, not Node's common one in /tmp: what another user put there would be run. A cache that cannot be read or
 * written costs nothing but the time: it never fails a start. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE are Node's own settings
 * and come first.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/**
 * Before the modules of the service are loaded. Returns the directory; undefined: there is no cache. `mayCreate`: the data directory is
 * created if it does not exist; otherwise there is no cache without it.
 */
export const useCompileCache = (dataDir: string, mayCreate: boolean): string | undefined => {
  try {
    const known = module.getCompileCacheDir()
    if (known !== undefined) return known
    const directory = join(dataDir, 'compile-cache')
    // The mode is that of holdDataDir: PostgreSQL may run as another user inside the data directory.
    if (mayCreate) mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 })
    const { uid, mode } = statSync(directory)
    // Code that others can write is not run.
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    if (!isOurs) return undefined
    return module.enableCompileCache(directory).directory
  } catch {
    return undefined
  }
}

/** Writes what was compiled until now: a process that is killed later would not. */
export const saveCompileCache = (): void => {
  try {
    module.flushCompileCache()
  } catch {
    // The next start compiles again.
  }
}
