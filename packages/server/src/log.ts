/**
 * The log, on standard error: standard output is for the output of commands. For programs one JSON object a line, for a person on a
 * terminal lines of text (log-text.ts), never both. Headers and
 * bodies are never logged, and fields with the name of a secret are masked.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { logFields } from './core/tracing/call-context.ts'
import { logSink } from './log-sink.ts'
import { textLine } from './log-text.ts'

export type Log = Logger

const secrets = new Set([
  'authorization',
  'secret',
  'client_secret',
  'password',
  'token',
  'access_token',
  'master_key',
  'key',
])
const mask = '(struck out)'

type Facts = Record<string, unknown>

/** Masks secrets by name, at the top and one level below. Pino's own redaction would cost a tenth of every request. */
const maskSecrets = (facts: Facts, below = true): Facts => {
  let copy: Facts | undefined
  for (const name in facts) {
    const value = facts[name]
    const inside = below && typeof value === 'object' && value !== null && !(value instanceof Error)
    const shown = secrets.has(name) ? mask : inside ? maskSecrets(value as Facts, false) : value
    if (shown === value) continue
    copy ??= { ...facts }
    copy[name] = shown
  }
  return copy ?? facts
}

// Lines wait for at most a tenth of a second, to be written together. All of them are written when the process ends.
const standardError = (shape: (line: string) => string): DestinationStream => {
  const sink = logSink(2, shape)
  process.on('exit', () => sink.flushSync())
  return sink
}

export type LogFormat = 'json' | 'text' | 'auto'

const unchanged = (line: string): string => line

/** `auto`: text if standard error is a terminal. */
export const openLog = (level: string, format: LogFormat = 'auto', destination?: DestinationStream): Log => {
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true)
  const shape = isText ? textLine : unchanged
  const shaped = destination && { write: (line: string): void => void destination.write(shape(line)) }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: logFields,
      formatters: { level: (label) => ({ level: label }), log: (facts) => maskSecrets(facts) },
      serializers: { err: (fault) => maskSecrets(pino.stdSerializers.err(fault), false) },
    },
    shaped ?? standardError(shape),
  )
}
