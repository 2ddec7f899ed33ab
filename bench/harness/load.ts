/**
 * HTTP load by wrk: as many requests as the connections can carry, for some seconds. Throws if a single request was refused or a
 * connection broke.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output } from './processes.ts'

export type Kind = 'get' | 'page' | 'create' | 'patch' | 'attach' | 'send'

export type Load = {
  readonly kind: Kind
  /** Paths; for `create` the path and the bodies; for `attach` and `send` see load.lua. */
  readonly lines: readonly string[]
  /** Every request must be refused (400 and above); otherwise none may be. */
  readonly refused?: boolean
}

export type Figures = {
  readonly perSecond: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly requests: number
}

export type Target = { readonly origin: string; readonly token: string }

const script = join(import.meta.dirname, 'load.lua')
/** A run that is longer than this, and in which nothing was answered, is an error. */
const longestEmpty_s = 3
let runs = 0

export const runLoad = async (
  tools: { readonly wrk: string; readonly folder: string },
  target: Target,
  load: Load,
  connections: number,
  seconds: number,
): Promise<Figures> => {
  const unique = `b${process.pid.toString(36)}${(++runs).toString(36)}`
  const file = join(tools.folder, `load-${runs}.txt`)
  writeFileSync(file, `${load.lines.join('\n')}\n`)
  for (let run_s = Math.max(1, Math.round(seconds)); ; run_s *= 3) {
    const measured = await runOnce(tools.wrk, target, load, connections, run_s, [file, unique])
    // So busy a machine that nothing was answered in a short run: once more, longer.
    if (measured.requests > 0 || run_s > longestEmpty_s) return measured
  }
}

const runOnce = async (
  wrk: string,
  target: Target,
  load: Load,
  connections: number,
  seconds: number,
  more: readonly [file: string, unique: string],
): Promise<Figures> => {
  // The timeout is long: a hundred alerts in each of 32 requests take long, and that is no error.
  const args = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    script,
    target.origin,
  ]
  const text = await output(wrk, [...args, '--', load.kind, target.token, ...more])
  const line = text.split('\n').find((output) => output.startsWith('{"requests"'))
  if (line === undefined) throw new Error(`the output of wrk has no result: ${text}`)
  const measured: Record<'requests' | 'took_us' | 'p50_us' | 'p99_us' | 'refused' | 'broken', number> = JSON.parse(line)
  const expected = load.refused === true ? measured.requests : 0
  if (measured.refused !== expected || measured.broken > 0 || (measured.requests === 0 && seconds > longestEmpty_s)) {
    throw new Error(
      `${load.kind} at ${connections} connections: ${measured.refused} refused, ${measured.broken} broken. ${text}`,
    )
  }
  return {
    perSecond: measured.requests / (measured.took_us / 1e6),
    p50_ms: measured.p50_us / 1000,
    p99_ms: measured.p99_us / 1000,
    requests: measured.requests,
  }
}
