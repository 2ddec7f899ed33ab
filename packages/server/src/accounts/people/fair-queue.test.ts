import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, type Turn } from './fair-queue.ts'

/** The order in which calls run, if the only slot is taken while they arrive. */
const orderOf = async (queue: ReturnType<typeof fairQueue>, calls: readonly [string, Turn][]): Promise<string[]> => {
  assert.equal(queue.enter('known'), 'go')
  const order: string[] = []
  const waiting = calls.map(async ([name, turn]) => {
    if ((await queue.enter(turn)) === 'busy') return void order.push(`${name} refused`)
    order.push(name)
    queue.leave()
  })
  await new Promise((soon) => setImmediate(soon))
  queue.leave()
  await Promise.all(waiting)
  return order
}
const from = (address: string): Turn => ({ from: address })

test('many calls of one address delay a call of another address by one at most', async () => {
  const queue = fairQueue({ atOnce: 1, mostWaiting: 10, mostOfAddress: 10 })
  const many = [1, 2, 3, 4].map((i): [string, Turn] => [`many ${i}`, from('one address')])
  assert.deepEqual(await orderOf(queue, [...many, ['amal', from('another')]]), [
    'many 1',
    'amal',
    'many 2',
    'many 3',
    'many 4',
  ])
})

test('known callers go before all others, in their order', async () => {
  const queue = fairQueue({ atOnce: 1, mostWaiting: 10, mostOfAddress: 10 })
  const calls: [string, Turn][] = [
    ['unknown', from('somewhere')],
    ['amal', 'known'],
    ['badr', 'known'],
  ]
  assert.deepEqual(await orderOf(queue, calls), ['amal', 'badr', 'unknown'])
})

test('one address fills neither the queue of other addresses nor that of known callers', async () => {
  const queue = fairQueue({ atOnce: 1, mostWaiting: 3, mostOfAddress: 2 })
  const many = [1, 2, 3].map((i): [string, Turn] => [`many ${i}`, from('one address')])
  const order = await orderOf(queue, [...many, ['amal', from('another')], ['badr', 'known']])
  assert.deepEqual(order, ['many 3 refused', 'badr', 'many 1', 'amal', 'many 2'])
})

test('no more calls run at once than allowed, and every accepted call runs', async () => {
  const queue = fairQueue({ atOnce: 2, mostWaiting: 100, mostOfAddress: 100 })
  let [inside, most, done] = [0, 0, 0]
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      assert.equal(await queue.enter(i % 3 === 0 ? 'known' : from(String(i % 5))), 'go')
      most = Math.max(most, ++inside)
      await new Promise((soon) => setImmediate(soon))
      inside--
      done++
      queue.leave()
    }),
  )
  assert.deepEqual([most, done, inside], [2, 60, 0])
})
