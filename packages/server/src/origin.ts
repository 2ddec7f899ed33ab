/** Where people and merchants reach the service, as far as the settings and the data directory tell. */
import { type Config, readConfig } from './config.ts'
import { askDataDir } from './postgres/embedded/data-dir.ts'

export const originOf = (config: Config, port = config.port): string =>
  config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`

/** A service that runs on the data directory says it itself: ask before the directory is visited. */
export const reachedAt = async (config: Config = readConfig()): Promise<string> =>
  config.publicUrl ?? (await askDataDir(config.dataDir))?.url ?? originOf(config)
