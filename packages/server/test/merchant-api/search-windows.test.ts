/** The search index: all pieces (windows) of a search term are stored for every intent that contains the term. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldMark } from '../../src/intents/intent.ts'
import { windowsOf } from '../../src/views/intents/search-windows.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { sql } = service
const account = '0198a2f4-6a3b-7c11-9d7e-000000000001'
const other = '0198a2f4-6a3b-7c11-9d7e-000000000002'

const characters = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'0123456789'),
    fc.constantFrom(...'0123456789abcx-%_ é١ن'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 128,
})

test('a text that contains a term has all pieces of the term, in any script and at any length', async () => {
  const cases = fc
    .sample(fc.tuple(characters, characters, fc.nat(), fc.nat()), 500)
    .map(([order, reference, from, length]): [string, string[]] => {
      const clean = [order, reference].map((text) => text.replaceAll('\0', '').replaceAll(fieldMark, ''))
      const letters = Array.from(clean[from % 2]!)
      const start = letters.length === 0 ? 0 : from % letters.length
      const term = letters.slice(start, start + 1 + (length % 128)).join('')
      return [`0123abcdef${fieldMark}${clean.join(fieldMark)}`, windowsOf(term)]
    })
  assert.ok(cases.filter(([, windows]) => windows.length > 0).length > 100)
  const missed = await sql(
    `select c ->> 0 as searched, characters
       from jsonb_array_elements($2) as c
      cross join jsonb_array_elements_text(c -> 1) as w (characters)
      where not search_windows($1, c ->> 0) @> array[search_window($1, characters)]`,
    [account, JSON.stringify(cases)],
  )
  assert.deepEqual(missed, [])
})

test('no piece spans two fields, every piece of a field is stored, and each account has its own', async () => {
  const sizes = await sql(
    `select cardinality(search_windows($1, s)) from unnest($2::text[]) with ordinality as t (s, n) order by n`,
    [
      account,
      [
        '',
        'abc',
        'abcd',
        `abc${fieldMark}defg`,
        'x'.repeat(11),
        'x'.repeat(12),
        `${'x'.repeat(128)}${fieldMark}`,
        '123456789012',
        'a12345678',
      ],
    ],
  )
  assert.deepEqual(sizes.flat().map(Number), [0, 0, 1, 1, 8, 9, 125, 9 + 5, 6 + 2])
  const [[same]] = (await sql(`select search_window($1, 'abcd') = search_window($2, 'abcd')`, [account, other])) as [
    [unknown],
  ]
  assert.ok(same === false || same === 'f')
})
