import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Notification, readNotifications, reportsOf } from './notification.ts'

const printed = {
  id: -100,
  tag: '',
  key: '0|com.example.wallet|-100|null|10151',
  group: '',
  packageName: 'com.example.wallet',
  title: 'Wallet',
  content: 'اضيف 500ر.ي',
  when: '2026-01-02 06:04:05',
}
const notification: Notification = readNotifications([printed])[0]!
const reports = (more: Partial<Notification> = {}) => reportsOf({ ...notification, ...more }, 'Jaib', 'Asia/Aden', 7)
const ids = (more: Partial<Notification> = {}) => reports(more).map((report) => report.client_id)

test('a notification is a report with its package, its title and its time', () => {
  const [report, ...more] = reports()
  assert.deepEqual(more, [])
  assert.match(report!.client_id, /^ntf-[0-9a-f]{32}$/)
  assert.deepEqual(
    { ...report, client_id: '' },
    {
      client_id: '',
      kind: 'notification',
      sender: 'Jaib',
      package: 'com.example.wallet',
      title: 'Wallet',
      text: 'اضيف 500ر.ي',
      received_at: Date.parse('2026-01-02T03:04:05Z'),
    },
  )
  assert.equal(reports({ when: '292269055-12-02 16:47:04' })[0]!.received_at, 7)
  assert.deepEqual(reports({ content: '' }), [])
})

test('a notification that is seen again keeps its id; an updated one gets another id', () => {
  assert.deepEqual(ids(), ids())
  assert.notDeepEqual(ids({ content: 'اضيف 700ر.ي' }), ids())
  assert.notDeepEqual(ids({ when: '2026-01-02 06:05:05' }), ids())
  // The same instant, printed in another zone and in other digits.
  const elsewhere = reportsOf({ ...notification, when: '٢٠٢٦-٠١-٠٢ ٠٣:٠٤:٠٥' }, 'Jaib', 'UTC', 7)
  assert.deepEqual(
    elsewhere.map((report) => report.client_id),
    ids(),
  )
})

test('each line of a collecting notification is one report, also when more lines come', () => {
  const first = reports({ content: '', lines: ['a', 'b'] })
  const later = reports({ content: '', lines: ['a', 'b', 'a'], when: '2026-01-02 06:09:00' })
  assert.deepEqual(
    later.map(({ text }) => text),
    ['a', 'b', 'a'],
  )
  assert.deepEqual(
    later.slice(0, 2).map((report) => report.client_id),
    first.map((report) => report.client_id),
  )
  assert.equal(new Set(later.map((report) => report.client_id)).size, 3)
})

test('output that is no list is a fault; elements without a package are left out', () => {
  assert.deepEqual(readNotifications([null, {}, { packageName: '' }]), [])
  assert.throws(() => readNotifications({}), /printed no list/)
})
