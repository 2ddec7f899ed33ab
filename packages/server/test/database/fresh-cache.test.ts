/** The cache of rows: what it keeps, what it forgets, and what it never returns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCache } from '../../src/core/fresh-cache.ts'

type Value = { readonly text: string; readonly size: number }

/** A cache whose reads end when the test says so. */
const slowCache = (options: { max?: number; most?: number } = {}) => {
  const reads: { key: string; end: (value: Value | undefined) => void; fail: (fault: Error) => void }[] = []
  const cache = freshCache<string, Value>({
    load: (key) => new Promise((end, fail) => reads.push({ key, end, fail })),
    max: options.max ?? 10,
    size: { most: options.most ?? 100, of: ({ size }) => size },
  })
  const value = (text: string, size = 1): Value => ({ text, size })
  /** Reads the key from the source. */
  const fill = async (key: string, text: string, size = 1) => {
    const asked = cache.get(key, 0)
    reads.at(-1)!.end(value(text, size))
    await asked
  }
  const isCached = (key: string): boolean => {
    const found = cache.get(key, 0)
    if (!(found instanceof Promise)) return true
    reads.at(-1)!.end(undefined)
    return false
  }
  return { cache, reads, value, fill, isCached }
}

test('a read that failed is not kept, and the next caller reads again', async () => {
  const { cache, reads, value } = slowCache()
  const failed = cache.get('a', 0)
  reads[0]!.fail(new Error('the database is away'))
  await assert.rejects(Promise.resolve(failed), /away/)
  const asked = cache.get('a', 0)
  reads[1]!.end(value('true now'))
  assert.equal((await asked)?.text, 'true now')
})

test('a read in the background that failed leaves the value until it is dead, then callers get the error', async () => {
  const { cache, reads, fill } = slowCache()
  await fill('a', 'first')
  assert.ok(!(cache.get('a', 700) instanceof Promise))
  reads[1]!.fail(new Error('the database is away'))
  await new Promise(setImmediate)
  assert.ok(!(cache.get('a', 1_499) instanceof Promise))
  reads[2]!.fail(new Error('the database is away'))
  await new Promise(setImmediate)
  const dead = cache.get('a', 1_500)
  reads[3]!.fail(new Error('the database is away'))
  await assert.rejects(Promise.resolve(dead), /away/)
})

for (const forget of ['forget', 'forgetAll'] as const)
  test(`${forget}: a read that was under way is not kept, and later callers do not wait for it`, async () => {
    const { cache, reads, value } = slowCache()
    const before = cache.get('a', 0)
    cache[forget]('a')
    const after = cache.get('a', 0)
    assert.equal(reads.length, 2)
    reads[1]!.end(value('after the change'))
    reads[0]!.end(value('before the change'))
    assert.equal((await before)?.text, 'before the change')
    assert.equal((await after)?.text, 'after the change')
    assert.equal((cache.get('a', 0) as Value).text, 'after the change')
  })

test('the entries are bounded, by their number and by the sum of their sizes', async () => {
  const byNumber = slowCache({ max: 2 })
  for (const key of ['a', 'b', 'c']) await byNumber.fill(key, key)
  assert.deepEqual(['c', 'b', 'a'].map(byNumber.isCached), [true, true, false])
  const bySize = slowCache({ most: 5 })
  for (const key of ['a', 'b']) await bySize.fill(key, key, 3)
  assert.deepEqual(['b', 'a'].map(bySize.isCached), [true, false])
  await bySize.fill('c', 'too large', 6)
  assert.equal(bySize.isCached('c'), false)
})
