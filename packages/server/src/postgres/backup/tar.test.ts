import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paddingOf, readTarHeader, tarEnd, tarHeader } from './tar.ts'

const name = fc.stringMatching(/^[a-z_./0-9]{1,100}$/)
const size = fc.integer({ min: 0, max: 2 ** 31 })

test('a header is read with the name and size that were written', () => {
  fc.assert(
    fc.property(name, size, (file, bytes) => {
      assert.deepEqual(readTarHeader(tarHeader(file, bytes)), { name: file, bytes })
      assert.equal((bytes + paddingOf(bytes)) % 512, 0)
    }),
  )
})

test('a header with one changed bit is refused, or is read the same', () => {
  fc.assert(
    fc.property(
      name,
      size,
      fc.integer({ min: 0, max: 511 }),
      fc.integer({ min: 0, max: 7 }),
      (file, bytes, place, bit) => {
        const header = tarHeader(file, bytes)
        header[place]! ^= 1 << bit
        const read = readTarHeader(header)
        // A bit after the digits of the checksum does not count.
        if (read !== undefined) assert.deepEqual(read, { name: file, bytes })
      },
    ),
  )
})

test('an empty block is the end of the archive', () => {
  assert.equal(readTarHeader(tarEnd.subarray(0, 512)), 'end')
})
