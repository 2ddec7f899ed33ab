import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerInTime } from './health.ts'

test('a question that hangs is answered in time, for everybody who asks, and is asked once', async () => {
  let asked = 0
  const hanging = answerInTime(() => {
    asked++
    return new Promise(() => {})
  }, 20)
  const said = await Promise.all([hanging(), hanging(), hanging()])
  assert.ok(said.every((one) => one === 'The database has not answered within 20 ms.'))
  assert.equal(await hanging(), said[0])
  assert.equal(asked, 1)
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
