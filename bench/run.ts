/**
 * `npm run bench`: how fast Sanad is on this machine, as ratios to baselines that are measured in the same run. Exit code 1 when a
 * bar is missed. `--quick` for short runs, `--only NAME` for a part (or several, with commas), `--seconds N` per run,
 * `--minutes N` for the overload, `--small` to see that a part works, `--list` for the names of all. Of the scale and the move:
 * `--large`, `--keep DIR`. Of the scale: `--prepare`, `--named PATTERN` for some calls, `--draw FILE`.
 */
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { findTools } from './harness/find-tools.ts'
import type { Bench } from './harness/options.ts'
import { BenchRefused, cleanUp } from './harness/processes.ts'
import { isFactMet, isMet, type Section, sectionText, withoutFigure } from './harness/report.ts'
import { measureAlerts } from './measures/alerts.ts'
import { measureBurst } from './measures/burst.ts'
import { measureDrf } from './measures/drf.ts'
import { measureFlood } from './measures/flood.ts'
import { measureIdleService } from './measures/idle.ts'
import { measureMove } from './measures/move.ts'
import { measureOverload } from './measures/overload.ts'
import { measurePay } from './measures/pay.ts'
import { measureProcesses } from './measures/processes.ts'
import { measureReplica } from './measures/replica.ts'
import { measureRequestChecks } from './measures/request-checks.ts'
import { measureScale } from './measures/scale.ts'
import { measureSpeed } from './measures/speed.ts'
import { measureHooks } from './measures/webhooks.ts'

const operations = ['create', 'retrieve', 'patch', 'list', 'search'] as const
const processParts = ['processes-alone', 'processes-database'] as const
const parts = [
  'speed',
  ...operations,
  'burst',
  'alerts',
  'hooks',
  'pay',
  'checks',
  'processes',
  ...processParts,
  'flood',
  'idle',
  'overload',
  'replica',
  'move',
  'scale',
  'drf',
] as const

const readArguments = (): Omit<Bench, 'tools' | 'print'> => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      large: { type: 'boolean', default: false },
      keep: { type: 'string' },
      minutes: { type: 'string' },
      small: { type: 'boolean', default: false },
      prepare: { type: 'boolean', default: false },
      named: { type: 'string' },
      draw: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  })
  const whole = (name: string, text: string | undefined, byDefault: number): number => {
    if (text === undefined) return byDefault
    if (!/^[1-9]\d{0,2}$/.test(text)) throw new BenchRefused(`--${name} must be a whole number from 1 to 999.`)
    return Number(text)
  }
  const only = values.only
    ?.split(',')
    .flatMap((name) => (name === 'speed' ? operations : name === 'processes' ? processParts : [name]))
  const unknown = only?.find((name) => !(parts as readonly string[]).includes(name))
  if (unknown !== undefined) throw new BenchRefused(`--only ${unknown}: there are ${parts.join(', ')}.`)
  return {
    seconds: whole('seconds', values.seconds, values.small ? 1 : values.quick ? 2 : 4),
    rounds: whole('rounds', values.rounds, values.small ? 1 : values.quick ? 2 : 3),
    large: values.large ? 10_000_000 : values.quick ? 100_000 : 1_000_000,
    keep: values.keep,
    prepareOnly: values.prepare,
    named: values.named,
    draw: values.draw,
    small: values.small,
    overload_s:
      values.minutes === undefined
        ? values.small
          ? 3
          : values.quick
            ? 15
            : 60
        : 60 * whole('minutes', values.minutes, 1),
    isSelected: (name) => only === undefined || only.includes(name),
  }
}

/** Which names choose a measurement, in the order in which they run. */
const measures: readonly (readonly [names: readonly string[], measure: (bench: Bench) => Promise<Section>])[] = [
  [operations, measureSpeed],
  [['burst'], measureBurst],
  [['alerts'], measureAlerts],
  [['hooks'], measureHooks],
  [['pay'], measurePay],
  [['checks'], measureRequestChecks],
  [processParts, measureProcesses],
  [['flood'], measureFlood],
  [['idle'], measureIdleService],
  [['overload'], measureOverload],
  [['replica'], measureReplica],
  [['move'], measureMove],
  [['scale'], measureScale],
  [['drf'], measureDrf],
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const run = async (): Promise<number> => {
  if (process.argv.includes('--list')) {
    for (const [names] of measures) print(names.join(','))
    return 0
  }
  const bench: Bench = { ...readArguments(), tools: await findTools(), print }
  print(
    `${availableParallelism()} processors (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, ${new Date().toISOString()}`,
  )
  const sections: Section[] = []
  for (const [names, measure] of measures) {
    if (!names.some(bench.isSelected)) continue
    const section = await measure(bench)
    sections.push(section)
    print(sectionText(section))
  }
  // A part that prints no number has rotted, whatever it measures.
  const without = sections.flatMap(withoutFigure)
  for (const name of without) print(`NO FIGURE: ${name}`)
  if (without.length > 0) return 1
  // The figures of a small run mean nothing.
  if (bench.small) return 0
  const missed = sections.flatMap(({ lines }) => lines).filter((line) => !isMet(line))
  for (const line of missed) print(`MISSED: ${line.name}, ${line.connections} connections`)
  const missedFacts = sections.flatMap(({ facts = [] }) => facts).filter((fact) => !isFactMet(fact))
  for (const fact of missedFacts) print(`MISSED: ${fact.name}`)
  const met = missed.length === 0 && missedFacts.length === 0
  if (met) print('Every bar is met.')
  return met ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

try {
  process.exitCode = await run()
} catch (fault) {
  process.exitCode = 1
  process.stderr.write(`${fault instanceof BenchRefused ? fault.message : (fault as Error).stack}\n`)
} finally {
  await cleanUp()
}
