import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPage, reportOfRow, rowKey } from './sms-row.ts'

const printed = (more: Record<string, unknown> = {}) => ({
  threadid: 3,
  type: 'inbox',
  read: false,
  address: 'Jaib',
  number: 'Jaib',
  received: '2026-01-02 06:04:05',
  body: 'اضيف 500ر.ي',
  _id: 57,
  ...more,
})
const row = (more: Record<string, unknown> = {}) => readPage([printed(more)]).rows[0]!

test('a page of the inbox is read; other types and elements without a number are left out', () => {
  assert.deepEqual(row(), { id: 57, sender: 'Jaib', text: 'اضيف 500ر.ي', received: '2026-01-02 06:04:05' })
  const others = [printed({ type: 'sent' }), printed({ _id: 'x' }), null, 7, []]
  assert.deepEqual(readPage(others), { rows: [], leftOut: others.map((other) => JSON.stringify(other)) })
  // Older versions of Termux print the number only.
  assert.equal(row({ address: undefined }).sender, 'Jaib')
  assert.equal(row({ body: null }).text, '')
  assert.throws(() => readPage({ messages: [] }), /printed no list/)
})

test('a message keeps its key when the zone or the language of the phone changes', () => {
  const key = rowKey(row())
  assert.equal(rowKey(row({ received: '2026-01-02 03:04:05', read: true, sender: 'A contact' })), key)
  assert.equal(rowKey(row({ received: '٢٠٢٦-٠١-٠٢ ٠٦:٠٤:٠٥' })), key)
})

test('another message under a number that Android uses again has another key', () => {
  const key = rowKey(row())
  assert.notEqual(rowKey(row({ body: 'اضيف 700ر.ي' })), key)
  assert.notEqual(rowKey(row({ received: '2026-01-02 06:05:05' })), key)
  assert.notEqual(rowKey(row({ address: 'Jawali' })), key)
  assert.notEqual(rowKey(row({ _id: 58 })), key)
})

test('a report has the id of its message', () => {
  const report = reportOfRow(row(), 1000)
  assert.match(report.client_id, /^sms-57-[0-9a-f]{24}$/)
  assert.deepEqual(
    { ...report, client_id: '' },
    {
      client_id: '',
      kind: 'sms',
      sender: 'Jaib',
      text: 'اضيف 500ر.ي',
      received_at: 1000,
    },
  )
})
