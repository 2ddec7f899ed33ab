/**
 * Structured logs, one JSON object a line, on standard error: standard output is for the output of commands. Headers and
 * bodies are never logged, and fields with the name of a secret are masked.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { logSink } from './log-sink.ts'

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
const standardError = (): DestinationStream => {
  const sink = logSink(2)
  process.on('exit', () => sink.flushSync())
  return sink
}

export const openLog = (level: string, destination: DestinationStream = standardError()): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (facts) => maskSecrets(facts) },
      serializers: { err: (fault) => maskSecrets(pino.stdSerializers.err(fault), false) },
    },
    destination,
  )
