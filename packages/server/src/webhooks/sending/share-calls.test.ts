/** No queue, however long, takes the calls that another endpoint needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountId, EndpointId } from '../../core/ids.ts'
import { webhookDefaults } from '../settings.ts'
import { type ReadyEndpoint, shareCalls } from './share-calls.ts'

const endpoint = (id: string, accountId = `account of ${id}`, room = 8): ReadyEndpoint => ({
  id: id as EndpointId,
  accountId: accountId as AccountId,
  room,
})
const idle = { byEndpoint: new Map<EndpointId, number>(), byAccount: new Map<AccountId, number>() }

test('each gets a few, in turn, until nothing is free', () => {
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

test('an account with many endpoints gets a quarter and not one more, within one claim too', () => {
  const greedy = Array.from({ length: 50 }, (_, n) => endpoint(`g${n}`, 'greedy'))
  const shares = shareCalls([...greedy, endpoint('small')], 256, idle, { ...webhookDefaults, claim_most: 1000 })
  const of = (prefix: string) =>
    shares.filter(({ id }) => id.startsWith(prefix)).reduce((sum, { most }) => sum + most, 0)
  assert.equal(of('g'), 64)
  assert.equal(of('small'), 4)
})

test('whatever is under way, no bound is ever passed', () => {
  const asked = fc.array(fc.record({ account: fc.nat(3), room: fc.integer({ min: 1, max: 8 }), own: fc.nat(8) }))
  fc.assert(
    fc.property(asked, fc.nat(256), (ones, free) => {
      const ready = ones.map(({ account, room }, n) => endpoint(`e${n}`, `a${account}`, room))
      const byEndpoint = new Map(ones.map(({ own }, n) => [`e${n}` as EndpointId, own] as const))
      const byAccount = new Map<AccountId, number>()
      ones.forEach(({ account, own }) => {
        const id = `a${account}` as AccountId
        byAccount.set(id, (byAccount.get(id) ?? 0) + own)
      })
      const shares = shareCalls(ready, free, { byEndpoint, byAccount }, webhookDefaults)
      assert.ok(shares.reduce((sum, { most }) => sum + most, 0) <= Math.min(free, 128))
      for (const { id, most, underWay } of shares) {
        assert.ok(most >= 1 && most <= 4)
        assert.ok(most + underWay <= ready.find((one) => one.id === id)!.room)
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
