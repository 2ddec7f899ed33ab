/** Reading a query by the rules of the contract. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, Parameters } from '@sanad/contract/operation'
import * as field from '@sanad/contract/query'
import { textOf } from '@sanad/contract/scalars'
import fc from 'fast-check'
import { Type } from 'typebox'
import { zoneOf } from '../../core/zone.ts'
import { Problem } from '../answers.ts'
import { cursorText } from './cursor.ts'
import { queryReader } from './read-query.ts'

const aden = zoneOf('Asia/Aden')
const id = '7d0f3a52-8a52-4c3e-9a56-1f0f3a528a52'

const readerOf = (query: Parameters) => {
  const read = queryReader({ query } as unknown as Operation)
  return (text: string): Record<string, unknown> => read(`/list/?${text}`, aden) as Record<string, unknown>
}

/** What one parameter `p` is read as, or its errors. */
const reading = (schema: Parameters[string]['schema']) => {
  const read = readerOf({ p: { schema } })
  return (value: string): unknown => {
    try {
      return read(`p=${encodeURIComponent(value)}`).p
    } catch (problem) {
      assert.ok(problem instanceof Problem)
      return problem.errors.map(({ code, attr, detail }) => `${problem.status} ${code}@${attr}: ${detail}`).join('; ')
    }
  }
}

test('several choices are separated by commas; the first wrong one is named', () => {
  const read = reading(field.choicesField(textOf(['A', 'B', 'C'])))
  assert.deepEqual(read(' A ,,B,A'), ['A', 'B'])
  for (const none of ['', ' ', ',']) assert.equal(read(none), undefined)
  const sentence = 'Select a valid choice. x is not one of the available choices.'
  assert.equal(read('A,x,y'), `400 invalid_choice@p: ${sentence}`)
})

test('one choice has its own sentence, which shows at most 100 characters of a wrong value', () => {
  const read = reading(field.listedField(['draft', 'active']))
  assert.equal(read(' draft '), 'draft')
  assert.equal(read(''), undefined)
  assert.equal(read('x'), '400 invalid_choice@p: "x" is not one of draft, active.')
  assert.equal(read('y'.repeat(500)), `400 invalid_choice@p: "${'y'.repeat(100)}" is not one of draft, active.`)
  assert.match(String(reading(textOf(['a']))('b')), /Select a valid choice\. b is not/)
})

test('a flag is set by 1 alone', () => {
  const read = reading(field.flagField())
  assert.equal(read('1'), true)
  for (const other of ['', '0', 'true', ' 1', '11']) assert.equal(read(other), false, other)
})

test('texts are trimmed and bounded, and refuse characters that no text may have', () => {
  const read = reading(field.textFilter(5))
  assert.equal(read('  abc '), 'abc')
  assert.equal(read('   '), undefined)
  assert.equal(read('abcdef'), '400 max_length@p: Ensure this value has at most 5 characters.')
  assert.match(String(read('a\0')), /null_characters_not_allowed@p/)
})

test('an id is a UUID in any form; one that is needed must be there', () => {
  const forms = [id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, ` ${id} `]
  for (const schema of [field.idFilter(), field.neededId()])
    for (const form of forms) assert.equal(reading(schema)(form), id, form)
  assert.equal(reading(field.idFilter())(' '), undefined)
  assert.equal(reading(field.neededId())(' '), '400 required@p: This field is required.')
  assert.equal(reading(field.neededId())('7'), '400 invalid@p: Enter a valid UUID.')
})

test('both ends of a range are found: `before` gives the first instant outside, `until` is outside itself', () => {
  const at = Date.parse('2026-01-02T00:00:00+03:00')
  assert.equal(reading(field.instantFilter('after'))('2026-01-02'), at)
  assert.equal(reading(field.instantFilter('before'))('2026-01-02'), at + 1)
  assert.equal(reading(field.instantFilter('until'))('2026-01-02'), at)
  // Microseconds: a row has milliseconds.
  assert.equal(reading(field.instantFilter('after'))('2026-01-02T00:00:00.000001+03:00'), at + 1)
  assert.equal(reading(field.instantFilter('before'))('2026-01-02T00:00:00.000999+03:00'), at + 1)
  assert.equal(reading(field.instantFilter('after'))('soon'), '400 invalid@p: Enter a valid date/time.')
})

test('a day is a date that exists, with digits of any script', () => {
  const read = reading(field.dayFilter())
  assert.equal(read('٢٠٢٦-٠١-٠٢'), '2026-01-02')
  assert.equal(read(''), undefined)
  for (const wrong of ['2026-02-30', '2026-1-2', '1969-12-31', '9999-01-01', 'today'])
    assert.equal(read(wrong), '400 invalid@p: Enter a valid date.', wrong)
})

test('an amount is minor units; an order keeps each known field once', () => {
  assert.equal(reading(field.amountFilter())('1500.5'), 150_050n)
  assert.match(String(reading(field.amountFilter())('1.234')), /^400 max_decimal_places@p/)
  const read = reading(field.orderingField(['created_at', 'status'], '-created_at'))
  assert.deepEqual(read('status,-status,x,--created_at'), [{ field: 'status', down: false }])
  assert.deepEqual(read('x'), [{ field: 'created_at', down: true }])
})

test('an unusable page size is the usual one, a large one the largest; an unusable page is a 404', () => {
  const size = reading(field.pageSizeField(field.numberedPages))
  const sizes = { '': 20, abc: 20, '0': 20, '-5': 20, '7': 7, '٧': 7, '100': 100, '101': 100 }
  for (const [sent, read] of Object.entries(sizes)) assert.equal(size(sent), read, sent)
  const page = reading(field.pageField())
  for (const [sent, read] of [
    ['', 1],
    ['3', 3],
    ['last', 'last'],
  ] as const)
    assert.equal(page(sent), read)
  for (const wrong of ['0', '-1', 'x', 'LAST']) assert.equal(page(wrong), '404 not_found@null: Invalid page.', wrong)
})

test('a cursor is read back with the types of its parts; any other text is refused', () => {
  const read = reading(field.afterField(['text', 'uuid', 'number']))
  assert.deepEqual(read(cursorText(['Jaib', id, 7])), ['Jaib', id, 7])
  const refused = '400 invalid@p: This is no "next" of a page.'
  for (const wrong of [
    'x',
    cursorText(['Jaib', id]),
    cursorText([id, 'Jaib', 7]),
    cursorText(['a\0', id, 7]),
    ' ',
    '7'.repeat(1001),
  ])
    assert.equal(read(wrong), refused)
  assert.equal(reading(field.afterField([]))(id), id)
  assert.deepEqual(reading(field.afterTimeField())(`1767323045677.${id}`), [1767323045677, id])
  assert.equal(reading(field.afterTimeField())(id), refused)
})

test('all errors are reported at once, in the order of the description; one of `search` only if it is alone', () => {
  const errors = (query: Parameters, text: string): string[] => {
    try {
      readerOf(query)(text)
      return []
    } catch (problem) {
      return (problem as Problem).errors.map(({ code, attr }) => `${code}@${attr}`)
    }
  }
  const wallet = { schema: field.idFilter() }
  const status = { schema: textOf(['A']) }
  assert.deepEqual(errors({ wallet, status }, 'status=x&wallet=x'), ['invalid@wallet', 'invalid_choice@status'])
  const search = { schema: field.searchField() }
  assert.deepEqual(errors({ search, wallet }, 'search=%00&wallet=x'), ['invalid@wallet'])
  assert.deepEqual(errors({ search, wallet }, 'search=%00'), ['null_characters_not_allowed@null'])
  const words = { schema: field.searchField('words') }
  assert.deepEqual(errors({ words }, 'words=%00'), ['null_characters_not_allowed@words'])
})

test('the last of repeated parameters counts, and reading any text throws nothing but a problem', () => {
  assert.equal(readerOf({ p: { schema: Type.String() } })('p=1&p=2').p, '2')
  const fields = [field.idFilter(), field.dayFilter(), field.instantFilter('before'), field.afterField(['text'])]
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.string({ unit: 'binary' }), (schema, text) => {
      reading(schema)(text.toWellFormed())
    }),
  )
})
