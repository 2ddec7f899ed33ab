/**
 * A baseline by pgbench, the least that a call can cost: it runs the service's own SQL on the service's own PostgreSQL, over the
 * same kind of connection, one row per statement. Parameters of a statement become variables or expressions of pgbench, and are
 * sent as parameters each time.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionSettings } from '../../packages/server/src/postgres/connection/database.ts'
import type { Figures } from '../harness/load.ts'
import { output } from '../harness/processes.ts'

/** A constant, or SQL that makes a new value from `:variables` each time. */
export type Parameter = { readonly send: string } | { readonly make: string }

export type BaselineStatement = { readonly sql: string; readonly parameters: readonly Parameter[] }

export type Baseline = {
  /** pgbench's own lines before the statements, such as `\set n random(1, 10)`. */
  readonly before?: readonly string[]
  /** Each is one transaction of these statements; one is chosen at random each time. */
  readonly scripts: readonly (readonly BaselineStatement[])[]
  /** `prepared` for the service's named statements, `extended` for statements that are planned each time. */
  readonly protocol: 'prepared' | 'extended'
}

/** A one-element list in PostgreSQL's array syntax. */
export const listOf = (value: string): Parameter => ({ send: `{"${value.replace(/["\\]/g, '\\$&')}"}` })

let runs = 0

export const runBaseline = async (
  tools: { readonly pgbench: string; readonly folder: string },
  socketDir: string,
  baseline: Baseline,
  connections: number,
  seconds: number,
): Promise<Figures> => {
  const run = ++runs
  const variables: string[] = ['-D', 'k=0', '-D', `clients=${connections}`]
  const files = baseline.scripts.flatMap((statements, s) => {
    const text = statements.map(({ sql, parameters }, q) => {
      const highest = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
      if (highest !== parameters.length)
        throw new Error(
          `a statement of the baseline has ${highest} parameters, but ${parameters.length} values: ${sql}`,
        )
      // From the last to the first, so that $1 is not replaced inside $12.
      return parameters.reduceRight((replaced, parameter, i) => {
        const name = `v${s}_${q}_${i}`
        if ('send' in parameter) variables.push('-D', `${name}=${parameter.send}`)
        return replaced.replaceAll(`$${i + 1}`, () => ('send' in parameter ? `:${name}` : `(${parameter.make})`))
      }, sql)
    })
    const file = join(tools.folder, `baseline-${run}-${s}.sql`)
    writeFileSync(
      file,
      `${[...(baseline.before ?? []), ...text.map((statement) => `${statement.trim()};`)].join('\n')}\n`,
    )
    return ['-f', file]
  })
  const args = ['-n', '-M', baseline.protocol, '-c', String(connections), '-j', '2', '-T', String(Math.round(seconds))]
  const where = ['-h', socketDir, '-p', '5432', '-U', 'sanad']
  // The settings of the connections on which the service runs the same statements.
  const env = { ...process.env, PGOPTIONS: sessionSettings(baseline.protocol === 'prepared') }
  const text = await output(tools.pgbench, [...args, ...files, ...variables, ...where, 'sanad'], { env })
  const number = (what: RegExp): number => Number(what.exec(text)?.[1] ?? Number.NaN)
  const perSecond = number(/^tps = ([\d.]+)/m)
  const requests = number(/transactions actually processed: (\d+)/)
  if (!(perSecond > 0) || !/number of failed transactions: 0 /.test(text)) throw new Error(`pgbench: ${text}`)
  return { perSecond, requests, p50_ms: number(/latency average = ([\d.]+) ms/), p99_ms: Number.NaN }
}
