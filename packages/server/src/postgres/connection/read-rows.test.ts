import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitRows } from './read-rows.ts'

type Row = readonly (string | null)[]

const message = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

const rowMessage = (row: Row): Buffer => {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(row.length)
  const values = row.flatMap((value) => {
    const bytes = Buffer.from(value ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(value === null ? -1 : bytes.length)
    return [length, bytes]
  })
  return message('D', Buffer.concat([count, ...values]))
}

/** What is read when these pieces arrive: rows, and the bytes for the driver between them. */
const readPieces = (pieces: readonly Buffer[]): (Row | string)[] => {
  const read: (Row | string)[] = []
  const take = splitRows(
    (row) => void read.push(row),
    (bytes) => {
      const [last] = read.slice(-1)
      // How the bytes for the driver are cut makes no difference: it puts them together itself.
      if (typeof last === 'string') read[read.length - 1] = last + bytes.toString('latin1')
      else read.push(bytes.toString('latin1'))
    },
  )
  for (const piece of pieces) take(piece)
  return read
}

const expected = (messages: readonly (Row | Buffer)[]): (Row | string)[] => {
  const all: (Row | string)[] = []
  for (const one of messages) {
    const [last] = all.slice(-1)
    if (!Buffer.isBuffer(one)) all.push(one)
    else if (typeof last === 'string') all[all.length - 1] = last + one.toString('latin1')
    else all.push(one.toString('latin1'))
  }
  return all
}

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  // Lengths whose bytes look like characters that are not ASCII, and a row that is longer than what is shared.
  fc.integer({ min: 120, max: 300 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom('', 'طلب رقم ١٢', 'é', '\u{1F600}', 'a'.repeat(5_000), `${'a'.repeat(200)}ü`),
)
const row = fc.array(fc.option(value), { maxLength: 30 })
const other = fc
  .record({ kind: fc.constantFrom('2', 'C', 'Z', 'T', 'N', 'd'), body: fc.uint8Array({ maxLength: 300 }) })
  .map(({ kind, body }) => message(kind, Buffer.from(body)))
const stream = fc.array(fc.oneof(row, other), { maxLength: 12 })

test('property: rows are read as they were sent, and the driver gets all other messages in their place, however the bytes arrive', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (messages, places) => {
      const bytes = Buffer.concat(messages.map((one) => (Buffer.isBuffer(one) ? one : rowMessage(one))))
      assert.deepEqual(readPieces(cut(bytes, places)), expected(messages))
    }),
    { numRuns: 500 },
  )
})

test('rows that arrive byte by byte are read', () => {
  const messages = [message('2', Buffer.alloc(0)), ['a', null, 'ü'], ['', 'b'], message('Z', Buffer.from('I'))]
  const bytes = Buffer.concat(messages.map((one) => (Buffer.isBuffer(one) ? one : rowMessage(one))))
  const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))
  assert.deepEqual(readPieces(single), expected(messages))
})
