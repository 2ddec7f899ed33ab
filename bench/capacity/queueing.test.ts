import assert from 'node:assert/strict'
import { test } from 'node:test'
import { erlangC, serversFor, utilisation, waitWithin } from './queueing.ts'

const near = (value: number, expected: number, by = 5e-5): void =>
  assert.ok(Math.abs(value - expected) <= by, `${value} is not ${expected}`)

test('Erlang C has the values of the tables', () => {
  // One server: the probability to wait is the utilisation. Two at half load: 1/3. The others are of printed tables.
  near(erlangC(0.3, { servers: 1, service_s: 1 }), 0.3)
  near(erlangC(1, { servers: 2, service_s: 1 }), 1 / 3)
  near(erlangC(4, { servers: 5, service_s: 1 }), 0.5541)
  near(erlangC(8, { servers: 10, service_s: 1 }), 0.4092)
  near(erlangC(80, { servers: 100, service_s: 1 }), 0.0196)
})

test('Erlang C needs no large factorials: a thousand servers', () => {
  const wait = erlangC(900, { servers: 1000, service_s: 1 })
  assert.ok(wait > 0 && wait < 0.001, String(wait))
})

test('only the product of rate and service time counts', () => {
  near(erlangC(400, { servers: 2, service_s: 0.0025 }), 1 / 3)
  near(utilisation(400, { servers: 2, service_s: 0.0025 }), 0.5)
})

test('with one server the mean and the percentiles of the wait are those of M/M/1', () => {
  const station = { servers: 1, service_s: 0.01 }
  // At half load: P(wait > t) = 0.5 exp(-50 t).
  near(waitWithin(0.99, 50, station), Math.log(50) / 50)
  assert.equal(waitWithin(0.5, 50, station), 0)
  assert.ok(waitWithin(0.9, 50, station) < waitWithin(0.99, 50, station))
})

test('at full load and above every call waits, without end', () => {
  const station = { servers: 2, service_s: 0.5 }
  for (const rate of [4, 5]) {
    assert.equal(erlangC(rate, station), 1)
    assert.equal(waitWithin(0.5, rate, station), Number.POSITIVE_INFINITY)
  }
})

test('the fewest servers keep both bounds, and one fewer breaks one', () => {
  const bounds = { utilisation: 0.7, p99_s: 0.05 }
  for (const [rate, service_s] of [
    [10, 0.002],
    [700, 0.001],
    [701, 0.001],
    [5_000, 0.004],
    [30, 0.03],
  ] as const) {
    const servers = serversFor(rate, (count) => ({ servers: count, service_s }), bounds)
    const keeps = (count: number): boolean => {
      const station = { servers: count, service_s }
      return utilisation(rate, station) <= 0.7 && waitWithin(0.99, rate, station) <= 0.05
    }
    assert.ok(keeps(servers))
    assert.ok(servers === 1 || !keeps(servers - 1), `${rate} ${service_s} ${servers}`)
  }
})

test('nobody comes: one server, no wait', () => {
  assert.equal(
    serversFor(0, (servers) => ({ servers, service_s: 0.001 }), { utilisation: 0.7, p99_s: 0.05 }),
    1,
  )
  assert.equal(waitWithin(0.99, 0, { servers: 1, service_s: 0.001 }), 0)
})
