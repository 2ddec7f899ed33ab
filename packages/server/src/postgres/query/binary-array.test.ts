import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsons, smallints, uuids } from './binary-array.ts'

// The elements of an array by the protocol: their number is in the header, each is preceded by its length.
const elements = (array: Buffer): (string | null)[] => {
  const found: (string | null)[] = []
  for (let place = 20; place < array.length; ) {
    const length = array.readInt32BE(place)
    found.push(length < 0 ? null : array.toString('hex', place + 4, place + 4 + length))
    place += 4 + Math.max(length, 0)
  }
  assert.equal(array.readInt32BE(12), found.length)
  return found
}

const id = '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f'
const other = '00000000-FFFF-4fff-bFfF-0123456789aB'

test('ids are written as their bytes, also an id that is repeated', () => {
  const bytes = (text: string) => text.replaceAll('-', '').toLowerCase()
  assert.deepEqual(elements(uuids([id, id, other, id])), [id, id, other, id].map(bytes))
})

test('a text that is no id is refused', () => {
  const wrong = ['', 'x', id.slice(1), `${id}0`, id.replace('9', 'g'), id.replace('-', '0'), id.replaceAll('-', '')]
  for (const text of [...wrong, id.replace('0', '٠'), ` ${id.slice(1)}`])
    assert.throws(() => uuids([text]), /not a UUID/)
})

test('null is written as an element without bytes', () => {
  assert.deepEqual(elements(smallints([200, null, 599])), ['00c8', null, '0257'])
  assert.equal(smallints([200]).readInt32BE(4), 0)
  assert.equal(smallints([null]).readInt32BE(4), 1)
})

test('the length of a text is in bytes, in any script', () => {
  const texts = ['{"body":"ok"}', '{"body":"تم الدفع"}', '""']
  assert.deepEqual(
    elements(jsons(texts)),
    texts.map((text) => Buffer.from(text).toString('hex')),
  )
})
