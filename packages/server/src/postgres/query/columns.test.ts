import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instant, nullable, text, uuid, whole } from './columns.ts'
import { rowReader } from './statement.ts'

const { read } = instant()

test('an instant is read as PostgreSQL writes it, to the millisecond', () => {
  const cases: [string, string][] = [
    ['2026-01-02 03:04:05.678+00', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.678912+00', '2026-01-02T03:04:05.678Z'],
    ['1999-12-31 23:59:59.999999+00', '1999-12-31T23:59:59.999Z'],
    ['0099-03-01 00:00:00+00', '0099-03-01T00:00:00.000Z'],
    ['2000-02-29 23:59:59.999+00', '2000-02-29T23:59:59.999Z'],
  ]
  for (const [text, expected] of cases) assert.equal(new Date(read(text)).toISOString(), expected, text)
})

test('a time of another zone, before Christ, after the year 9999 or without end is refused, not read as another', () => {
  for (const text of [
    '2026-01-02 03:04:05.678+03',
    '2026-01-02 03:04:05+05:30',
    '2026-01-02 03:04:05-00',
    '2026-01-02 03:04:05',
    '0044-03-15 00:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    'infinity',
    '-infinity',
    '02/01/2026 03:04:05 UTC',
    '',
  ])
    assert.throws(() => read(text), /not a time in UTC/, text)
})

test('any millisecond of any day is read exactly', () => {
  const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.array(times), (days) => {
      for (const day of days) {
        const [whole, fraction] = day.toISOString().slice(0, -1).replace('T', ' ').split('.')
        const short = fraction!.replace(/0+$/, '')
        assert.equal(read(`${whole}${short === '' ? '' : `.${short}`}+00`), day.getTime())
      }
    }),
  )
})

test('a row is read column by column; a null that is not declared is refused, whatever the type', () => {
  const readBoth = rowReader({ id: uuid(), note: nullable(text()), count: whole(), left: nullable(whole()) })
  assert.deepEqual(readBoth([['a', null, '2', null]]), [{ id: 'a', note: null, count: 2, left: null }])
  assert.deepEqual(readBoth([['', '', '0', '0']]), [{ id: '', note: '', count: 0, left: 0 }])
  assert.throws(() => readBoth([[null, 'b', '2', '3']]), /uuid was null/)
  assert.throws(() => readBoth([['a', 'b', null, '3']]), /int8 was null/)
})
