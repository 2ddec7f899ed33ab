import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneOf } from '../../core/zone.ts'
import { readInstant } from './dates.ts'

const aden = zoneOf('Asia/Aden')
const read = (text: string) => readInstant(text, aden)?.toISOString()

test('a time with an offset is read in every usual form', () => {
  const offsets = ['Z', ' Z', '+00:00', '-00:00', '+0000', '+00', ' +00:00']
  for (const offset of offsets) assert.equal(read(`2020-01-02T03:04:05${offset}`), '2020-01-02T03:04:05.000Z', offset)
  assert.equal(read('2020-01-02T03:04:05-03:30'), '2020-01-02T06:34:05.000Z')
  assert.equal(read('2020-01-02T03:04:05+03:00:30'), '2020-01-02T00:03:35.000Z')
  assert.equal(read('2020-01-02T03:04:05+14:60'), '2020-01-01T12:04:05.000Z')
})

test('a time without an offset is in the zone of the service; a date alone is its midnight', () => {
  const midnight = [
    '2020-01-02',
    '20200102',
    '2020-W01-4',
    '2020W014',
    ' 2020-01-02\n',
    '2020-01-02T00',
    '2020-1-2 0:0',
  ]
  for (const text of midnight) assert.equal(read(text), '2020-01-01T21:00:00.000Z', text)
  assert.equal(read('2020-W01'), '2019-12-29T21:00:00.000Z')
  const time = [
    '2020-01-02T03:04',
    '2020-01-02 03:04',
    '2020-01-02t03:04',
    '20200102T0304',
    '2020-1-2T3:4',
    '٢٠٢٠-٠١-٠٢T٠٣:٠٤:٠٠',
  ]
  for (const text of time) assert.equal(read(text), '2020-01-02T00:04:00.000Z', text)
})

test('a plus sign that arrived as a space is restored', () => {
  for (const offset of ['03:00', '0300', '03']) {
    assert.equal(read(`2020-01-02T03:04:05 ${offset}`), '2020-01-02T00:04:05.000Z')
    assert.equal(read(`2020-01-02 03:04:05.5 ${offset}`), '2020-01-02T00:04:05.500Z')
  }
})

test('fractions are cut to microseconds, and rounded to milliseconds in the requested direction', () => {
  assert.equal(read('2020-01-02T03:04:05.1Z'), '2020-01-02T03:04:05.100Z')
  assert.equal(read('2020-01-02T03:04:05,123456789012Z'), '2020-01-02T03:04:05.123Z')
  const up = (text: string) => readInstant(text, aden, 'up')?.toISOString()
  assert.equal(up('2020-01-02T03:04:05.123456Z'), '2020-01-02T03:04:05.124Z')
  assert.equal(up('2020-01-02T03:04:05.1230009Z'), '2020-01-02T03:04:05.123Z')
})

test('a text that is no date is refused', () => {
  const none = ['', ' ', 'now', '2020', '2020-01', '2020-1-2', '2020-002', '2020-13-01', '2020-02-30', '2019-02-29']
    .concat(['2020-01-02T', '2020-01-02T24:00:00', '2020-01-02T23:60', '2020-01-02T23:59:60Z', '2020-01-02T03:04:05z'])
    .concat(['2020-01-02T03:04:05+24:00', '2020-01-02T03:04:05+3', '2020-01-02T03:04:05UTC', '2020-01-02  03:04:05'])
    .concat([
      '0000-01-01',
      '10000-01-01',
      '-2020-01-02',
      '1577934245',
      '2020/01/02',
      '2020-W54',
      '2021-W53',
      '2020-01-02\0',
    ])
    .concat(['٢٠٢٠-٠١-٠٢', '2020-01-02,2020-01-03', '"2020-01-02"'])
  for (const text of none) assert.equal(read(text), undefined, JSON.stringify(text))
})

test('the first and the last day are within the range of the database', () => {
  assert.equal(read('0001-01-01'), '0001-01-01T00:00:00.000Z')
  assert.equal(read('9999-12-31T23:59:59-14:00'), '9999-12-31T23:59:59.999Z')
})

test('an instant is read back from the text that the service writes', () => {
  const instant = fc.date({ min: new Date('1975-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(fc.property(instant, (at) => assert.equal(readInstant(aden.format(at), aden)?.getTime(), at.getTime())))
})

test('reading never throws, whatever the text is', () => {
  const near = fc.string({ unit: fc.constantFrom(...'0123456789-:TWZ+., ٣') })
  fc.assert(fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => void read(text)))
})
