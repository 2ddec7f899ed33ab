/**
 * `node bench/capacity.ts --shops N --payments N`: what an installation needs for so many shops and verified payments a day, and how a
 * day goes at 1, 10 and 100 times that, on paper. The costs of calls are those of `bench/capacity/costs.json`, or of `--costs FILE`;
 * `--measure` measures them on this machine and writes the file (`--quick` in seconds, roughly). `--texts-days`, `--calls-days`: the
 * retention.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCosts } from './capacity/costs.ts'
import { measureCosts } from './capacity/measure-costs.ts'
import { needsText } from './capacity/needs-text.ts'
import { BenchRefused, cleanUp } from './harness/processes.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      shops: { type: 'string', default: '1000' },
      payments: { type: 'string', default: '20000' },
      costs: { type: 'string', default: join(import.meta.dirname, 'capacity/costs.json') },
      'texts-days': { type: 'string', default: '730' },
      'calls-days': { type: 'string', default: '7' },
      measure: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  const whole = (name: 'shops' | 'payments' | 'texts-days' | 'calls-days'): number => {
    if (!/^[1-9]\d{0,9}$/.test(values[name])) throw new BenchRefused(`--${name} must be a whole number from 1 on.`)
    return Number(values[name])
  }
  const load = { shops: whole('shops'), payments: whole('payments') }
  const kept = { texts: whole('texts-days'), api_calls: whole('calls-days') }
  if (values.measure) {
    const costs = await measureCosts(values.quick, print)
    // The points of WAL in one line, as the formatter writes them.
    const wal = JSON.stringify(costs.wal).replaceAll(',', ', ')
    const text = JSON.stringify({ ...costs, wal: 'wal' }, undefined, 2).replace('"wal": "wal"', () => `"wal": ${wal}`)
    writeFileSync(values.costs, `${text}\n`)
    print(`Written to ${values.costs}\n`)
  }
  process.stdout.write(needsText(readCosts(values.costs), load, kept))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

try {
  await run()
} catch (fault) {
  process.exitCode = 1
  process.stderr.write(`${fault instanceof BenchRefused ? fault.message : (fault as Error).stack}\n`)
} finally {
  await cleanUp()
}
