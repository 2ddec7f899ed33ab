import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movableClock } from '../../../test/support/pure/movable-clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Hint, liveHub } from './live-hub.ts'

const shop = 'a0000000-0000-4000-8000-000000000001' as AccountId
const other = 'a0000000-0000-4000-8000-000000000002' as AccountId

const newHub = () => {
  const clock = movableClock(Date.parse('2026-01-02T03:04:05Z'))
  const sent: string[] = []
  const hub = liveHub({ clock, notify: (payload) => void sent.push(payload) })
  const listener = () => {
    const received: string[] = []
    return {
      received,
      hint: ({ kind, objectId }: Hint) => void received.push(`${kind} ${objectId}`),
      reset: () => void received.push('reset'),
    }
  }
  return { clock, sent, hub, listener }
}

test('a hint reaches the listeners of its account, and no others', () => {
  const { hub, listener, sent } = newHub()
  const [mine, theirs] = [listener(), listener()]
  hub.listen(shop, undefined, mine)
  hub.listen(other, undefined, theirs)
  hub.sendHint(shop, { kind: 'intent', id: 'i1' })
  assert.deepEqual([mine.received, theirs.received], [['intent i1'], []])
  assert.equal(sent.length, 1)
})

test('a hint for every account reaches all listeners', () => {
  const { hub, listener } = newHub()
  const [mine, theirs] = [listener(), listener()]
  hub.listen(shop, undefined, mine)
  hub.listen(other, undefined, theirs)
  hub.sendHint(null, { kind: 'provider', id: 'p1' })
  assert.deepEqual([mine.received, theirs.received], [['provider p1'], ['provider p1']])
})

test('a listener that returns gets the hints it missed, and those of other nodes from a few seconds before', () => {
  const { hub, listener, clock } = newHub()
  const elsewhere = newHub()
  hub.sendHint(shop, { kind: 'intent', id: 'long ago' })
  clock.advance(6_000)
  elsewhere.clock.advance(5_500)
  elsewhere.hub.sendHint(shop, { kind: 'alert', id: 'slow' })
  const first = hub.listen(shop, undefined, listener())
  first.leave()
  hub.sendHint(shop, { kind: 'intent', id: 'seen' })
  const seen = hub.listen(shop, undefined, listener()).from
  hub.receive(elsewhere.sent[0]!)
  hub.sendHint(shop, { kind: 'intent', id: 'new' })
  const missed = hub.listen(shop, seen, listener()).missed!
  assert.deepEqual(
    missed.map(({ objectId }) => objectId),
    ['slow', 'new'],
  )
})

test('a listener that returns with an unknown or dropped id must load everything again', () => {
  const { hub, listener } = newHub()
  const { from, leave } = hub.listen(shop, undefined, listener())
  leave()
  assert.deepEqual(hub.listen(shop, from, listener()).missed, [])
  assert.equal(hub.listen(shop, 'no id at all', listener()).missed, undefined)
  assert.equal(hub.listen(other, from, listener()).missed, undefined)
  for (let i = 0; i < 1_100; i++) hub.sendHint(shop, { kind: 'intent', id: String(i) })
  assert.equal(hub.listen(shop, from, listener()).missed, undefined)
})

test('when payloads of other nodes were lost, all listeners are reset and no old id is valid', () => {
  const { hub, listener } = newHub()
  const mine = listener()
  const { from } = hub.listen(shop, undefined, mine)
  hub.forgetAll()
  assert.deepEqual(mine.received, ['reset'])
  assert.equal(hub.listen(shop, from, listener()).missed, undefined)
})

test('the hints of the account that was quiet longest are dropped when there are too many accounts', () => {
  const { hub, listener } = newHub()
  const { from, leave } = hub.listen(shop, undefined, listener())
  leave()
  for (let i = 0; i < 1_000; i++)
    hub.sendHint(`account ${i}`.replace(' ', '-') as AccountId, { kind: 'intent', id: 'i' })
  assert.equal(hub.listen(shop, from, listener()).missed, undefined)
})

test('a payload of a newer version with an unknown kind is ignored', () => {
  const { hub, listener } = newHub()
  const mine = listener()
  hub.listen(shop, undefined, mine)
  hub.receive(`${shop} 019b7c1e-0000-7000-8000-000000000000 spaceship x`)
  hub.receive('')
  assert.deepEqual(mine.received, [])
})
