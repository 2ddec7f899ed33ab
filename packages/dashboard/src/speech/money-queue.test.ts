/** Money is said once, in order, never two at once; the queue has a bound and can be stopped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { longestWait_ms, mostWaiting, openMoneyQueue } from './money-queue.ts'
import type { SpokenMoney } from './money-sentence.ts'

const money = (amount: number): SpokenMoney => ({ amount: `${amount}.00`, currency: 'X', payer: '' })

/** A speaker that holds each sentence until the test ends it. */
const openTest = () => {
  const said: string[] = []
  const state = { now: 1_000, atOnce: 0, most: 0, end: () => {}, allow: () => {}, isAllowed: true }
  const queue = openMoneyQueue({
    now: () => state.now,
    ready: (signal) =>
      state.isAllowed
        ? Promise.resolve()
        : new Promise((done) => {
            state.allow = done
            signal.addEventListener('abort', () => done())
          }),
    say: ({ amount }, _, signal) => {
      said.push(amount)
      state.atOnce += 1
      state.most = Math.max(state.most, state.atOnce)
      return new Promise<void>((done, fail) => {
        const finish = (): void => {
          state.atOnce -= 1
          if (amount === '13.00') fail(new Error('it cannot be said'))
          else done()
        }
        state.end = finish
        signal.addEventListener('abort', finish)
      })
    },
  })
  const finishAll = async (): Promise<void> => {
    await turn()
    while (state.atOnce > 0) {
      state.end()
      await turn()
    }
  }
  return { queue, said, state, finishAll }
}

test('payments are said once each, in order and never two at once, also if one of them cannot be said', async () => {
  const { queue, said, state, finishAll } = openTest()
  queue.add([money(1), money(13)], 'ar')
  queue.add([money(2)], 'ar')
  await turn()
  assert.deepEqual(said, ['1.00'])
  await finishAll()
  assert.deepEqual(said, ['1.00', '13.00', '2.00'])
  queue.add([money(3)], 'ar')
  await finishAll()
  assert.deepEqual(said.slice(3), ['3.00'])
  assert.equal(state.most, 1)
})

test('of more payments than may wait the newest are said', async () => {
  const { queue, said, finishAll } = openTest()
  queue.add([money(1000)], 'ar')
  await turn()
  for (let amount = 0; amount < 500; amount += 1) queue.add([money(2000 + amount)], 'ar')
  await finishAll()
  assert.equal(said.length, 1 + mostWaiting)
  assert.equal(said.at(1), `${2500 - mostWaiting}.00`)
  assert.equal(said.at(-1), '2499.00')
})

test('what has waited too long for the touch that allows sound is not said; what came just before it is', async () => {
  const { queue, said, state, finishAll } = openTest()
  state.isAllowed = false
  queue.add([money(1)], 'ar')
  state.now += longestWait_ms + 1
  queue.add([money(2)], 'ar')
  state.isAllowed = true
  state.allow()
  await finishAll()
  assert.deepEqual(said, ['2.00'])
})

test('switching the sound off ends the sentence and forgets the rest; what comes later is said, after the end', async () => {
  const { queue, said, state, finishAll } = openTest()
  queue.add([money(1), money(2)], 'ar')
  await turn()
  queue.stop()
  assert.equal(state.atOnce, 0)
  queue.add([money(3)], 'ar')
  await finishAll()
  assert.deepEqual(said, ['1.00', '3.00'])

  // Also while it waits for the touch.
  state.isAllowed = false
  queue.add([money(4)], 'ar')
  await turn()
  queue.stop()
  state.isAllowed = true
  queue.add([money(5)], 'ar')
  await finishAll()
  assert.deepEqual(said, ['1.00', '3.00', '5.00'])
  assert.equal(state.most, 1)
})
