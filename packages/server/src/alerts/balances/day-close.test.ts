import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Minor, minor } from '../../core/money.ts'
import { type DayChain, type DayMovement, dayCloser, mostGaps } from './day-close.ts'

const move = (at: number, signed: bigint, balance: bigint | null, more: Partial<DayMovement> = {}): DayMovement => ({
  at,
  direction: signed < 0n ? 'debit' : 'credit',
  amount: minor(signed < 0n ? -signed : signed),
  balance: balance === null ? null : minor(balance),
  fitted: false,
  doubted: false,
  ...more,
})
const closeOf = (movements: readonly DayMovement[], opening?: bigint) => {
  const day = dayCloser(opening === undefined ? undefined : minor(opening))
  const places = movements.map((movement) => day.add(movement))
  return { ...day.close(), places }
}
const adds = ({ opening, credits, debits, fees, missing, closing }: DayChain): boolean =>
  opening === null
    ? closing === null
    : opening.balance + credits.amount - debits.amount - fees.amount + missing.amount === closing
const kinds = (day: ReturnType<typeof closeOf>): string => day.places.map(({ kind }) => kind).join(' ')

/** A complete day: movements with the balance after each. */
const trueDay = (opening: bigint, moves: readonly bigint[]): DayMovement[] => {
  let balance = opening
  return moves.map((signed, i) => {
    balance += signed
    return move(i * 1000, signed, balance)
  })
}

const signed = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.boolean())
  .map(([amount, debit]) => (debit ? -amount : amount))
/** Money that leaves right after it came: the second alert shows the balance before the first. */
const undoing = fc.constantFrom(1n, -1n, 1000n, -1000n)
/** Small amounts: the same balances occur often, and are easily confused. */
const small = fc.integer({ min: -4, max: 4 }).map((n) => (n === 0 ? 5n : BigInt(n)))

test('property: for shuffled and lost messages, opening + seen credits - seen debits + missing = closing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(signed, { maxLength: 40 }), fc.array(small, { maxLength: 40 })),
      fc.option(fc.bigInt({ min: 0n, max: 10n ** 13n })),
      fc.infiniteStream(fc.record({ lost: fc.boolean(), key: fc.nat(), blank: fc.nat(9), dismissed: fc.nat(9) })),
      (moves, opening, luck) => {
        const seen = trueDay(opening ?? 500n, moves)
          .map((movement) => ({ movement, luck: luck.next().value! }))
          .filter(({ luck: { lost } }) => !lost)
          .sort((a, b) => a.luck.key - b.luck.key)
          .map(({ movement, luck: { blank, dismissed } }) => ({
            ...movement,
            balance: blank === 0 ? null : movement.balance,
            doubted: dismissed === 0,
          }))
        const day = closeOf(seen, opening ?? undefined)
        assert.ok(adds(day))
        const sums = (amounts: readonly Minor[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
        assert.equal(sums(day.places.map(({ missing }) => missing)), day.missing.amount)
        assert.equal(sums(day.gaps.map(({ missing }) => missing)), day.missing.amount)
        const counted = day.credits.count + day.debits.count
        assert.ok(counted >= seen.filter(({ doubted }) => !doubted).length && counted <= seen.length)
      },
    ),
    { numRuns: 1000 },
  )
})

test('property: in the right order, missing is the sum of the lost messages between the first and the last seen one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(signed, fc.boolean()), { minLength: 1, maxLength: 60 }), (moves) => {
      const all = trueDay(
        10n ** 13n,
        moves.map(([amount]) => amount),
      )
      const seen = all.filter((_, i) => !moves[i]![1])
      const day = closeOf(seen, 10n ** 13n)
      if (seen.length === 0) return
      const last = all.indexOf(seen.at(-1)!)
      const lost = moves.slice(0, last).filter(([, isLost]) => isLost)
      // A message that fills a gap by chance has the balances of the gap: the sums are right then too.
      if (day.places.some(({ kind }) => kind === 'fills')) return
      assert.equal(day.closing, seen.at(-1)!.balance)
      assert.equal(
        day.missing.amount,
        lost.reduce((sum, [amount]) => sum + amount, 0n),
      )
      assert.ok(day.missing.count <= lost.length)
    }),
  )
})

test('property: if two neighbours are swapped and none is lost, nothing is missing', () => {
  const swapped = fc
    .oneof(fc.array(signed, { minLength: 3, maxLength: 30 }), fc.array(undoing, { minLength: 3, maxLength: 30 }))
    .chain((moves) => fc.tuple(fc.constant(moves), fc.integer({ min: 0, max: moves.length - 3 })))
  fc.assert(
    fc.property(swapped, ([moves, i]) => {
      const all = trueDay(10n ** 13n, moves)
      const received = [...all.slice(0, i), all[i + 1]!, all[i]!, ...all.slice(i + 2)]
      const day = closeOf(received, 10n ** 13n)
      assert.deepEqual(day.gaps, [])
      assert.equal(day.closing, all.at(-1)!.balance)
    }),
  )
})

test('money that came and left at once, reported in the wrong order, leaves nothing missing', () => {
  const day = closeOf([move(2, -50n, 100n), move(1, 50n, 150n), move(3, 20n, 120n)], 100n)
  assert.deepEqual(day.gaps, [])
  assert.equal(day.missing.amount, 0n)
  assert.equal(day.closing, 120n)
  assert.ok(adds(day))
})

test('the closing balance is the last one shown, even if the last two alerts were swapped', () => {
  const day = closeOf([move(2, -50n, 100n), move(1, 50n, 150n)], 100n)
  assert.equal(day.closing, 150n)
  assert.deepEqual(day.gaps, [{ since: null, until: 2, missing: 50n }])
})

test('a message that comes hours late fills the gap that it left', () => {
  const day = closeOf(
    [move(1, 50n, 150n), move(3, 20n, 200n), move(4, -10n, 190n), move(9e6, 30n, 180n), move(9.1e6, 5n, 195n)],
    100n,
  )
  assert.equal(kinds(day), 'fits break fits fills fits')
  assert.deepEqual(day.gaps, [])
  assert.equal(day.closing, 195n)
})

test('a gap has its amount, and the times of the balances around it', () => {
  const day = closeOf([move(1, 50n, 150n), move(3, 20n, 200n), move(7, -10n, 150n)], 100n)
  assert.deepEqual(day.gaps, [
    { since: 1, until: 3, missing: 30n },
    { since: 3, until: 7, missing: -40n },
  ])
  assert.deepEqual(day.missing, { count: 2, amount: -10n })
})

test('without a balance before the day, the opening is calculated backwards over movements without one', () => {
  const day = closeOf([move(1, 50n, null), move(2, 20n, 200n)])
  assert.deepEqual(day.opening, { balance: 130n, known: 'derived' })
  assert.ok(adds(day))
  assert.equal(closeOf([move(1, 50n, null)]).opening, null)
})

test('a movement without a balance moves the balance; just after a gap of its amount it fills the gap', () => {
  assert.equal(kinds(closeOf([move(1, 50n, null), move(2, 20n, 170n)], 100n)), 'unshown fits')
  const late = closeOf([move(1, 20n, 170n), move(2, 50n, null), move(3, 5n, 175n)], 100n)
  assert.equal(kinds(late), 'break fills fits')
  assert.deepEqual(late.gaps, [])
})

test('if an alert fitted when it came, the difference of its balance is a fee', () => {
  const day = closeOf([move(1, -50n, 49n, { fitted: true })], 100n)
  assert.deepEqual(day.fees, { count: 1, amount: 1n })
  assert.deepEqual(day.gaps, [])
  assert.ok(adds(day))
})

test('forged money that was dismissed moves nothing; real money that was dismissed does', () => {
  const dismissed = { doubted: true }
  const fake = closeOf([move(1, 900n, 1500n, dismissed), move(2, 20n, 120n)], 100n)
  assert.equal(kinds(fake), 'left_out fits')
  assert.deepEqual([fake.credits.amount, fake.leftOut.amount], [20n, 900n])
  const real = closeOf([move(1, 50n, 150n, dismissed), move(2, 20n, 170n)], 100n)
  assert.deepEqual([kinds(real), real.credits.amount, real.leftOut.amount], ['fits fits', 70n, 0n])
  const unshown = closeOf([move(1, 50n, null, dismissed), move(2, 20n, 170n)], 100n)
  assert.deepEqual([unshown.credits.amount, unshown.leftOut.amount, unshown.gaps], [70n, 0n, []])
  assert.ok(adds(unshown))
})

const T = Date.parse('2026-01-02T03:04:05Z')
const later = { doubted: true }

test('the place of a movement tells the missing amount and the fee, each zero unless there is one', () => {
  const fits = closeOf([move(T, 5n, 105n)], 100n).places[0]
  assert.deepEqual(fits, { kind: 'fits', missing: 0n, fee: 0n })
  const withFee = closeOf([move(T, -5n, 93n, { fitted: true })], 100n).places[0]
  assert.deepEqual(withFee, { kind: 'fits', missing: 0n, fee: 2n })
  assert.deepEqual(closeOf([move(T, 5n, 108n)], 100n).places[0], { kind: 'break', missing: 3n, fee: 0n })
})

test('a fee may be as high as the amount, not higher', () => {
  assert.equal(kinds(closeOf([move(T, -5n, 90n, { fitted: true })], 100n)), 'fits')
  assert.equal(kinds(closeOf([move(T, -5n, 89n, { fitted: true })], 100n)), 'break')
})

test('a credit of zero is a credit', () => {
  const { credits, debits } = closeOf([move(T, 0n, 100n)], 100n)
  assert.deepEqual([credits.count, debits.count], [1, 0])
})

test('a dismissed credit that nothing confirms is left out, the smallest too; a debit or zero is not counted there', () => {
  for (const balance of [null, 999n]) {
    for (const opening of [undefined, 100n]) {
      const leftOut = (signed: bigint) => closeOf([move(T, signed, balance, later)], opening).leftOut
      assert.deepEqual(leftOut(1n), { count: 1, amount: 1n })
      assert.deepEqual(leftOut(0n), { count: 0, amount: 0n })
      assert.deepEqual(leftOut(-1n), { count: 0, amount: 0n })
    }
  }
})

test('a movement without a balance fills a gap of its amount for ten minutes', () => {
  const after = (wait_ms: number) => closeOf([move(T, 5n, 112n), move(T + wait_ms, 7n, null)], 100n)
  assert.deepEqual([kinds(after(600_000)), after(600_000).closing], ['break fills', 112n])
  assert.deepEqual([kinds(after(600_001)), after(600_001).closing], ['break unshown', 119n])
})

test('a late movement fills one side of its gap', () => {
  const day = (late: DayMovement) => closeOf([move(T, 5n, 1_005n), late], 100n)
  const left = day(move(T, 50n, 150n))
  assert.deepEqual([kinds(left), left.gaps.map(({ missing }) => missing)], ['break fills', [850n]])
  const right = day(move(T, 50n, 1_000n))
  assert.deepEqual([kinds(right), right.gaps.map(({ missing }) => missing)], ['break fills', [850n]])
})

/** So many gaps of 1: each movement of 10 shows 11 more than the one before. */
const broken = (gaps: number): DayMovement[] =>
  Array.from({ length: gaps }, (_, n) => move(T + n, 10n, 100n + 11n * BigInt(n + 1)))

test('200 gaps stay open and can be filled; of more, the oldest 200 are listed, and all are summed', () => {
  assert.equal(mostGaps, 200)
  const filling = move(T + 999, 1n, 101n)
  const open = closeOf([...broken(200), filling], 100n)
  assert.deepEqual([open.places.at(-1)!.kind, open.missing.count], ['fills', 199])
  const closed = closeOf([...broken(201), filling], 100n)
  assert.notEqual(closed.places.at(-1)!.kind, 'fills')
  const many = closeOf(broken(450), 100n)
  assert.deepEqual([many.missing, many.gaps.length], [{ count: 450, amount: 450n }, 200])
  assert.deepEqual([many.gaps[0]!.until, many.gaps.at(-1)!.until], [T, T + 199])
  const some = closeOf(broken(201), 100n)
  assert.deepEqual([some.gaps[0]!.until, some.gaps.length, some.missing.amount], [T, 200, 201n])
})

test('a gap of exactly the amount of a dismissed movement confirms it, each once, up to 200 of them', () => {
  const dismissed = (...amounts: bigint[]) => amounts.map((amount) => move(T, amount, null, later))
  const one = closeOf([...dismissed(1n), move(T, 5n, 106n)], 100n)
  assert.deepEqual(
    [kinds(one), one.leftOut, one.credits],
    ['left_out fits', { count: 0, amount: 0n }, { count: 2, amount: 6n }],
  )
  const debit = closeOf([...dismissed(7n, -1n), move(T, 5n, 104n)], 100n)
  assert.deepEqual([kinds(debit), debit.leftOut.count], ['left_out left_out fits', 1])
  const two = closeOf([...dismissed(7n, 9n, 7n), move(T, 5n, 112n), move(T, 5n, 126n), move(T, 5n, 138n)], 100n)
  assert.equal(kinds(two), 'left_out left_out left_out fits fits fits')
  const again = closeOf([...dismissed(7n), move(T, 5n, 112n), move(T, 5n, 124n)], 100n)
  assert.equal(kinds(again), 'left_out fits break')
  const many = (more: number) =>
    closeOf([...dismissed(7n, ...new Array<bigint>(more).fill(3n)), move(T, 5n, 112n)], 100n).places.at(-1)!.kind
  assert.deepEqual([many(199), many(200)], ['fits', 'break'])
})
