/** Where a service of these settings is reached. Leaves to others whether one runs, and at which port it really listens. */
import type { Config } from './config.ts'

export const originOf = (config: Config, port = config.port): string =>
  config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
