import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import type { PartRow } from '../records/alert-row.ts'
import { changeableParts, countedParts } from './signed-parts.ts'

const row = (id: string, trusted: boolean, more: Partial<PartRow> = {}) =>
  ({ id, trusted, state: 'review', amount: minor(10n), ...more }) as PartRow
const ids = ({ whole, pieces }: { whole: PartRow | undefined; pieces: readonly PartRow[] }): string[] => [
  whole?.id ?? '',
  ...pieces.map(({ id }) => id),
]

test('a signed message is no part of an unsigned one, and takes the place of unsigned parts of the same money', () => {
  const signed = { trusted: true, amount: minor(10n) }
  const pieces = [
    row('a', false),
    row('b', false, { amount: minor(11n) }),
    row('c', false, { amount: null, state: 'unread' }),
    row('d', true, { amount: minor(11n) }),
  ]
  assert.deepEqual(ids(countedParts(signed, { whole: row('w', false), pieces })), ['', 'a', 'c', 'd'])
  assert.deepEqual(ids(countedParts(signed, { whole: row('w', true), pieces: [] })), ['w'])
  assert.deepEqual(ids(countedParts(signed, { whole: undefined, pieces: [] })), [''])
})

test('an unsigned message is a part of any, and takes the place of no signed one; spent money counts', () => {
  const unsigned = { trusted: false, amount: minor(10n) }
  const pieces = [
    row('a', false),
    row('b', true),
    row('c', true, { state: 'booked' }),
    row('d', true, { state: 'matched' }),
  ]
  assert.deepEqual(ids(countedParts(unsigned, { whole: row('w', true), pieces })), ['w', 'a', 'c', 'd'])
})

test('an unsigned message sends no signed one to review', () => {
  const compared = { same: [], different: [row('a', true), row('b', false)], whole: undefined, spent: undefined }
  const left = (trusted: boolean) => changeableParts(trusted, compared).different.map(({ id }) => id)
  assert.deepEqual([left(false), left(true)], [['b'], ['a', 'b']])
})
