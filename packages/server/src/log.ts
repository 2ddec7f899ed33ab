/**
 * Structured logs, one JSON object a line, on standard error: standard output belongs to what a person asked for. Headers
 * and bodies are never logged, and what might slip in by name is struck out.
 */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const secrets = ['authorization', 'secret', 'client_secret', 'password', 'token', 'access_token', 'master_key', 'key']

export const openLog = (
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: '(struck out)' },
    },
    destination,
  )
