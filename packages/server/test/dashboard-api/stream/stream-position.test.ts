/** The position in the live stream at which a page was rendered: when the page connects, later events are sent first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minute_ms } from '../../../src/core/duration.ts'
import { timeOrderedId } from '../../../src/core/ids.ts'
import { openTestService } from '../../support/story.ts'
import { openStream } from '../../support/stream-client.ts'
import { createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const headers = { cookie: `sanad_session=${members.owner.session.token}` }

const streamPosition = async (): Promise<string> => {
  const answer = await members.owner.ask('HEAD', '/stream/')
  assert.equal(answer.status, 200)
  return String(answer.headers['last-event-id'])
}

test('an intent created between page and stream is sent first, without a reset', async () => {
  const after = await streamPosition()
  const { body } = await service.create({ amount: '1500.00' })
  const listener = await openStream(service.origin, headers, { query: `?after=${after}` })
  await listener.untilHint('intent', body.id)
  assert.ok(!listener.events.some(({ event }) => event === 'reset'))
  listener.hangUp()
})

test('a page that is up to date gets no earlier events', async () => {
  const { body } = await service.create({ amount: '1550.00' })
  const after = await streamPosition()
  const { body: later } = await service.create({ amount: '1560.00' })
  const listener = await openStream(service.origin, headers, { query: `?after=${after}` })
  await listener.untilHint('intent', later.id)
  assert.ok(!listener.hints().includes(`intent ${body.id}`))
  listener.hangUp()
})

test('for a position that the node does not know, the stream starts with a reset: the page loads everything again', async () => {
  const listener = await openStream(service.origin, headers, { query: `?after=${timeOrderedId(service.clock.now())}` })
  await listener.until((events) => events.some(({ event }) => event === 'reset'))
  listener.hangUp()
})

test("after a disconnect the browser's Last-Event-ID counts, not the position of the page", async () => {
  const old = await streamPosition()
  const { body: first } = await service.create({ amount: '1600.00' })
  service.clock.advance(minute_ms)
  await service.create({ amount: '1700.00' })
  const now = await streamPosition()
  service.clock.advance(minute_ms)
  const { body: later } = await service.create({ amount: '1800.00' })
  const listener = await openStream(service.origin, { ...headers, 'last-event-id': now }, { query: `?after=${old}` })
  await listener.untilHint('intent', later.id)
  assert.ok(!listener.hints().includes(`intent ${first.id}`))
  listener.hangUp()
})
