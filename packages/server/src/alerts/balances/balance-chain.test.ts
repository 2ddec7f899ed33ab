import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minute_ms } from '../../core/duration.ts'
import type { AlertId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import {
  type Chain,
  type DoubtfulEnd,
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

const T = Date.parse('2026-01-02T03:04:05Z')
const end = (from: bigint, to: bigint, more: Partial<DoubtfulEnd> = {}): DoubtfulEnd => ({
  ...{ from: minor(from), to: minor(to), since: T, at: T, missing: minor(0n), missingSince: T },
  ...{ denied: false, alerts: [`of ${from}` as AlertId], ...more },
})
const at100: Chain = { balance: minor(100n), at: T, ends: [], unseen: [] }

test('an end is proved by its age after a day', () => {
  assert.equal(proven_ms, 24 * 60 * minute_ms)
})

test('an older message that leads up to the first one fits for a day, and the known balance stays', () => {
  const first = follow(undefined, [shows(10n, 60n, T)]).chain!
  assert.deepEqual(first.start, { from: 50n, at: T })
  const late = (at: number, balance = 50n) => follow(first, [shows(5n, balance, at)])
  assert.deepEqual(late(T + proven_ms).chain, {
    ...first,
    start: { from: 45n, at: T },
    signedAt: T + proven_ms,
  })
  assert.deepEqual([late(T + proven_ms).kinds, late(T + proven_ms + 1).kinds], ['fits', 'break'])
  assert.equal(late(T + 1, 49n).kinds, 'break')
})

test('an end that leads up to the first message becomes part of the chain', () => {
  const older = [shows(5n, 35n, T + 1), shows(15n, 50n, T + 2)]
  const { kinds, chain } = follow(undefined, [shows(10n, 60n, T), ...older])
  assert.equal(kinds, 'unknown break fits')
  assert.deepEqual([chain!.balance, chain!.ends, chain!.start], [60n, [], { from: 30n, at: T }])
  assert.deepEqual(chain!.proved, [older[0]!.id])
  const elsewhere = follow(undefined, [shows(10n, 60n, T), shows(5n, 36n, T + 1), shows(15n, 50n, T + 2)]).chain!
  assert.deepEqual([elsewhere.ends.length, elsewhere.start], [1, { from: 35n, at: T }])
})

test('a late message narrows the gap that it belongs to, from either side', () => {
  const chain: Chain = { ...at100, unseen: [{ from: minor(500n), to: minor(900n), until: T }] }
  const unseenAfter = (message: Movement) => {
    const { kinds, chain: after } = follow(chain, [message])
    return [kinds, after!.balance, after!.unseen.map(({ from, to }) => `${from} to ${to}`)]
  }
  assert.deepEqual(unseenAfter(shows(30n, 530n, T)), ['fits', 100n, ['530 to 900']])
  assert.deepEqual(unseenAfter(shows(30n, 900n, T)), ['fits', 100n, ['500 to 870']])
  assert.deepEqual(unseenAfter(shows(400n, 900n, T)), ['fits', 100n, []])
  assert.deepEqual(unseenAfter(shows(30n, 899n, T)), ['break', 100n, ['500 to 900']])
})

test('a message before a doubtful end joins it', () => {
  const chain: Chain = { ...at100, ends: [end(500n, 510n)] }
  const message = shows(20n, 500n, T + 1)
  const joined = follow(chain, [message])
  assert.deepEqual(
    [joined.kinds, joined.chain!.ends],
    ['break', [end(480n, 510n, { alerts: ['of 500' as AlertId, message.id] })]],
  )
  assert.equal(follow(chain, [shows(20n, 501n, T + 1)]).chain!.ends.length, 2)
})

test('the fee belongs to the movement: in the balance before, in the missing amount, and without a shown balance', () => {
  const fee = minor(3n)
  const { links, chain } = follow(at100, [shows(50n, 1_000n, T + 1, { fee })])
  assert.deepEqual(links, [{ kind: 'break', missing: 853n, since: T }])
  assert.equal(chain!.ends[0]!.from, 953n)
  assert.equal(follow(undefined, [shows(50n, 1_000n, T, { fee })]).chain!.start!.from, 953n)
  assert.equal(follow(at100, [movement({ amount: minor(50n), fee, at: T })]).chain!.balance, 147n)
})

test('a break is measured from the newest end that is not denied', () => {
  const missing = (...ends: DoubtfulEnd[]) => {
    const [link] = follow({ ...at100, ends }, [shows(1n, 5_000n, T + 9)]).links
    return link?.kind === 'break' ? [link.missing, link.since - T] : []
  }
  assert.deepEqual(missing(), [4_899n, 0])
  assert.deepEqual(missing(end(0n, 700n, { at: T + 3 }), end(0n, 800n, { at: T + 2 })), [4_299n, 3])
  assert.deepEqual(missing(end(0n, 700n, { at: T + 2 }), end(0n, 800n, { at: T + 3 })), [4_199n, 3])
  assert.deepEqual(missing(end(0n, 700n, { at: T + 3 }), end(0n, 800n, { at: T + 3 })), [4_199n, 3])
  assert.deepEqual(missing(end(0n, 700n, { at: T + 3, denied: true })), [4_899n, 0])
})

test('a movement without a balance fills a gap of its amount for ten minutes, then it moves the balance', () => {
  const chain: Chain = { ...at100, unseen: [{ from: minor(40n), to: minor(100n), until: T }] }
  const after = (amount: bigint, at: number) => {
    const moved = follow(chain, [movement({ amount: minor(amount), at })]).chain!
    return [moved.balance, moved.unseen.length]
  }
  assert.deepEqual(after(60n, T + 10 * minute_ms), [100n, 0])
  assert.deepEqual(after(60n, T + 10 * minute_ms + 1), [160n, 1])
  assert.deepEqual(after(61n, T), [161n, 1])
})

test('a movement without a balance leads to a doubtful end for ten minutes, then it moves both', () => {
  const chain: Chain = { ...at100, ends: [end(160n, 170n)] }
  const after = (amount: bigint, at: number) => {
    const moved = follow(chain, [movement({ amount: minor(amount), at })]).chain!
    return [moved.balance, moved.ends.map(({ to }) => to)]
  }
  assert.deepEqual(after(60n, T + 10 * minute_ms), [170n, []])
  assert.deepEqual(after(60n, T + 10 * minute_ms + 1), [160n, [230n]])
  assert.deepEqual(after(61n, T), [161n, [231n]])
})

test('when an end is accepted, older ends can no longer be proved by age; newer ones can', () => {
  const ends = [
    end(500n, 510n, { at: T + 5 }),
    end(1n, 2n, { at: T + 4 }),
    end(3n, 4n, { at: T + 5 }),
    end(5n, 6n, { at: T + 6 }),
  ]
  const proved = proveAlert({ ...at100, ends }, 'of 500' as AlertId)
  assert.deepEqual(
    proved.ends.map(({ denied }) => denied),
    [true, false, false],
  )
})

test('an end lists its first alert and the latest 39; 200 proved alerts are listed', () => {
  const follows = Array.from({ length: 45 }, (_, n) => shows(1n, 501n + BigInt(n), T + n))
  const [only] = follow(at100, follows).chain!.ends
  assert.deepEqual(only!.alerts, [follows[0]!.id, ...follows.slice(-39).map(({ id }) => id)])
  const forty = follow(at100, follows.slice(0, 40)).chain!.ends[0]!
  assert.deepEqual(
    forty.alerts,
    follows.slice(0, 40).map(({ id }) => id),
  )
  const listed = Array.from({ length: 199 }, (_, n) => `p${n}` as AlertId)
  const proved = (...alerts: string[]) =>
    proveAlert(
      { ...at100, proved: listed, ends: [end(500n, 510n, { alerts: alerts as AlertId[] })] },
      alerts[0] as AlertId,
    ).proved!
  assert.deepEqual([proved('x').length, proved('x')[0]], [200, 'p0'])
  assert.deepEqual([proved('x', 'y').length, proved('x', 'y')[0]], [200, 'p1'])
})

test('there are eight doubtful ends at most: the oldest denied one is dropped first, otherwise the oldest', () => {
  const seven = Array.from({ length: 7 }, (_, n) => end(BigInt(n), BigInt(1_000 * (n + 1))))
  const after = (ends: readonly DoubtfulEnd[]) =>
    follow({ ...at100, ends }, [shows(1n, 99_999n, T + 1)]).chain!.ends.map(({ to }) => Number(to))
  assert.equal(after(seven).length, 8)
  const eight = [...seven, end(7n, 8_000n)]
  assert.deepEqual(after(eight), [2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 99_999])
  const denied = eight.map((one, n) => (n === 3 || n === 5 ? { ...one, denied: true } : one))
  assert.deepEqual(after(denied), [1_000, 2_000, 3_000, 5_000, 6_000, 7_000, 8_000, 99_999])
})

test('there are eight gaps at most: the oldest is dropped', () => {
  const unseen = Array.from({ length: 8 }, (_, n) => ({ from: minor(BigInt(n)), to: minor(BigInt(n + 50)), until: T }))
  const after = (kept: typeof unseen) =>
    proveAlert({ ...at100, unseen: kept, ends: [end(500n, 510n)] }, 'of 500' as AlertId)
  assert.deepEqual([after(unseen.slice(1)).unseen.length, after(unseen).unseen.length], [8, 8])
  assert.deepEqual(after(unseen).unseen[0], unseen[1])
})

test('a chain is stored with everything that it knows; a chain of before has fewer fields', () => {
  const none = { ends: [], unseen: [] }
  assert.deepEqual(readDoubts('{}'), none)
  for (const some of [
    none,
    { ...none, ends: [end(1n, 2n)] },
    { ...none, unseen: [{ from: minor(1n), to: minor(2n), until: T }] },
    { ...none, start: { from: minor(1n), at: T } },
    { ...none, proved: ['a' as AlertId] },
    { ...none, signedAt: T, unproved: [{ id: 'a' as AlertId, moved: minor(-5n), at: T }] },
  ])
    assert.deepEqual(readDoubts(writeDoubts({ ...some, balance: minor(7n), at: T })), some)
})

const at50: Chain = { balance: minor(50n), at: T, ends: [], unseen: [] }
const unsigned = (amount: bigint, at: number, changes: Partial<Movement> = {}) =>
  movement({ amount: minor(amount), at, trusted: false, ...changes })

test('an unsigned alert without a balance does not move a balance that signed alerts show', () => {
  const forged = follow(at50, [shows(5n, 55n, T), unsigned(50_000n, T + 1)])
  assert.equal(forged.chain?.balance, 55n)
  // The next signed alert follows from the signed balance, whatever unsigned ones said.
  assert.deepEqual(follow(forged.chain, [shows(6n, 61n, T + 2), shows(7n, 68n, T + 3)]).kinds, 'fits fits')
  const debit = follow(at50, [shows(5n, 55n, T), unsigned(50n, T + 1, { direction: 'debit' }), shows(6n, 61n, T + 2)])
  assert.equal(debit.kinds, 'fits unknown fits')
})

test('an unsigned movement counts when a signed balance follows from it, alone or with others', () => {
  const two = [unsigned(100n, T + 1), unsigned(7_000n, T + 2), unsigned(20n, T + 3)]
  const after = follow(at50, [shows(5n, 55n, T), ...two])
  assert.equal(after.chain?.balance, 55n)
  const proved = follow(after.chain, [shows(1n, 176n, T + 4)])
  assert.deepEqual([proved.kinds, proved.chain?.balance], ['fits', 176n])
  assert.deepEqual(
    proved.chain?.unproved?.map(({ moved }) => moved),
    [7_000n],
    'what is not proved stays',
  )
  // An unsigned balance proves nothing.
  assert.equal(follow(after.chain, [shows(1n, 176n, T + 4, { trusted: false })]).kinds, 'break')
  const next = follow(proved.chain, [shows(2n, 7_178n, T + 5)])
  assert.deepEqual([next.kinds, 'unproved' in next.chain!], ['fits', false])
})

test('an unsigned movement counts without its fee, and as few as possible are taken for proved', () => {
  const withFee = follow(at50, [shows(5n, 55n, T), unsigned(100n, T + 1, { fee: minor(3n) }), shows(1n, 153n, T + 2)])
  assert.equal(withFee.kinds, 'fits unknown fits')
  const all = [unsigned(60n, T + 1), unsigned(40n, T + 2), unsigned(100n, T + 3)]
  const { chain } = follow(at50, [shows(5n, 55n, T), ...all, shows(1n, 156n, T + 4)])
  assert.deepEqual(
    chain?.unproved?.map(({ moved }) => moved),
    [60n, 40n],
  )
})

test('the signed report of an unsigned movement moves the balance once', () => {
  const first = unsigned(100n, T + 1)
  const { chain } = follow(at50, [shows(5n, 55n, T), first])
  const again = follow(chain, [movement({ amount: minor(100n), at: T + 2, replaces: [first.id] })])
  assert.deepEqual([again.chain?.balance, 'unproved' in again.chain!], [155n, false])
  assert.equal(follow(again.chain, [shows(1n, 156n, T + 3)]).kinds, 'fits')
})

test('without a signed alert in the last day, unsigned movements move the balance', () => {
  const after = (at: number) => follow(at50, [shows(5n, 55n, T), unsigned(100n, at)]).chain?.balance
  assert.deepEqual([after(T + proven_ms - 1), after(T + proven_ms)], [55n, 155n])
  const never = follow(at50, [shows(5n, 55n, T, { trusted: false }), unsigned(100n, T + 1)])
  assert.equal(never.chain?.balance, 155n)
  // A signed alert that breaks the chain shows no balance that counts.
  const broken = follow(at50, [shows(5n, 999n, T), unsigned(100n, T + 1)])
  assert.equal(broken.chain?.balance, 150n)
})

test('at most six unsigned movements are kept, the newest, each for a day', () => {
  const many = Array.from({ length: 7 }, (_, n) => unsigned(10n ** BigInt(n), T + n + 1))
  const { chain } = follow(at50, [shows(5n, 55n, T), ...many])
  assert.deepEqual(
    chain?.unproved?.map(({ id }) => id),
    many.slice(1).map(({ id }) => id),
  )
  const signed = shows(1n, 56n, T + proven_ms)
  const later = follow(chain, [signed, unsigned(3n, T + 3 + proven_ms)])
  assert.deepEqual(
    later.chain?.unproved?.map(({ moved }) => moved),
    [1_000n, 10_000n, 100_000n, 1_000_000n, 3n],
  )
})
