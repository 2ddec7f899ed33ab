/** To be imported before Medusa. A test talks to this machine alone: Medusa would report its start to its makers. */
Object.assign(process.env, { MEDUSA_DISABLE_TELEMETRY: 'true', LOG_LEVEL: 'warn' })
