/** The position of a page in the live stream when it is rendered: events before it connects are sent to it first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOrderedId } from '../../../src/core/ids.ts'
import { openTestService } from '../../support/story.ts'
import { openStream } from '../../support/stream-client.ts'
import { createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const all = await createMembers(service)
const headers = { cookie: `sanad_session=${all.owner.session.token}` }

const minute_ms = 60_000

const placeOf = async (): Promise<string> => {
  const answer = await all.owner.ask('HEAD', '/stream/')
  assert.equal(answer.status, 200)
  return String(answer.headers['last-event-id'])
}

test('an intent created between page and stream is sent first, without a reset', async () => {
  const after = await placeOf()
  const { body } = await service.create({ amount: '1500.00' })
  const listener = await openStream(service.origin, headers, { query: `?after=${after}` })
  await listener.untilHint('intent', body.id)
  assert.ok(!listener.told.some(({ event }) => event === 'reset'))
  listener.hangUp()
})

test('a page that is up to date gets no earlier events', async () => {
  const { body } = await service.create({ amount: '1550.00' })
  const after = await placeOf()
  const { body: later } = await service.create({ amount: '1560.00' })
  const listener = await openStream(service.origin, headers, { query: `?after=${after}` })
  await listener.untilHint('intent', later.id)
  assert.ok(!listener.hints().includes(`intent ${body.id}`))
  listener.hangUp()
})

test('a position that this node does not know begins with a reset: the page loads everything again', async () => {
  const listener = await openStream(service.origin, headers, { query: `?after=${timeOrderedId(service.clock.now())}` })
  await listener.until((told) => told.some(({ event }) => event === 'reset'))
  listener.hangUp()
})

test("after a disconnect the browser's Last-Event-ID counts, not the position of the page", async () => {
  const old = await placeOf()
  const { body: first } = await service.create({ amount: '1600.00' })
  service.clock.advance(minute_ms)
  await service.create({ amount: '1700.00' })
  const now = await placeOf()
  service.clock.advance(minute_ms)
  const { body: later } = await service.create({ amount: '1800.00' })
  const listener = await openStream(service.origin, { ...headers, 'last-event-id': now }, { query: `?after=${old}` })
  await listener.untilHint('intent', later.id)
  assert.ok(!listener.hints().includes(`intent ${first.id}`))
  listener.hangUp()
})
