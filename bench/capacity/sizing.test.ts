import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Costs, calls } from './costs.ts'
import {
  bounds,
  breaksAt,
  callsOfDay,
  coresFor,
  diskOf,
  loadTimes,
  momentOf,
  needsOf,
  simulateDay,
  totalOf,
  walBytes,
  walOfDay,
} from './sizing.ts'

const costs: Costs = {
  machine: 'made up',
  node: 'v24',
  postgres: '17',
  commit: 'none',
  at_once: 8,
  calls: Object.fromEntries(calls.map((call) => [call, { node_us: 500, postgres_us: 250 }])) as Costs['calls'],
  idle: { node: 0.01, postgres: 0.02 },
  vacuum_us: 0,
  wal: [
    [1, 100_000],
    [10, 550_000],
    [100, 1_000_000],
  ],
  disk: { forever: 5_000, texts: 500, attempts: 1_000, ends: 200, keys: 600 },
  api_call: 400,
  memory: { node: 180, postgres: 300, connection: 5 },
}
const load = { shops: 1_000, payments: 100_000 }
const near = (value: number, expected: number): void =>
  assert.ok(Math.abs(value - expected) <= Math.abs(expected) * 1e-9, `${value} is not ${expected}`)

test('the processors of a moment are the calls times what they cost', () => {
  const all = Object.values(callsOfDay(load)).reduce((sum, count) => sum + count, 0)
  const mean = momentOf(costs, load, 1)
  near(mean.rate, all / 86_400)
  near(mean.node, (all / 86_400) * 500e-6)
  near(mean.postgres, (all / 86_400) * 250e-6)
})

test('what is used when nothing happens is missing for calls', () => {
  const used = (idle: number): number =>
    simulateDay({ ...costs, idle: { node: idle, postgres: 0 } }, load, { node: 2, postgres: 1 }).busiest.utilisation
      .node
  near(used(1), 2 * used(0))
})

test('heartbeats come at night too: they do not follow the curve of the day', () => {
  near(momentOf(costs, load, 0).rate, (1_000 * 1_440) / 86_400)
})

test('the cores of a load keep its bounds in the busiest minute, and one fewer does not', () => {
  const large = loadTimes(load, 100)
  const cores = coresFor(costs, large)
  const keeps = (node: number, postgres: number): boolean => {
    const { utilisation } = simulateDay(costs, large, { node, postgres }).busiest
    return Math.max(utilisation.node, utilisation.postgres) <= bounds.utilisation
  }
  assert.ok(cores.node > cores.postgres && cores.postgres > 1)
  assert.ok(keeps(cores.node, cores.postgres))
  assert.ok(!keeps(cores.node - 1, cores.postgres))
  assert.ok(simulateDay(costs, large, cores).busiest.p99_s <= bounds.p99_s)
})

test('a day that is too large for its cores breaks in its busiest hours, and says by how much', () => {
  const cores = coresFor(costs, load)
  const hundred = simulateDay(costs, loadTimes(load, 100), cores)
  assert.equal(hundred.busiest.p99_s, Number.POSITIVE_INFINITY)
  assert.ok(hundred.busiest.excess > 0 && hundred.busiest.excess < hundred.busiest.rate)
  const one = simulateDay(costs, load, cores)
  assert.ok(one.hours.every(({ excess, p99_s }) => excess === 0 && p99_s < bounds.p99_s))
  assert.equal(one.busiest.hour, 19)
})

test('the breaking point: one percent less holds, one percent more does not', () => {
  const cores = { node: 2, postgres: 2 }
  const payments = breaksAt(costs, load, cores)
  const busiest = (times: number) =>
    simulateDay(costs, loadTimes(load, (payments / load.payments) * times), cores).busiest
  assert.ok(busiest(0.99).utilisation.node < 1)
  assert.ok(busiest(1.01).utilisation.node > 1)
  // More cores for PostgreSQL do not help where Node is what breaks.
  near(breaksAt(costs, load, { node: 2, postgres: 8 }), payments)
})

test('WAL between the measured points is on a straight line; beyond them it goes on as between the last two', () => {
  assert.equal(walBytes(costs.wal, 0), 0)
  near(walBytes(costs.wal, 0.5), 50_000)
  near(walBytes(costs.wal, 1), 100_000)
  near(walBytes(costs.wal, 5.5), 325_000)
  near(walBytes(costs.wal, 100), 1_000_000)
  near(walBytes(costs.wal, 190), 1_450_000)
})

test('twice the payments write less than twice the WAL: more of them share the pages of a checkpoint', () => {
  const [once, twice] = [walOfDay(costs, load), walOfDay(costs, loadTimes(load, 2))]
  assert.ok(twice > once && twice < 2 * once)
})

test('disk: a shorter retention of texts and calls frees exactly theirs', () => {
  const year = diskOf(costs, load, { texts: 365, api_calls: 7 })
  near(year.texts, 365 * 100_000 * 500)
  const half = diskOf(costs, load, { texts: 45, api_calls: 1 })
  near(totalOf(year) - totalOf(half), (365 - 45) * 100_000 * 500 + 6 * (year.apiCalls / 7))
  // A year does not hold more than a year of texts.
  near(diskOf(costs, load, { texts: 730, api_calls: 7 }).texts, year.texts)
})

test('connections are those that the service opens: one process, or all of a machine during a rolling restart', () => {
  assert.equal(needsOf(costs, { shops: 1, payments: 10 }).connections, 26)
  const { cores, connections } = needsOf(costs, loadTimes(load, 20))
  assert.ok(cores.node > 1)
  assert.equal(connections, (cores.node + 2) * 26)
})
