import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WalletIdentity } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { amountKey, amountLocks, candidatesOf, chooseAmounts } from './choose-amounts.ts'
import { OpenAmounts } from './open-amounts.ts'
import { RESTS, uniqueAmounts } from './unique-amounts.ts'

const [wallet, other] = ['w1' as WalletIdentity, 'w2' as WalletIdentity]
const request = (base: bigint, identity = wallet, most = 99) => ({
  identity,
  base: minor(base),
  setting: { direction: 'more', most } as const,
})

test('orders of one amount get the smallest additions, in the order of the batch; another wallet has its own amounts', () => {
  const chosen = chooseAmounts([request(150_000n), request(150_000n), request(150_000n, other)], new Map())
  assert.deepEqual(chosen, [150_100n, 150_200n, 150_100n])
})

test('two order amounts whose candidates overlap do not get the same amount', () => {
  assert.deepEqual(chooseAmounts([request(150_000n), request(150_100n)], new Map()), [150_100n, 150_200n])
})

const held = RESTS.length

test('a held amount is not chosen; if none is free, the order’s own amount is', () => {
  const classes = new Map([[amountKey(wallet, minor(150_100n)), held]])
  assert.deepEqual(chooseAmounts([request(150_000n)], classes), [150_200n])
  assert.deepEqual(chooseAmounts([request(150_000n, wallet, 1)], classes), [150_000n])
})

test('the smallest of the longest-rested amounts is chosen; less rested amounts only if there is none', () => {
  const classes = new Map([
    [amountKey(wallet, minor(150_100n)), 2],
    [amountKey(wallet, minor(150_200n)), 1],
    [amountKey(wallet, minor(150_300n)), 1],
  ])
  assert.deepEqual(chooseAmounts([request(150_000n)], classes), [150_400n])
  const three = () => request(150_000n, wallet, 3)
  assert.deepEqual(chooseAmounts([three(), three(), three(), three()], classes), [
    150_200n,
    150_300n,
    150_100n,
    150_000n,
  ])
})

test('property: no amount is chosen twice, no held amount is chosen, the smallest free one comes first', () => {
  const anyRequest = fc.record({
    identity: fc.constantFrom(wallet, other),
    base: fc.bigInt(1n, 60n).map((units) => minor(units * 50n)),
    setting: fc.record({
      direction: fc.constantFrom('more' as const, 'less' as const),
      most: fc.integer({ min: 1, max: 5 }),
    }),
  })
  fc.assert(
    fc.property(
      fc.array(anyRequest, { maxLength: 40 }),
      fc.array(anyRequest, { maxLength: 10 }),
      (requests, before) => {
        const taken = new Set(candidatesOf(before).map(({ request, amount }) => amountKey(request.identity, amount)))
        const chosen = chooseAmounts(requests, new Map([...taken].map((key) => [key, held])))
        for (const [i, { identity, base, setting }] of requests.entries()) {
          const free = uniqueAmounts(base, setting).filter((amount) => !taken.has(amountKey(identity, amount)))
          const earlier = chosen.slice(0, i).map((payable, n) => ({ ...requests[n]!, payable }))
          const open = new OpenAmounts(earlier.filter((before) => before.identity === identity))
          assert.equal(chosen[i], free.find((payable) => !open.isNear({ base, payable })) ?? free[0] ?? base)
          taken.add(amountKey(identity, chosen[i]!))
        }
      },
    ),
  )
})

test('while several intents are open, an amount near one of theirs is not chosen if another is free', () => {
  const open = [1_501, 1_502, 2_004, 3_006, 4_008].map((units) => ({
    identity: wallet,
    base: minor(BigInt(units - (units % 100)) * 100n),
    payable: minor(BigInt(units) * 100n),
  }))
  // 2501, 2502, 2504, 2506 and 2508 are the rest of an open amount after a round part was paid.
  assert.deepEqual(chooseAmounts([request(250_000n), request(250_000n, other)], new Map(), open), [250_300n, 250_100n])
  const [near] = chooseAmounts([request(250_000n, wallet, 2)], new Map(), open)
  assert.equal(near, 250_100n)
  // An amount that is not near is preferred to one that has rested longer.
  const rested = new Map([[amountKey(wallet, minor(250_300n)), 3]])
  assert.deepEqual(chooseAmounts([request(250_000n, wallet, 4)], rested, open), [250_300n])
})

test('orders of one amount get the smallest additions in turn, however many are open', () => {
  const requests = Array.from({ length: 12 }, () => request(100_000n))
  const smallest = uniqueAmounts(minor(100_000n), requests[0]!.setting).slice(0, 12)
  assert.deepEqual(chooseAmounts(requests, new Map()), smallest)
})

test('there is one lock for each real wallet, and the locks are sorted', () => {
  const locks = amountLocks([wallet, other, wallet])
  assert.equal(locks.length, 2)
  assert.ok(locks[0]! < locks[1]!)
})
