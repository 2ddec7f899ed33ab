import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './gather.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Adds items, and waits until the batches that may begin have begun. */
const adder = (run: (item: string) => Promise<string>) => {
  const answers: Promise<string>[] = []
  const add = async (...items: string[]): Promise<void> => {
    for (const item of items) answers.push(run(item))
    await turn()
    await turn()
  }
  return { answers, add }
}

const refused = () => Object.assign(new Error('refused'), { code: '23505' })

test('requests that arrive together are run as one batch, and each gets its own answer', async () => {
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

test('one bad item fails alone, and the other items of its batch succeed', async () => {
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

test('two items with the same mark are never in one batch', async () => {
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

/** Runs the items of two callers when all of them wait; returns the batches. `a100` is an item of `a` with the weight 100. */
const batchesOf = async (items: readonly string[], most: number): Promise<string[][]> => {
  const batches: string[][] = []
  const run = gather<string, string>({
    together: async (batch) => {
      batches.push([...batch])
      return batch
    },
    alone: async (item) => item,
    caller: (item) => item[0]!,
    weigh: (item) => Number(item.slice(1)),
    most,
    parallel: 1,
  })
  assert.deepEqual(await Promise.all(items.map((item) => run(item))), items)
  return batches
}

test('one item of a caller does not wait behind many of another', async () => {
  assert.deepEqual(await batchesOf(['a1', 'a1', 'a1', 'a1', 'a1', 'b1'], 2), [
    ['a1', 'b1'],
    ['a1', 'a1'],
    ['a1', 'a1'],
  ])
})

test('an item that is too heavy for a batch keeps back its own caller, not the others, and is in the next batch', async () => {
  assert.deepEqual(await batchesOf(['a60', 'b60', 'b1', 'a1', 'c1', 'c1'], 100), [
    ['a60', 'a1', 'c1', 'c1'],
    ['b60', 'b1'],
  ])
})

test('with a limit for each caller, a caller whose batch hangs keeps nobody else waiting', async () => {
  const hangs = Promise.withResolvers<void>()
  const begun: string[] = []
  const run = gather<string, string>({
    together: async (batch) => {
      begun.push(...batch)
      if (batch[0]!.startsWith('a')) await hangs.promise
      return batch
    },
    alone: async (item) => item,
    caller: (item) => item[0]!,
    parallelOfCaller: 1,
    most: 1,
    parallel: 2,
    soon_ms: 0,
  })
  const ofA = ['a1', 'a2', 'a3'].map((item) => run(item))
  assert.deepEqual(await Promise.all(['b1', 'c1', 'b2'].map((item) => run(item))), ['b1', 'c1', 'b2'])
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'b2'])
  hangs.resolve()
  assert.deepEqual(await Promise.all(ofA), ['a1', 'a2', 'a3'])
})

test('a batch whose connection broke is not tried again: it may have been committed', async () => {
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

test('items with the same mark wait while the first of them waits for its lock, and fail if it fails', async () => {
  const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  let giveUp: (fault: Error) => void = () => {}
  const aloneRuns: string[] = []
  const run = gather<string, string>({
    together: async (items) => {
      if (items.includes('held')) throw lockTimeout()
      return items
    },
    alone: (item) => {
      aloneRuns.push(item)
      return item === 'held' ? new Promise((_, reject) => (giveUp = reject)) : Promise.resolve(item)
    },
    mark: (item) => item,
    most: 10,
    parallel: 2,
  })
  const held = [run('held'), run('held'), run('held')]
  const outcomes = Promise.allSettled(held)
  // Other items are answered meanwhile: those of the same batch, and those of later batches.
  assert.deepEqual(await Promise.all([run('a'), run('b'), run('c')]), ['a', 'b', 'c'])
  assert.equal(await run('d'), 'd')
  assert.deepEqual(
    aloneRuns.filter((item) => item === 'held'),
    ['held'],
  )
  giveUp(lockTimeout())
  assert.ok((await outcomes).every((outcome) => outcome.status === 'rejected'))
  // The next item with that mark is tried again.
  const next = run('held')
  while (aloneRuns.filter((item) => item === 'held').length < 2) await new Promise((done) => setImmediate(done))
  giveUp(lockTimeout())
  await assert.rejects(next, { code: '55P03' })
})

test('after a deadlock an item is tried again, a bounded number of times', async () => {
  const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })
  let left = 2
  const run = gather<string, string>({
    together: async () => {
      throw deadlock()
    },
    alone: async (item) => {
      if (item === 'always' || left-- > 0) throw deadlock()
      return item
    },
    most: 10,
    parallel: 2,
  })
  assert.equal(await run('twice'), 'twice')
  await assert.rejects(run('always'), { code: '40P01' })
})

test('a batch is limited by weight, in the order of arrival; an item that is too heavy is a batch by itself', async () => {
  const batches: number[][] = []
  const run = gather<number, number>({
    together: async (items) => {
      batches.push([...items])
      return items
    },
    alone: async (item) => item,
    weigh: (item) => item,
    most: 10,
    parallel: 1,
  })
  await Promise.all([4, 4, 5, 1, 30, 2].map((item) => run(item)))
  assert.deepEqual(batches, [[4, 4], [5, 1], [30], [2]])
})

test('with linger_ms a batch waits for more items until it is full, also after another batch has ended', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const batches: number[][] = []
  const ended: (() => void)[] = []
  const run = gather<number, number>({
    together: async (items) => {
      batches.push([...items])
      await new Promise<void>((done) => ended.push(done))
      return items
    },
    alone: async (item) => item,
    most: 3,
    parallel: 1,
    linger_ms: 5,
  })
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) await Promise.resolve()
  }
  const all = [run(1), run(2)]
  await turns()
  assert.deepEqual(batches, [])
  t.mock.timers.tick(5)
  assert.deepEqual(batches, [[1, 2]])
  all.push(run(3), run(4), run(5))
  await turns()
  assert.deepEqual(batches.length, 1)
  ended.shift()!()
  await turns()
  // The batch is full, so it does not wait.
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4, 5],
  ])
  all.push(run(6))
  ended.shift()!()
  await turns()
  assert.equal(batches.length, 2)
  t.mock.timers.tick(5)
  assert.deepEqual(batches[2], [6])
  ended.shift()!()
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5, 6])
})

test('a batch that has called next does not delay the following one, and still counts as under way', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let letNext: (() => void) | undefined
  const run = gather<string, string>({
    together: async (items, next) => {
      begun.push(items.join())
      letNext = next
      await new Promise<void>((resolve) => ends.set(items[0]!, resolve))
      return items
    },
    alone: async (item) => item,
    most: 10,
    parallel: 2,
    soon_ms: Number.POSITIVE_INFINITY,
  })
  const first = run('a')
  await turn()
  const second = run('b')
  await turn()
  await turn()
  assert.deepEqual(begun, ['a'])
  letNext!()
  await turn()
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  // Two are under way: the third waits for the end of one, also after the second has called next.
  const third = run('c')
  letNext!()
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  ends.get('b')!()
  assert.equal(await second, 'b')
  await turn()
  assert.deepEqual(begun, ['a', 'b', 'c'])
  ends.get('a')!()
  ends.get('c')!()
  assert.deepEqual(await Promise.all([first, third]), ['a', 'c'])
})

test('a batch is sent ahead when it is as large as the last one; no more batches are ahead than allowed', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = gather<string, string>({
    together: async (items) => {
      begun.push(items.join(''))
      await new Promise<void>((resolve) => ends.set(items[0]!, resolve))
      return items
    },
    alone: async (item) => item,
    most: 10,
    parallel: 5,
    soon_ms: Number.POSITIVE_INFINITY,
    ahead: 1,
  })
  const answers: Promise<string>[] = []
  const runItems = async (...items: string[]) => {
    for (const item of items) answers.push(run(item))
    await turn()
    await turn()
  }
  await runItems('a', 'b')
  await runItems('c')
  assert.deepEqual(begun, ['ab'], 'one waits, two are under way')
  await runItems('d')
  assert.deepEqual(begun, ['ab', 'cd'])
  await runItems('e', 'f', 'g')
  assert.deepEqual(begun, ['ab', 'cd'], 'one is ahead already')
  ends.get('a')!()
  await turn()
  await turn()
  assert.deepEqual(begun, ['ab', 'cd', 'efg'])
  ends.get('c')!()
  ends.get('e')!()
  assert.deepEqual(await Promise.all(answers), ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('if a batch takes long, other callers are served beside it, and its own callers only when it says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const begun: string[] = []
  const nexts = new Map<string, () => void>()
  const ends = new Map<string, () => void>()
  const run = gather<string, string>({
    together: async (items, next) => {
      begun.push(items.join(' '))
      nexts.set(items[0]!, next)
      await new Promise<void>((resolve) => ends.set(items[0]!, resolve))
      return items
    },
    alone: async (item) => item,
    caller: (item) => item[0]!,
    most: 10,
    parallel: 4,
    parallelOfCaller: 2,
    keepsOrder: true,
    soon_ms: 5,
  })
  const { answers, add } = adder(run)
  await add('a1')
  await add('a2', 'b1')
  assert.deepEqual(begun, ['a1'])
  t.mock.timers.tick(5)
  assert.deepEqual(begun, ['a1', 'b1'], 'a2 waits until a1 is decided')
  nexts.get('a1')!()
  nexts.get('b1')!()
  await turn()
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
  nexts.get('a2')!()
  await add('a3', 'b2')
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2'], 'two batches of a are under way')
  ends.get('a1')!()
  nexts.get('b2')!()
  await turn()
  await turn()
  assert.deepEqual(begun.at(-1), 'a3')
  for (const end of ends.values()) end()
  assert.deepEqual(await Promise.all(answers), ['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('a caller that pauses is not served until the pause ends, then all that came is one batch; others are served', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const begun: string[] = []
  const run = gather<string, string>({
    together: async (items, next) => {
      begun.push(items.join(' '))
      next(new Set(['a', 'c']))
      return items
    },
    alone: async (item) => item,
    caller: (item) => item[0]!,
    most: 10,
    parallel: 4,
    keepsOrder: true,
    pause_ms: 50,
  })
  const { answers, add } = adder(run)
  await add('a1', 'b1')
  await add('a2')
  await add('a3', 'b2')
  assert.deepEqual(begun, ['a1 b1', 'b2'], 'c, which is in no batch, does not matter')
  t.mock.timers.tick(49)
  await add('a4')
  assert.deepEqual(begun, ['a1 b1', 'b2'])
  t.mock.timers.tick(1)
  await turn()
  await turn()
  assert.deepEqual(begun, ['a1 b1', 'b2', 'a2 a3 a4'])
  assert.deepEqual(await Promise.all(answers), ['a1', 'b1', 'a2', 'a3', 'b2', 'a4'])
  t.mock.timers.tick(50)
  await add('a5')
  assert.deepEqual(begun.at(-1), 'a5')
})

test('a caller whose batch fails does not pause', async () => {
  let tries = 0
  const run = gather<string, string>({
    together: async () => {
      tries++
      throw new Error('broken')
    },
    alone: async (item) => item,
    caller: (item) => item,
    most: 10,
    parallel: 4,
    keepsOrder: true,
    pause_ms: 3_600_000,
  })
  await assert.rejects(run('a'), /broken/)
  await assert.rejects(run('a'), /broken/)
  assert.equal(tries, 2)
})
