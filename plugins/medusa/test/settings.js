/** Imported before Medusa. Switches its telemetry off: a test connects to this machine only. */
Object.assign(process.env, { MEDUSA_DISABLE_TELEMETRY: 'true', LOG_LEVEL: 'warn' })
