import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameMessage_ms } from '../../alerts/alert.ts'
import type { AccountId, AlertId, PhoneId, WalletIdentity } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import type { PartRow } from '../records/alert-row.ts'
import type { AlertToResolve, MoneyReading } from '../records/known-alerts.ts'
import { compareParts, findParts, hasMoreParts, partSuperseded, partToReview } from './partial-messages.ts'

const accountId = 'account' as AccountId
const id = (name: string): AlertId => name as AlertId
const whole = 'received 300.00 YER from Ali reference 123456789'
const start = 1_000_000_000_000

const stored = (name: string, more: Partial<PartRow> = {}): PartRow => ({
  id: id(name),
  device_id: 'phone' as PhoneId,
  sender: 'MFloos',
  title: '',
  raw_text: whole.slice(0, 30),
  received_at: start,
  identity: 'wallet' as WalletIdentity,
  state: 'review',
  reason: 'no_reference',
  direction: 'credit',
  amount: minor(30_000n),
  reference_key: null,
  trusted: true,
  ...more,
})
const report = (text: string, reading: unknown = { kind: 'read', wallet: { identity: 'wallet' } }) =>
  ({ phoneId: 'phone', report: { text, sender: 'MFloos' }, reading }) as AlertToResolve
const namesOf = (rows: readonly PartRow[]): string[] => rows.map((row) => row.id)

test('a shorter text of the same sender within ten minutes is a part, a longer one the whole', () => {
  const parts = findParts(report(whole), id('new'), start, [stored('part')])
  assert.equal(parts.whole, undefined)
  assert.deepEqual(namesOf(parts.pieces), ['part'])
  const cut = findParts(report(whole.slice(0, 30)), id('new'), start, [stored('all', { raw_text: whole })])
  assert.equal(cut.whole?.id, 'all')
  assert.deepEqual(cut.pieces, [])
})

test('another sender, ten minutes more, an unrelated text, or the alert itself is no part', () => {
  const partsOf = (row: PartRow) => findParts(report(whole), id('new'), start, [row])
  const none = { whole: undefined, pieces: [] }
  assert.deepEqual(partsOf(stored('part', { sender: 'Other' })), none)
  assert.deepEqual(namesOf(partsOf(stored('part', { received_at: start - sameMessage_ms })).pieces), ['part'])
  assert.deepEqual(partsOf(stored('part', { received_at: start - sameMessage_ms - 1 })), none)
  assert.deepEqual(partsOf(stored('part', { raw_text: 'another text' })), none)
  assert.deepEqual(partsOf(stored('new')), none)
  assert.deepEqual(findParts(report(whole), id('new'), start, []), none)
})

test('a message of another wallet is no part and no whole', () => {
  const other = { identity: 'other' as WalletIdentity }
  const none = { whole: undefined, pieces: [] }
  assert.deepEqual(findParts(report(whole), id('new'), start, [stored('part', other)]), none)
  const cut = report(whole.slice(0, 30))
  assert.deepEqual(findParts(cut, id('new'), start, [stored('all', { ...other, raw_text: whole })]), none)
})

test('if a wallet is not known, only messages of the same phone hide each other; a credit meets the whole that was not read', () => {
  const unknown = { identity: null, state: 'unread', amount: null } as const
  const elsewhere = { ...unknown, device_id: 'other' as PhoneId }
  const cut = whole.slice(0, 30)
  const none = { whole: undefined, pieces: [] }
  const found = (alert: AlertToResolve, row: PartRow) => {
    const { whole: containing, pieces } = findParts(alert, id('new'), start, [row])
    return { whole: containing?.id, pieces: namesOf(pieces) }
  }
  // A credit: the piece of an unknown wallet stays for a member, and the whole of one sends the credit to review.
  assert.deepEqual(findParts(report(whole), id('new'), start, [stored('part', unknown)]), none)
  for (const row of [unknown, elsewhere])
    assert.deepEqual(found(report(cut), stored('all', { ...row, raw_text: whole })), { whole: 'all', pieces: [] })
  // A message of an unknown wallet.
  const unread = (text: string) => report(text, { kind: 'unread', wallet: undefined })
  assert.deepEqual(found(unread(cut), stored('all', { ...unknown, raw_text: whole })), { whole: 'all', pieces: [] })
  assert.deepEqual(found(unread(whole), stored('part', unknown)), { whole: undefined, pieces: ['part'] })
  assert.deepEqual(findParts(unread(cut), id('new'), start, [stored('all', { ...elsewhere, raw_text: whole })]), none)
  assert.deepEqual(findParts(unread(cut), id('new'), start, [stored('all', { raw_text: whole })]), none)
  // A message of a known wallet that was not read.
  const known = report(cut, { kind: 'unread', wallet: { identity: 'wallet' } })
  assert.deepEqual(findParts(known, id('new'), start, [stored('all', { ...unknown, raw_text: whole })]), none)
  assert.equal(findParts(known, id('new'), start, [stored('all', { raw_text: whole })]).whole?.id, 'all')
})

const money = (more: Partial<MoneyReading> = {}) =>
  ({ amount: minor(30_000n), currency: 'YER', referenceKey: 'R1', ...more }) as MoneyReading
const compare = (pieces: readonly PartRow[], over?: PartRow, reading = money()) => {
  const { same, different, whole: containing, spent } = compareParts(reading, { whole: over, pieces })
  return { same: namesOf(same), different: namesOf(different), whole: containing?.id, spent: spent?.id }
}
const nothing = { same: [], different: [], whole: undefined, spent: undefined }

test('a part without a reference and with the same amount, or that was not read, is superseded', () => {
  assert.deepEqual(compare([stored('part')]), { ...nothing, same: ['part'] })
  assert.deepEqual(compare([stored('part', { state: 'unread', amount: null })]), { ...nothing, same: ['part'] })
})

test('a part that was read as other money goes to review with the whole', () => {
  assert.deepEqual(compare([stored('part', { amount: minor(1n) })]), { ...nothing, different: ['part'] })
  assert.deepEqual(compare([stored('part', { reference_key: 'R2' })]), { ...nothing, different: ['part'] })
  // The same reference and amount: the reference decides, not this file.
  assert.deepEqual(compare([stored('part', { reference_key: 'R1' })]), nothing)
})

test('a part of a whole that was read as the same money is a duplicate of it', () => {
  const all = stored('all', { state: 'waiting', reference_key: 'R1' })
  assert.deepEqual(compare([], all), { ...nothing, whole: 'all' })
  assert.deepEqual(compare([], all, money({ referenceKey: null })), { ...nothing, whole: 'all' })
  assert.deepEqual(compare([], all, money({ referenceKey: 'R2' })), { ...nothing, different: ['all'] })
  assert.deepEqual(compare([], all, money({ amount: minor(5n) })), { ...nothing, different: ['all'] })
})

test('a part that is spent supersedes a message without a reference only: one with a reference is asked about', () => {
  for (const state of ['booked', 'matched'] as const) {
    const part = stored('part', { state })
    assert.deepEqual(compare([part], undefined, money({ referenceKey: null })), { ...nothing, spent: 'part' })
    assert.deepEqual(compare([part]), nothing)
    const other = { ...part, amount: minor(5n) }
    assert.deepEqual(compare([other], undefined, money({ referenceKey: null })), nothing)
  }
  const { spent } = compareParts(money({ referenceKey: null }), {
    whole: undefined,
    pieces: [stored('p', { state: 'booked' })],
  })
  assert.deepEqual([spent?.trusted, spent?.currency], [true, 'YER'])
})

test('the changes of parts', () => {
  const change = { accountId, id: id('part'), intentId: null, unmatchedOwed: false }
  for (const state of ['waiting', 'review'] as const)
    assert.deepEqual(partToReview(accountId, stored('part', { state })), [
      { ...change, from: state, state: 'review', reason: 'read_in_part', duplicateOf: null },
    ])
  assert.deepEqual(partToReview(accountId, stored('part', { state: 'booked' })), [])
  assert.deepEqual(partSuperseded(accountId, stored('part'), id('all')), {
    ...change,
    from: 'review',
    state: 'duplicate',
    reason: 'message_part',
    duplicateOf: 'all',
  })
})

test('parts may be missing only if alerts within ten minutes of the message were not read', () => {
  const missing = (from: number, until: number) => hasMoreParts(start, [{ from: start + from, until: start + until }])
  assert.equal(missing(-2 * sameMessage_ms, -sameMessage_ms), true)
  assert.equal(missing(-2 * sameMessage_ms, -sameMessage_ms - 1), false)
  assert.equal(missing(sameMessage_ms, 2 * sameMessage_ms), true)
  assert.equal(missing(sameMessage_ms + 1, 2 * sameMessage_ms), false)
  assert.equal(hasMoreParts(start, []), false)
  assert.equal(hasMoreParts(start, undefined), false)
})
