/** Array parameters in PostgreSQL's binary format and in the driver's text format: PostgreSQL reads the values that were sent. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { instants, jsons, smallints, tids, uuids } from '../../src/postgres/query/binary-array.ts'
import { runs } from '../support/runs.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const db = openDatabase({ url: database.url, connections: 1, application: 'test', onFault: () => {} })
after(async () => {
  await db.close()
  await database.drop()
})

/** Each element as PostgreSQL writes it, in the order of the array. */
const readBack = async (type: string, array: Buffer | readonly unknown[]): Promise<(string | null)[]> =>
  (
    await db.run({
      text: `select value::text from unnest($1::${type}[]) with ordinality as u (value, n) order by n`,
      values: [array],
    })
  ).map(([value]) => value!)

const forRandomArrays = <T>(element: fc.Arbitrary<T>, check: (values: T[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(fc.array(element, { maxLength: 20 }), check), { numRuns: runs(50, 15) })

test('ids are read unchanged', () =>
  forRandomArrays(fc.uuid(), async (ids) => assert.deepEqual(await readBack('uuid', uuids(ids)), ids)))

test('times are read to the millisecond, before and after the year 2000', () => {
  const times = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  return forRandomArrays(times, async (days) => {
    const read = await readBack('timestamptz', instants(days.map((day) => day.getTime())))
    assert.deepEqual(
      read.map((text) => Date.parse(text!.replace(' ', 'T').replace('+00', 'Z'))),
      days.map((day) => day.getTime()),
    )
  })
})

test('row locations are read unchanged, up to the largest', () =>
  forRandomArrays(fc.tuple(fc.nat(2 ** 32 - 2), fc.integer({ min: 1, max: 65_535 })), async (places) => {
    const texts = places.map(([block, line]) => `(${block},${line})`)
    assert.deepEqual(await readBack('tid', tids(texts)), texts)
  }))

test('statuses are read unchanged, and null as null', () =>
  forRandomArrays(fc.option(fc.integer({ min: 100, max: 599 })), async (values) =>
    assert.deepEqual(
      await readBack('int2', smallints(values)),
      values.map((value) => (value === null ? null : String(value))),
    ),
  ))

test('JSON of any text is kept character by character', () =>
  forRandomArrays(fc.string({ unit: 'grapheme' }), async (texts) => {
    const written = texts.map((body) => JSON.stringify({ body }))
    assert.deepEqual(await readBack('json', jsons(written)), written)
  }))

test('invalid JSON is refused', async () => {
  await assert.rejects(readBack('json', jsons(['{"body":'])), /json/)
})

test('texts in an array are read as they were: quotation marks, backslashes, NULL as a text, empty texts, null', async () => {
  const odd = ['a', '"', '\\', '\\"', 'NULL', '', '{,}', ' ', null]
  assert.deepEqual(await readBack('text', odd), odd)
  const text = fc.option(fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')))
  await forRandomArrays(text, async (texts) => assert.deepEqual(await readBack('text', texts), texts))
})

test('numbers, booleans and bytes in an array are read as they were', async () => {
  assert.deepEqual(await readBack('bigint', [1, -2, 3n, null]), ['1', '-2', '3', null])
  assert.deepEqual(await readBack('bool', [true, false]), ['true', 'false'])
  assert.deepEqual(await readBack('bytea', [Buffer.from('00ff', 'hex'), null]), [String.raw`\x00ff`, null])
  assert.deepEqual(await readBack('text', []), [])
})
