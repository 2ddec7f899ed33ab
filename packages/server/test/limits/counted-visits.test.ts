/** 0107: visits of the buyer's page that the parent of several processes counts: the same answers, and one message for each visit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchCounter } from '../../src/http/limits/count-batches.ts'
import { type LimitBatch, parentLimits } from '../../src/http/limits/parent-limits.ts'
import { openCheckouts } from '../checkouts/checkout-story.ts'

const batches: LimitBatch[] = []
const count = batchCounter()()
const limits = parentLimits({
  send(batch) {
    batches.push(batch)
    setImmediate(() => limits.answered(count(batch)))
  },
})
const rules = { pay: { burst: 4 }, pay_unknown: { burst: 3 }, pay_address: { burst: 20 } }
const { clock, newCheckout, open } = await openCheckouts(
  { SANAD_LIMITS: JSON.stringify(rules) },
  { machine: { limits, shareFigures: () => async () => '' } },
)

test('a visit is one message with both of its counts', async () => {
  const { page } = await newCheckout()
  batches.length = 0
  assert.equal((await open(page)).status, 200)
  assert.deepEqual(
    batches.map(({ calls }) => calls.filter((_, i) => i % 4 === 3)),
    [[1, 1]],
  )
})

test('each link has its own limit, and a refused visit says when to come again', async () => {
  clock.advance(60_000)
  const [{ page }, other] = [await newCheckout(), await newCheckout()]
  for (let n = 0; n < 4; n++) assert.equal((await open(page)).status, 200)
  const refused = await open(page)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
  assert.equal((await open(other.page)).status, 200)
})

test('what an address that is over its limit asks for is not counted against the link', async () => {
  clock.advance(60_000)
  const pages = await Promise.all(Array.from({ length: 5 }, async () => (await newCheckout()).page))
  const { page } = await newCheckout()
  for (const one of pages) for (let n = 0; n < 4; n++) assert.equal((await open(one)).status, 200)
  for (let n = 0; n < 10; n++) assert.equal((await open(page)).status, 429)
  clock.advance(60_000)
  for (let n = 0; n < 4; n++) assert.equal((await open(page)).status, 200)
})

test('a link that does not exist is not counted as a link: it stays a 404, until its address tried too many', async () => {
  clock.advance(60_000)
  const unknown = `/pay/${'x'.repeat(27)}`
  for (let n = 0; n < 3; n++) assert.equal((await open(unknown)).status, 404)
  assert.equal((await open(unknown)).status, 429)
  clock.advance(60_000)
  assert.equal((await open(unknown)).status, 404)
})
