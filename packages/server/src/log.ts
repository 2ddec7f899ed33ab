/**
 * The log, on standard error: standard output is for the output of commands. For programs one JSON object a line, for a person on a
 * terminal lines of text (log-text.ts), never both. Headers and
 * bodies are never logged, and fields with the name of a secret are masked.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from './core/clock.ts'
import { logFields } from './core/tracing/call-context.ts'
import { logSink, wholeWrite_bytes } from './log-sink.ts'
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
const standardError = (shape: (line: string) => string, isShared: boolean): DestinationStream => {
  const sink = logSink(2, shape, isShared ? wholeWrite_bytes : undefined)
  process.on('exit', () => sink.flushSync())
  return sink
}

/** As pino writes the time. The text of a second is kept: making it anew for each line costs more than the rest of a short line. */
const lineTime = (): (() => string) => {
  let second = Number.NaN
  let text = ''
  return () => {
    const now = systemClock.now()
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      text = `,"time":"${new Date(current * 1000).toISOString().slice(0, 20)}`
    }
    return `${text}${String(now - current * 1000).padStart(3, '0')}Z"`
  }
}

export type LogFormat = 'json' | 'text' | 'auto'

const unchanged = (line: string): string => line

/**
 * `auto`: text if standard error is a terminal. `pid`: several processes write to one log, and each line names its own.
 */
export const openLog = (
  level: string,
  format: LogFormat = 'auto',
  destination?: DestinationStream,
  pid?: number,
): Log => {
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true)
  const shape = isText ? textLine : unchanged
  const shaped = destination && { write: (line: string): void => void destination.write(shape(line)) }
  return pino(
    {
      level,
      base: pid === undefined ? null : { pid },
      timestamp: lineTime(),
      mixin: logFields,
      formatters: { level: (label) => ({ level: label }), log: (facts) => maskSecrets(facts) },
      serializers: { err: (fault) => maskSecrets(pino.stdSerializers.err(fault), false) },
    },
    shaped ?? standardError(shape, pid !== undefined),
  )
}
