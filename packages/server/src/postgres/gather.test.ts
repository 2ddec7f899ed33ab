import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './gather.ts'

const refused = () => Object.assign(new Error('refused'), { code: '23505' })

test('requests that arrive together are run as one, each gets its own answer', async () => {
  const batches: number[] = []
  const double = gather<number, number>({
    together: async (items) => {
      batches.push(items.length)
      return items.map((n) => n * 2)
    },
    alone: async (n) => n * 2,
    most: 10,
    parallel: 1,
  })
  const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => double(n)))
  assert.deepEqual(
    answers,
    Array.from({ length: 25 }, (_, n) => n * 2),
  )
  assert.deepEqual(batches, [10, 10, 5])
})

test('one bad item of a batch fails alone, and nobody else is harmed', async () => {
  const run = gather<number, number>({
    together: async (items) => {
      if (items.includes(3)) throw refused()
      return [...items]
    },
    alone: async (n) => {
      if (n === 3) throw refused()
      return n
    },
    most: 10,
    parallel: 2,
  })
  const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => run(n)))
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('two items with the same mark never stand in one batch', async () => {
  const batches: string[][] = []
  const run = gather<string, string>({
    together: async (items) => {
      batches.push([...items])
      return items
    },
    alone: async (item) => item,
    mark: (item) => item,
    most: 10,
    parallel: 4,
  })
  await Promise.all(['a', 'b', 'a', 'a', 'c'].map((item) => run(item)))
  assert.deepEqual(batches, [['a', 'b', 'c'], ['a'], ['a']])
})

test('a batch whose connection broke is not tried again: nobody knows whether it was committed', async () => {
  let runs = 0
  const run = gather<number, number>({
    together: async () => {
      runs++
      throw new Error('connection terminated')
    },
    alone: async (n) => {
      runs++
      return n
    },
    most: 10,
    parallel: 2,
  })
  const answers = await Promise.allSettled([1, 2, 3].map((n) => run(n)))
  assert.equal(runs, 1)
  assert.ok(answers.every((answer) => answer.status === 'rejected'))
})
