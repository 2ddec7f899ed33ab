import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movableClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Hint, liveHub } from './live-hub.ts'

const shop = 'a0000000-0000-4000-8000-000000000001' as AccountId
const other = 'a0000000-0000-4000-8000-000000000002' as AccountId

const aHub = () => {
  const clock = movableClock(Date.parse('2026-01-02T03:04:05Z'))
  const sent: string[] = []
  const hub = liveHub({ clock, notify: (payload) => void sent.push(payload) })
  const ear = () => {
    const heard: string[] = []
    return {
      heard,
      hint: ({ kind, objectId }: Hint) => void heard.push(`${kind} ${objectId}`),
      reset: () => void heard.push('reset'),
    }
  }
  return { clock, sent, hub, ear }
}

test('a hint reaches the listeners of its account, and no others', () => {
  const { hub, ear, sent } = aHub()
  const [mine, theirs] = [ear(), ear()]
  hub.listen(shop, undefined, mine)
  hub.listen(other, undefined, theirs)
  hub.sendHint(shop, { kind: 'intent', id: 'i1' })
  assert.deepEqual([mine.heard, theirs.heard], [['intent i1'], []])
  assert.equal(sent.length, 1)
})

test('a hint for every account reaches all listeners', () => {
  const { hub, ear } = aHub()
  const [mine, theirs] = [ear(), ear()]
  hub.listen(shop, undefined, mine)
  hub.listen(other, undefined, theirs)
  hub.sendHint(null, { kind: 'provider', id: 'p1' })
  assert.deepEqual([mine.heard, theirs.heard], [['provider p1'], ['provider p1']])
})

test('a listener that returns gets the hints since, and those of other nodes from a few seconds before', () => {
  const { hub, ear, clock } = aHub()
  const elsewhere = aHub()
  hub.sendHint(shop, { kind: 'intent', id: 'long ago' })
  clock.advance(6_000)
  elsewhere.clock.advance(5_500)
  elsewhere.hub.sendHint(shop, { kind: 'alert', id: 'slow' })
  const first = hub.listen(shop, undefined, ear())
  first.leave()
  hub.sendHint(shop, { kind: 'intent', id: 'seen' })
  const seen = hub.listen(shop, undefined, ear()).from
  hub.receive(elsewhere.sent[0]!)
  hub.sendHint(shop, { kind: 'intent', id: 'new' })
  const missed = hub.listen(shop, seen, ear()).missed!
  assert.deepEqual(
    missed.map(({ objectId }) => objectId),
    ['slow', 'new'],
  )
})

test('a listener that returns with an unknown or dropped id must load everything again', () => {
  const { hub, ear } = aHub()
  const { from, leave } = hub.listen(shop, undefined, ear())
  leave()
  assert.deepEqual(hub.listen(shop, from, ear()).missed, [])
  assert.equal(hub.listen(shop, 'no id at all', ear()).missed, undefined)
  assert.equal(hub.listen(other, from, ear()).missed, undefined)
  for (let i = 0; i < 1_100; i++) hub.sendHint(shop, { kind: 'intent', id: String(i) })
  assert.equal(hub.listen(shop, from, ear()).missed, undefined)
})

test('when payloads of other nodes were lost, all listeners are reset and no old id is valid', () => {
  const { hub, ear } = aHub()
  const mine = ear()
  const { from } = hub.listen(shop, undefined, mine)
  hub.forgetAll()
  assert.deepEqual(mine.heard, ['reset'])
  assert.equal(hub.listen(shop, from, ear()).missed, undefined)
})

test('the hints of a thousand accounts are not kept for ever', () => {
  const { hub, ear } = aHub()
  const { from, leave } = hub.listen(shop, undefined, ear())
  leave()
  for (let i = 0; i < 1_000; i++)
    hub.sendHint(`account ${i}`.replace(' ', '-') as AccountId, { kind: 'intent', id: 'i' })
  assert.equal(hub.listen(shop, from, ear()).missed, undefined)
})

test('a payload of a newer version with an unknown kind is ignored', () => {
  const { hub, ear } = aHub()
  const mine = ear()
  hub.listen(shop, undefined, mine)
  hub.receive(`${shop} 019b7c1e-0000-7000-8000-000000000000 spaceship x`)
  hub.receive('')
  assert.deepEqual(mine.heard, [])
})
