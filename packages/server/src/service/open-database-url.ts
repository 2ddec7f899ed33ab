/** Starts the embedded PostgreSQL for the service, unless the settings name another database. */
import { CommandError } from '../command-error.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { refuseWithoutEmbedded } from '../open-store.ts'
import { originOf } from '../origin.ts'
import { holdDataDir } from '../postgres/embedded/data-dir.ts'
import { type EmbeddedOptions, startEmbedded } from '../postgres/embedded/embedded.ts'
import type { Shutdown } from '../shutdown.ts'

/** The URL of the database. Without one in the settings, the embedded PostgreSQL is started, and ends with this process. */
export const openDatabaseUrl = async (
  config: Config,
  log: Log,
  shutdown: Shutdown,
  settings: EmbeddedOptions['settings'] = {},
): Promise<string> => {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const hold = await holdDataDir(config.dataDir, { role: 'service', url: originOf(config) })
  if (hold.kind === 'busy') {
    const where = hold.url === undefined ? '' : ` at ${hold.url}`
    throw new CommandError(
      `Sanad already runs on ${config.dataDir} (${hold.role}, process ${hold.pid}${where}): stop it, or set SANAD_DATA_DIR.`,
    )
  }
  shutdown.opened('data directory', () => hold.release())
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    settings,
    log: (line) => log.info({ postgres: line }, 'postgres'),
    onExit: (code, signal) => {
      log.fatal({ code, signal }, 'PostgreSQL ended by itself: stopping; the next start recovers')
      void shutdown.end('PostgreSQL ended', 1)
    },
  }).catch(refuseWithoutEmbedded)
  shutdown.opened('embedded PostgreSQL', () => embedded.stop())
  return embedded.url
}
