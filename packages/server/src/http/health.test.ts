import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerInTime } from './health.ts'

test('a question that hangs is answered in time, for everybody who asks, and is asked once', async () => {
  let requested = 0
  const hanging = answerInTime(() => {
    requested++
    return new Promise(() => {})
  }, 20)
  const sent = await Promise.all([hanging(), hanging(), hanging()])
  assert.ok(sent.every((one) => one === 'The database has not answered within 20 ms.'))
  assert.equal(await hanging(), sent[0])
  assert.equal(requested, 1)
})

test('a question that fails or is answered is asked anew the next time', async () => {
  const answers: (() => Promise<string | undefined>)[] = [
    async () => undefined,
    async () => 'not yet',
    () => Promise.reject(new Error('gone')),
    async () => undefined,
  ]
  const ready = answerInTime(() => answers.shift()!(), 60_000)
  assert.deepEqual(
    [await ready(), await ready(), await ready(), await ready()],
    [undefined, 'not yet', 'The database does not answer.', undefined],
  )
})
