/** The URL under which users and merchants reach the service, from the settings and the data directory. */
import { type Config, readConfig } from './config.ts'
import { dataDirHolder } from './postgres/embedded/data-dir.ts'

export const originOf = (config: Config, port = config.port): string =>
  config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`

/** A running service has written its URL into the data directory, so call this before the directory is opened. */
export const reachableUrl = async (config: Config = readConfig()): Promise<string> =>
  config.publicUrl ?? (await dataDirHolder(config.dataDir))?.url ?? originOf(config)
