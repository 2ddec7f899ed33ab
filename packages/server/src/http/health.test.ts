import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerInTime } from './health.ts'

test('a check that hangs is answered in time for all callers, and runs once', async () => {
  let runs = 0
  const hanging = answerInTime(() => {
    runs++
    return new Promise(() => {})
  }, 20)
  const sent = await Promise.all([hanging(), hanging(), hanging()])
  assert.ok(sent.every((answer) => answer === 'The database has not answered within 20 ms.'))
  assert.equal(await hanging(), sent[0])
  assert.equal(runs, 1)
})

test('a check that failed or ended runs again the next time', async () => {
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
