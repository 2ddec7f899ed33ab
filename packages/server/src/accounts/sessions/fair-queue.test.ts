import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, type Turn } from './fair-queue.ts'

/** The order in which those who came were served, with one place at the counter that is taken at first. */
const served = async (line: ReturnType<typeof fairQueue>, came: readonly [string, Turn][]): Promise<string[]> => {
  assert.equal(line.enter('known'), 'go')
  const order: string[] = []
  const waiting = came.map(async ([name, turn]) => {
    if ((await line.enter(turn)) === 'busy') return void order.push(`${name} refused`)
    order.push(name)
    line.leave()
  })
  await new Promise((soon) => setImmediate(soon))
  line.leave()
  await Promise.all(waiting)
  return order
}
const from = (place: string): Turn => ({ from: place })

test('a crowd from one place makes a stranger from another wait for one of it', async () => {
  const line = fairQueue({ atOnce: 1, mostWaiting: 10, mostOfPlace: 10 })
  const crowd = [1, 2, 3, 4].map((i): [string, Turn] => [`crowd ${i}`, from('one address')])
  assert.deepEqual(await served(line, [...crowd, ['amal', from('another')]]), [
    'crowd 1',
    'amal',
    'crowd 2',
    'crowd 3',
    'crowd 4',
  ])
})

test('those we know go before all strangers, in their order', async () => {
  const line = fairQueue({ atOnce: 1, mostWaiting: 10, mostOfPlace: 10 })
  const came: [string, Turn][] = [
    ['stranger', from('somewhere')],
    ['amal', 'known'],
    ['badr', 'known'],
  ]
  assert.deepEqual(await served(line, came), ['amal', 'badr', 'stranger'])
})

test('one place fills neither the line of others nor that of those we know', async () => {
  const line = fairQueue({ atOnce: 1, mostWaiting: 3, mostOfPlace: 2 })
  const crowd = [1, 2, 3].map((i): [string, Turn] => [`crowd ${i}`, from('one address')])
  const order = await served(line, [...crowd, ['amal', from('another')], ['badr', 'known']])
  assert.deepEqual(order, ['crowd 3 refused', 'badr', 'crowd 1', 'amal', 'crowd 2'])
})

test('never more are served at once than there is room for, and none is forgotten', async () => {
  const line = fairQueue({ atOnce: 2, mostWaiting: 100, mostOfPlace: 100 })
  let [inside, most, done] = [0, 0, 0]
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      assert.equal(await line.enter(i % 3 === 0 ? 'known' : from(String(i % 5))), 'go')
      most = Math.max(most, ++inside)
      await new Promise((soon) => setImmediate(soon))
      inside--
      done++
      line.leave()
    }),
  )
  assert.deepEqual([most, done, inside], [2, 60, 0])
})
