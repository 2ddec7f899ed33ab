import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admission, admissionRules, boundFor, shareOf } from './admission.ts'

const { usual, overloaded, patience_ms, calm_ms } = admissionRules

/** One core that answers so many requests a second, in order, and callers who do not wait for answers. */
const simulate = (perSecond: number) => {
  const gate = admission()
  const waiting: { readonly caller: string; readonly at: number }[] = []
  let credit = 0
  let now = 0
  return {
    gate,
    get now() {
      return now
    },
    /** For so long; `arrivals`: how many of each caller in a millisecond. Returns what each caller got, and how long it took. */
    run(for_ms: number, arrivals: Readonly<Record<string, number>>) {
      const owed = new Map<string, number>()
      const result: Record<string, { answered: number; refused: number; took_ms: number[] }> = {}
      for (const caller of Object.keys(arrivals)) result[caller] = { answered: 0, refused: 0, took_ms: [] }
      for (const end = now + for_ms; now < end; now++) {
        for (const [caller, each] of Object.entries(arrivals)) {
          let count = (owed.get(caller) ?? 0) + each
          for (; count >= 1; count--)
            if (gate.enter(caller, now)) waiting.push({ caller, at: now })
            else result[caller]!.refused++
          owed.set(caller, count)
        }
        credit = Math.min(credit + perSecond / 1000, waiting.length + 1)
        for (; credit >= 1 && waiting.length > 0; credit--) {
          const { caller, at } = waiting.shift()!
          gate.leave(caller, now)
          const own = result[caller]
          if (own === undefined) continue
          own.answered++
          own.took_ms.push(now - at)
        }
      }
      return result
    },
  }
}

test('what can be answered is never refused', () => {
  const { shop } = simulate(2_000).run(10_000, { shop: 1.9 })
  assert.equal(shop!.refused, 0)
})

test('a burst is taken whole: more than the bound, for less than half a second', () => {
  const gate = admission()
  for (let n = 0; n < 5_000; n++) assert.ok(gate.enter('shop', 1_000))
  assert.equal(gate.underWay, 5_000)
  assert.ok(gate.enter('shop', 1_000 + patience_ms - 1))
  assert.ok(!gate.enter('shop', 1_000 + patience_ms))
})

test('twice what can be answered: half is refused at once, and the others take about as long as they should', () => {
  const machine = simulate(2_000)
  machine.run(5_000, { shop: 4 })
  const { shop } = machine.run(10_000, { shop: 4 })
  const share = shop!.refused / (shop!.refused + shop!.answered)
  assert.ok(share > 0.45 && share < 0.55, String(share))
  assert.ok(Math.max(...shop!.took_ms) <= 2 * overloaded.target_ms, String(Math.max(...shop!.took_ms)))
  // All of the machine is used.
  assert.ok(shop!.answered > 0.95 * 20_000, String(shop!.answered))
})

test('callers who wait for their answers are never refused, however slow the machine is', () => {
  const machine = simulate(20)
  for (let n = 0; n < usual.least; n++) assert.ok(machine.gate.enter(`shop ${n}`, machine.now))
  for (let n = 0; n < 10_000; n++) {
    machine.run(50, {})
    machine.gate.leave(`shop ${n % usual.least}`, machine.now)
    assert.ok(machine.gate.enter(`shop ${n % usual.least}`, machine.now))
  }
})

test('a caller who sends little is answered while another floods', () => {
  const machine = simulate(2_000)
  machine.run(5_000, { flood: 8, small: 0.05 })
  const { flood, small } = machine.run(10_000, { flood: 8, small: 0.05 })
  assert.ok(flood!.refused > 50_000)
  assert.equal(small!.refused, 0)
})

test('a caller who waits with a thousand calls keeps no other from being answered; very many callers are bounded too', () => {
  const gate = admission()
  for (let n = 0; n < 1_000; n++) gate.enter('flood', 0)
  assert.ok(!gate.enter('flood', patience_ms))
  let taken = 0
  for (let n = 0; n < 1_000; n++) if (gate.enter(`shop ${n}`, patience_ms)) taken++
  assert.equal(taken, 2 * usual.least - 1)
})

test('after the overload everything is taken again', () => {
  const machine = simulate(2_000)
  machine.run(5_000, { shop: 6 })
  machine.run(calm_ms, {})
  assert.equal(machine.gate.underWay, 0)
  const { shop } = machine.run(5_000, { shop: 1.5 })
  assert.equal(shop!.refused, 0)
})

test('when nothing is answered any more, few are kept waiting', () => {
  const stopped = admission()
  for (let now = 0; now < 20_000; now++) stopped.enter('shop', now)
  assert.ok(stopped.underWay <= patience_ms + 2 * usual.least, String(stopped.underWay))
})

test('the bound follows what is answered, and is never below its least; a share is at least one', () => {
  assert.equal(boundFor(0, usual), usual.least)
  assert.equal(boundFor(10_000, usual), 500)
  assert.equal(boundFor(10_000, overloaded), 300)
  assert.equal(shareOf(64, 1), 64)
  assert.equal(shareOf(64, 3), 21)
  assert.equal(shareOf(64, 1_000), 1)
})
