/** The answer of the capacity program as text for a terminal. Pure. */
import type { Costs } from './costs.ts'
import { calls } from './costs.ts'
import { adenDay, busiestMinute } from './curve.ts'
import {
  bounds,
  breaksAt,
  type Cores,
  callsOfDay,
  diskOf,
  habits,
  type Kept,
  type Load,
  loadTimes,
  needsOf,
  simulateDay,
  totalOf,
  type Wait,
  walOfDay,
} from './sizing.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const bytes = (value: number): string =>
  value >= 1e12
    ? `${(value / 1e12).toFixed(1)} TB`
    : value >= 1e9
      ? `${(value / 1e9).toFixed(1)} GB`
      : `${Math.ceil(value / 1e6)} MB`
const memory = (mb: number): string => bytes(mb * 1e6)
const percent = (share: number): string => `${Math.round(share * 100)} %`
const ms = (seconds: number): string => (seconds === Number.POSITIVE_INFINITY ? 'no end' : (seconds * 1000).toFixed(1))
const coresText = ({ node, postgres }: Cores): string => `${node} + ${postgres}`

/** Columns are aligned to the right but for the first. */
const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  ')
      .trimEnd(),
  )
}

const waitCells = ({ rate, utilisation, p50_s, p99_s, excess }: Wait): string[] => [
  rate >= 10 ? whole(rate) : rate.toFixed(1),
  percent(utilisation.node),
  percent(utilisation.postgres),
  ms(p50_s),
  ms(p99_s),
  excess === 0 ? '' : whole(excess),
]
const waitHeads = ['calls/s', 'Node', 'PostgreSQL', 'wait p50 ms', 'p99 ms', 'too many/s']

const factors = [1, 10, 100] as const

export const needsText = (costs: Costs, load: Load, kept: Kept): string => {
  const loads = factors.map((times) => ({ times, load: loadTimes(load, times) }))
  const needs = loads.map((one) => needsOf(costs, one.load))
  const own = needs[0]!.cores
  const head = (times: number): string => (times === 1 ? 'asked' : `x ${times}`)
  const columns = (name: string, cell: (n: number) => string): string[] => [name, ...loads.map((_, n) => cell(n))]
  const disk = loads.map((one) => diskOf(costs, one.load, kept))
  const lines = [
    `Costs: ${costs.machine}, Node ${costs.node}, PostgreSQL ${costs.postgres}, Sanad at ${costs.commit}, ${costs.at_once} calls at once`,
    '',
    'Processor time of a call, in microseconds',
    ...table([
      ['', 'Node', 'PostgreSQL', 'calls a day'],
      ...calls.map((call) => [
        call.replace('_', ' '),
        whole(costs.calls[call].node_us),
        whole(costs.calls[call].postgres_us),
        whole(callsOfDay(load)[call]),
      ]),
    ]),
    '',
    'What is needed',
    ...table([
      columns('', (n) => head(loads[n]!.times)),
      columns('shops', (n) => whole(loads[n]!.load.shops)),
      columns('verified payments a day', (n) => whole(loads[n]!.load.payments)),
      columns('cores: Node + PostgreSQL', (n) => coresText(needs[n]!.cores)),
      columns('memory of Sanad', (n) => memory(needs[n]!.memory.node)),
      columns('memory of PostgreSQL', (n) => memory(needs[n]!.memory.postgres)),
      columns('connections', (n) => whole(needs[n]!.connections)),
      columns('WAL a day', (n) => bytes(walOfDay(costs, loads[n]!.load))),
      columns('disk after a year', (n) => bytes(totalOf(disk[n]!))),
      columns('  kept for good', (n) => bytes(disk[n]!.year)),
      columns(`  texts and payers (${kept.texts} days)`, (n) => bytes(disk[n]!.texts)),
      columns('  webhooks (30 and 90 days)', (n) => bytes(disk[n]!.webhooks)),
      columns(`  API calls (${kept.api_calls} days)`, (n) => bytes(disk[n]!.apiCalls)),
      columns('  idempotency keys (a day)', (n) => bytes(disk[n]!.keys)),
    ]),
    '',
    `A day on ${coresText(own)} cores (M/M/c for Node, then for PostgreSQL)`,
    ...table([
      ['hour', 'share', ...waitHeads],
      ...simulateDay(costs, load, own).hours.map((wait) => [
        `${String(wait.hour).padStart(2, '0')}:00`,
        `${adenDay[wait.hour]!.toFixed(1)} %`,
        ...waitCells(wait),
      ]),
    ]),
    '',
    `The busiest minute (${busiestMinute} times the mean of its hour)`,
    ...table([
      ['', 'cores', ...waitHeads],
      ...loads.flatMap(({ times, load: one }, n) => {
        const rows = [[`${head(times)}, on its own cores`, needs[n]!.cores]] as [string, Cores][]
        if (times > 1) rows.push([`${head(times)}, on the cores asked for`, own])
        return rows.map(([name, cores]) => [
          name,
          coresText(cores),
          ...waitCells(simulateDay(costs, one, cores).busiest),
        ])
      }),
    ]),
    '',
    'Where it breaks: payments a day at which the busiest minute uses all of Node or of PostgreSQL',
    ...table([
      ['cores', 'payments a day', 'times what was asked', 'what is full', 'hours too full at x 10', 'at x 100'],
      ...[own, { node: 1, postgres: 1 }, { node: 2, postgres: 2 }, { node: 4, postgres: 4 }, { node: 16, postgres: 16 }]
        .filter((cores, n) => n === 0 || coresText(cores) !== coresText(own))
        .map((cores) => {
          const payments = breaksAt(costs, load, cores)
          const { node, postgres } = simulateDay(costs, loadTimes(load, payments / load.payments), cores).busiest
            .utilisation
          const full = (times: number): string =>
            String(simulateDay(costs, loadTimes(load, times), cores).hours.filter(({ excess }) => excess > 0).length)
          return [
            coresText(cores),
            whole(payments),
            (payments / load.payments).toFixed(1),
            node >= postgres ? 'Node' : 'PostgreSQL',
            full(10),
            full(100),
          ]
        }),
    ]),
    '',
    'Assumptions',
    `  For each verified payment ${Object.entries(habits.perPayment)
      .map(([call, count]) => `${count} ${call}`)
      .join(', ')}; for each shop and day ${Object.entries(habits.perShop)
      .map(([call, count]) => `${count} ${call.replace('_', ' ')}`)
      .join(', ')} and a heartbeat a minute.`,
    `  Cores are chosen so that the busiest minute uses at most ${percent(bounds.utilisation)} of each and 99 % of the calls wait at most ${bounds.p99_s * 1000} ms.`,
    '  Calls come at random and independently; the time of one call is exponential around its mean. Not in the model: the flush of the',
    '  disk, locks of one account, the network, cores slower or faster than those measured, a cache too small for the tables.',
  ]
  return `${lines.join('\n')}\n`
}
