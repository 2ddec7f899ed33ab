import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThingKind } from '../../../accounts/audit/audit.ts'
import { streamWriter } from './stream-writer.ts'

const aWriter = (may: (kind: ThingKind) => boolean = () => true) => {
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

test('what comes in one moment goes out together, each thing once, in the order of the last telling', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  writer.hint({ id: '1', kind: 'intent', thing: 'a' })
  writer.hint({ id: '2', kind: 'intent', thing: 'b' })
  writer.hint({ id: '3', kind: 'intent', thing: 'a' })
  assert.deepEqual(sink.texts, [])
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, [
    'id: 2\ndata: {"kind":"intent","id":"b"}\n\nid: 3\ndata: {"kind":"intent","id":"a"}\n\n',
  ])
})

test('a flood becomes one hint a kind, however long it lasts', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  for (let i = 0; i < 100_000; i++) writer.hint({ id: String(i), kind: i % 2 ? 'intent' : 'alert', thing: String(i) })
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, ['data: {"kind":"alert","id":""}\n\nid: 99999\ndata: {"kind":"intent","id":""}\n\n'])
})

test('a client that does not read is hung up on, and nothing is kept for it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  sink.writableLength = 300 * 1024
  writer.hint({ id: '1', kind: 'intent', thing: 'a' })
  t.mock.timers.tick(50)
  assert.equal(sink.destroyed, true)
  assert.deepEqual(sink.texts, [])
})

test('what a role may not read is not told, and its place in the line still moves on', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter((kind) => kind !== 'key')
  writer.begin('0')
  writer.hint({ id: '1', kind: 'key', thing: 'k' })
  t.mock.timers.tick(50)
  writer.beat()
  writer.beat()
  assert.deepEqual(sink.texts, ['retry: 2000\nid: 0\n\n', 'id: 1\n\n', ': here\n\n'])
})

test('a reset takes the place of what was about to be told', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { sink, writer } = aWriter()
  writer.hint({ id: '1', kind: 'intent', thing: 'a' })
  writer.reset('2')
  t.mock.timers.tick(50)
  assert.deepEqual(sink.texts, ['id: 2\nevent: reset\ndata: {}\n\n'])
})
