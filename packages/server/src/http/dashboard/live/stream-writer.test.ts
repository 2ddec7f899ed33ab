import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectKind } from '../../../accounts/audit/audit.ts'
import { streamWriter } from './stream-writer.ts'

const aWriter = (may: (kind: ObjectKind) => boolean = () => true) => {
  const sink = {
    texts: [] as string[],
    writableLength: 0,
    destroyed: false,
    write(text: string) {
      this.texts.push(text)
    },
    destroy() {
      this.destroyed = true
    },
  }
  return { sink, writer: streamWriter(sink, may) }
}

test('hints of one moment are sent together, each object once, in the order of its last hint', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  writer.hint({ id: '1', kind: 'intent', objectId: 'a' })
  writer.hint({ id: '2', kind: 'intent', objectId: 'b' })
  writer.hint({ id: '3', kind: 'intent', objectId: 'a' })
  assert.deepEqual(sink.texts, [])
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, [
    'id: 2\ndata: {"kind":"intent","id":"b"}\n\nid: 3\ndata: {"kind":"intent","id":"a"}\n\n',
  ])
})

test('a flood becomes one hint for each kind, however long it lasts', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  for (let i = 0; i < 100_000; i++)
    writer.hint({ id: String(i), kind: i % 2 ? 'intent' : 'alert', objectId: String(i) })
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, ['data: {"kind":"alert","id":""}\n\nid: 99999\ndata: {"kind":"intent","id":""}\n\n'])
})

test('a client that does not read is disconnected, and nothing is kept for it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  sink.writableLength = 300 * 1024
  writer.hint({ id: '1', kind: 'intent', objectId: 'a' })
  t.mock.timers.tick(50)
  assert.equal(sink.destroyed, true)
  assert.deepEqual(sink.texts, [])
})

test('hints that a role may not read are not sent, and the position still moves on', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter((kind) => kind !== 'key')
  writer.begin('0')
  writer.hint({ id: '1', kind: 'key', objectId: 'k' })
  t.mock.timers.tick(50)
  writer.beat()
  writer.beat()
  assert.deepEqual(sink.texts, ['retry: 2000\nid: 0\n\n', 'id: 1\n\n', ': here\n\n'])
})

test('a reset replaces the hints that were about to be sent', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  writer.hint({ id: '1', kind: 'intent', objectId: 'a' })
  writer.reset('2')
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, ['id: 2\nevent: reset\ndata: {}\n\n'])
})
