import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AlertId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import {
  type Chain,
  followChain,
  type Link,
  type Movement,
  proveAlert,
  proven_ms,
  readDoubts,
  writeDoubts,
} from './balance-chain.ts'

const known: Chain = { balance: minor(100_000n), at: 1000, ends: [], unseen: [] }
let lastId = 0
const movement = (fields: Partial<Movement>): Movement => ({
  id: `a${++lastId}` as AlertId,
  direction: 'credit',
  amount: minor(5000n),
  at: 2000,
  trusted: true,
  ...fields,
})
/** A movement and the balance that it shows. */
const shows = (change: bigint, balance: bigint, at: number, more: Partial<Movement> = {}): Movement =>
  movement({
    direction: change < 0n ? 'debit' : 'credit',
    amount: minor(change < 0n ? -change : change),
    balance: minor(balance),
    at,
    ...more,
  })
const follow = (chain: Chain | undefined, movements: readonly Movement[]) => {
  const links: Link[] = []
  let current = chain
  for (const next of movements) {
    const { link, chain: after } = followChain(current, next)
    links.push(link)
    // Written and read again, as the database does.
    current = after && { balance: after.balance, at: after.at, ...readDoubts(writeDoubts(after)) }
  }
  return { links, kinds: links.map(({ kind }) => kind).join(' '), chain: current }
}

test('the balance before and the amount give the balance after', () => {
  assert.equal(follow(known, [shows(5000n, 105_000n, 2)]).kinds, 'fits')
  assert.equal(follow(known, [shows(-5000n, 95_000n, 2)]).kinds, 'fits')
})

test('a break tells the missing amount and since when, and does not move the known balance', () => {
  const { links, chain } = follow(known, [shows(5000n, 107_000n, 2000)])
  assert.deepEqual(links, [{ kind: 'break', missing: 2000n, since: 1000 }])
  assert.equal(chain?.balance, 100_000n)
  assert.deepEqual(follow(known, [shows(-5000n, 90_000n, 2000)]).links, [
    { kind: 'break', missing: -5000n, since: 1000 },
  ])
})

test('without a balance to compare the link is unknown, not a break', () => {
  const first = follow(undefined, [shows(1n, 70n, 5)])
  assert.deepEqual([first.kinds, first.chain?.balance], ['unknown', 70n])
  assert.deepEqual(follow(undefined, [movement({})]), {
    links: [{ kind: 'unknown' }],
    kinds: 'unknown',
    chain: undefined,
  })
})

test('a fee may be part of the amount or come on top', () => {
  const fee = minor(100n)
  for (const balance of [104_900n, 105_000n])
    assert.equal(follow(known, [shows(5000n, balance, 2, { fee })]).kinds, 'fits')
  assert.equal(follow(known, [shows(5000n, 105_100n, 2, { fee })]).kinds, 'break')
})

test('an alert without a balance moves the known balance, or fills a gap if it comes just after', () => {
  const on = follow(known, [movement({}), shows(5000n, 110_000n, 3000)])
  assert.equal(on.kinds, 'unknown fits')
  const late = follow(known, [shows(2000n, 107_000n, 3000), movement({ at: 4000 }), shows(1000n, 108_000n, 5000)])
  assert.deepEqual([late.kinds, late.chain?.balance, late.chain?.ends], ['break unknown fits', 108_000n, []])
  // After a break, an alert without a balance also moves the doubtful end.
  const both = follow(known, [shows(1n, 50n, 3000), movement({ at: 9e6 }), shows(1n, 5051n, 9e6)])
  assert.equal(both.kinds, 'break unknown doubtful')
})

const change = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.boolean())
  .map(([amount, debit]) => (debit ? -amount : amount))
const trueDay = (changes: readonly bigint[]): Movement[] => {
  let balance = 10n ** 12n
  return changes.map((moved, i) => {
    balance += moved
    return shows(moved, balance, i + 1)
  })
}
const opening: Chain = { ...known, balance: minor(10n ** 12n), at: 0 }

test('property: a complete chain never breaks; one lost alert breaks it once, by its amount', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 3, maxLength: 20 }), fc.nat(), (changes, pick) => {
      const all = trueDay(changes)
      assert.ok(follow(opening, all).links.every(({ kind }) => kind === 'fits'))
      const lost = pick % (all.length - 1)
      // Not a day on which the wallet returns to the balance before the lost alert: then later alerts fit again.
      const before = lost === 0 ? opening.balance : all[lost - 1]!.balance
      fc.pre(all.slice(lost).every(({ balance }) => balance !== before))
      const { links } = follow(opening, all.toSpliced(lost, 1))
      assert.deepEqual(links[lost], { kind: 'break', missing: changes[lost], since: lost })
      for (const [i, { kind }] of links.entries()) if (i !== lost) assert.equal(kind, i < lost ? 'fits' : 'doubtful')
    }),
  )
})

test('property: two swapped alerts cause at most one break, and the chain ends the same', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 20 }), fc.nat(), (changes, pick) => {
      const all = trueDay(changes)
      const i = pick % (all.length - 1)
      const { links, chain } = follow(opening, [...all.slice(0, i), all[i + 1]!, all[i]!, ...all.slice(i + 2)])
      assert.ok(links.filter(({ kind }) => kind !== 'fits').length <= 1)
      assert.deepEqual([chain!.balance, chain!.ends], [all.at(-1)!.balance, []])
    }),
  )
})

test('three alerts in any order end at the same balance', () => {
  const [a, b, c] = trueDay([50n, 20n, -7n]) as [Movement, Movement, Movement]
  for (const order of [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ]) {
    const { chain } = follow(opening, order)
    assert.deepEqual([chain!.balance, chain!.ends], [c.balance, []])
  }
})

test('property: forged messages, many and consistent ones too, move no balance and prove nothing', () => {
  const lies = fc.array(fc.record({ at: fc.nat(19), change, agrees: fc.boolean(), start: fc.bigInt(0n, 9n ** 9n) }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 5, maxLength: 20 }), lies, (changes, forged) => {
      const all = trueDay(changes)
      const reported: { movement: Movement; lie: boolean }[] = []
      let shown = -1n
      for (const [i, real] of all.entries()) {
        for (const lie of forged.filter(({ at }) => at === i)) {
          shown = (lie.agrees && shown >= 0n ? shown : lie.start) + lie.change
          reported.push({ movement: shows(lie.change, shown, i + 1), lie: true })
        }
        reported.push({ movement: real, lie: false })
      }
      const { links, chain } = follow(
        opening,
        reported.map(({ movement }) => movement),
      )
      assert.equal(chain!.balance, all.at(-1)!.balance)
      for (const [i, { lie }] of reported.entries()) assert.equal(links[i]!.kind === 'fits', !lie)
    }),
  )
})

test('after a lost message the chain recovers: a day-old end with a trusted alert becomes the balance', () => {
  const after = (start: number) => [shows(10n, 60n, start), shows(5n, 65n, start + 1000)]
  const recovered = follow(known, [
    ...after(2000),
    shows(5n, 70n, 2000 + proven_ms - 1),
    shows(5n, 75n, 2000 + proven_ms),
  ])
  assert.equal(recovered.kinds, 'break doubtful doubtful fits')
  assert.deepEqual([recovered.chain?.balance, recovered.chain?.ends], [75n, []])
  // The lost message arrives: it fits in its gap, and moves nothing.
  const late = follow(recovered.chain, [shows(-99_950n, 50n, 3e8), shows(1n, 76n, 4e8)])
  assert.deepEqual([late.kinds, late.chain?.unseen], ['fits fits', []])
  // An unsigned alert does not prove the end, nor does any alert after one that followed from the known balance.
  const untrusted = shows(5n, 70n, 2000 + proven_ms, { trusted: false })
  assert.equal(follow(known, [...after(2000), untrusted]).kinds, 'break doubtful doubtful')
  const denied = [...after(2000), shows(1n, 100_001n, 4000), shows(5n, 70n, 2000 + proven_ms)]
  assert.equal(follow(known, denied).kinds, 'break doubtful fits doubtful')
})

test('booking an alert proves its balance, and the alerts that follow from it', () => {
  const first = shows(10n, 60n, 2000)
  const second = shows(5n, 65n, 3000)
  for (const { id } of [first, second]) {
    const proved = proveAlert(follow(known, [first, second]).chain!, id)
    assert.deepEqual([proved.balance, proved.ends], [65n, []])
    assert.equal(follow(proved, [shows(1n, 66n, 4000)]).kinds, 'fits')
  }
  const { chain } = follow(known, [first])
  assert.equal(proveAlert(chain!, 'nobody' as AlertId), chain)
})

test('the stored chain stays small after a thousand alerts', () => {
  const many = Array.from({ length: 500 }, (_, i) => shows(10n, BigInt(i * 1000 + 7), i))
  const follows = Array.from({ length: 500 }, (_, i) => shows(1n, 499_008n + BigInt(i), 1000 + i))
  const { chain } = follow(known, [...many, ...follows])
  assert.ok(writeDoubts(chain!).length < 10_000)
})
