/** A long queue of one endpoint does not take the calls that another endpoint needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountId, EndpointId } from '../../core/ids.ts'
import { webhookDefaults } from '../settings.ts'
import { type ReadyEndpoint, shareCalls } from './share-calls.ts'

const endpoint = (id: string, accountId = `account of ${id}`, callLimit = 8): ReadyEndpoint => ({
  id: id as EndpointId,
  accountId: accountId as AccountId,
  callLimit,
})
const idle = { byEndpoint: new Map<EndpointId, number>(), byAccount: new Map<AccountId, number>() }

test('each endpoint gets a few calls, in turn, until none is free', () => {
  const shares = shareCalls([endpoint('a'), endpoint('b'), endpoint('c')], 10, idle, webhookDefaults)
  assert.deepEqual(
    shares.map(({ id, most }) => [id, most]),
    [
      ['a', 4],
      ['b', 4],
      ['c', 2],
    ],
  )
})

test('an endpoint with all its calls under way waits; one that recovers gets only the calls that its breaker allows', () => {
  const busy = { ...idle, byEndpoint: new Map([['a' as EndpointId, 8] as const, ['b' as EndpointId, 6] as const]) }
  const shares = shareCalls([endpoint('a'), endpoint('b'), endpoint('c', 'other', 1)], 100, busy, webhookDefaults)
  assert.deepEqual(shares, [
    { id: 'b', most: 2, underWay: 6 },
    { id: 'c', most: 1, underWay: 0 },
  ])
})

test('an account with many endpoints gets at most a quarter of the calls, within one claim too', () => {
  const greedy = Array.from({ length: 50 }, (_, n) => endpoint(`g${n}`, 'greedy'))
  const shares = shareCalls([...greedy, endpoint('small')], 256, idle, { ...webhookDefaults, claim_most: 1000 })
  const callsOf = (prefix: string) =>
    shares.filter(({ id }) => id.startsWith(prefix)).reduce((sum, { most }) => sum + most, 0)
  assert.equal(callsOf('g'), 64)
  assert.equal(callsOf('small'), 4)
})

test('whatever calls are under way, no limit is exceeded', () => {
  const endpoints = fc.array(
    fc.record({ account: fc.nat(3), callLimit: fc.integer({ min: 1, max: 8 }), own: fc.nat(8) }),
  )
  fc.assert(
    fc.property(endpoints, fc.nat(256), (states, free) => {
      const ready = states.map(({ account, callLimit }, n) => endpoint(`e${n}`, `a${account}`, callLimit))
      const byEndpoint = new Map(states.map(({ own }, n) => [`e${n}` as EndpointId, own] as const))
      const byAccount = new Map<AccountId, number>()
      states.forEach(({ account, own }) => {
        const id = `a${account}` as AccountId
        byAccount.set(id, (byAccount.get(id) ?? 0) + own)
      })
      const shares = shareCalls(ready, free, { byEndpoint, byAccount }, webhookDefaults)
      assert.ok(shares.reduce((sum, { most }) => sum + most, 0) <= Math.min(free, 128))
      for (const { id, most, underWay } of shares) {
        assert.ok(most >= 1 && most <= 4)
        assert.ok(most + underWay <= ready.find((one) => one.id === id)!.callLimit)
      }
      for (const [account, under] of byAccount) {
        const more = shares
          .filter(({ id }) => ready.find((one) => one.id === id)!.accountId === account)
          .reduce((sum, { most }) => sum + most, 0)
        assert.ok(more === 0 || more + under <= 64)
      }
    }),
  )
})

test('an account may have one call, however small its share', () => {
  const shares = shareCalls([endpoint('a')], 10, idle, { ...webhookDefaults, calls: 2 })
  assert.deepEqual(shares, [{ id: 'a', most: 1, underWay: 0 }])
})

test('the last free call is given too, and then no further endpoint is read', () => {
  const read: string[] = []
  const ready = function* () {
    for (const name of ['a', 'b', 'c']) {
      read.push(name)
      yield endpoint(name)
    }
  }
  assert.deepEqual(shareCalls(ready(), 5, idle, webhookDefaults), [
    { id: 'a', most: 4, underWay: 0 },
    { id: 'b', most: 1, underWay: 0 },
  ])
  assert.deepEqual(read, ['a', 'b', 'c'])
  shareCalls(ready(), 4, idle, webhookDefaults)
  assert.deepEqual(read.slice(3), ['a', 'b'])
})

test('an account gets its whole share: calls of other accounts do not count', () => {
  const shares = shareCalls([endpoint('a')], 10, idle, { ...webhookDefaults, calls: 16 })
  assert.deepEqual(shares, [{ id: 'a', most: 4, underWay: 0 }])
})
