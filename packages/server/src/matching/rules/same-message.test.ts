import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameMessage_ms, sameText_ms, sameUntimedText_ms } from '../../alerts/alert.ts'
import { inSameMinutes, paired_ms, type Reported, repeatedOf } from './same-message.ts'

const start = 1_000_000_000_000
const one = { phoneId: 'phone 1', adapter: 'native' }
const two = { phoneId: 'phone 2', adapter: 'native' }
const otherApp = { phoneId: 'phone 1', adapter: 'text' }
const untimed = { sentAt: null, phoneReceivedAt: null }

type Alert = Reported & { readonly name: string }
const alert = (name: string, more: Partial<Alert> = {}): Alert => ({
  name,
  sentAt: start,
  phoneReceivedAt: start,
  receivedAt: start,
  isDuplicate: false,
  isRead: true,
  ...one,
  ...more,
})
type Times = Partial<Pick<Alert, 'sentAt' | 'phoneReceivedAt' | 'receivedAt' | 'phoneId' | 'adapter'>>
const repeats = (report: Times, earlier: readonly Alert[], balance: Parameters<typeof repeatedOf>[2] = 'none') =>
  repeatedOf({ ...alert('new'), ...report }, earlier, balance)?.name

test('the same time of sending, five seconds more or less, is the same message, however late it is reported', () => {
  const late = { receivedAt: start + 30 * paired_ms }
  assert.equal(repeats({ ...late, sentAt: start + sameText_ms }, [alert('first')]), 'first')
  assert.equal(repeats({ ...late, sentAt: start - sameText_ms }, [alert('first')]), 'first')
  assert.equal(repeats({ ...late, sentAt: start + sameText_ms + 1 }, [alert('first')]), undefined)
})

test('without the time of sending, the times at which the phones received the message are compared', () => {
  const first = alert('first', { sentAt: null })
  const later = { sentAt: null, receivedAt: start + 3_600_000 }
  assert.equal(repeats({ ...later, phoneReceivedAt: start + sameText_ms }, [first]), 'first')
  assert.equal(repeats({ ...later, phoneReceivedAt: start + sameText_ms + 1 }, [first]), undefined)
})

test('times of two kinds are not compared: the reports must arrive within five seconds, or be paired', () => {
  const noTimeOfSending = { sentAt: null }
  assert.equal(repeats({ ...noTimeOfSending, receivedAt: start + sameText_ms }, [alert('first')]), 'first')
  // The same app reports each message once, so this is the second payment.
  assert.equal(repeats({ ...noTimeOfSending, receivedAt: start + sameText_ms + 1 }, [alert('first')]), undefined)
  assert.equal(repeats({ ...noTimeOfSending, ...two, receivedAt: start + sameText_ms + 1 }, [alert('first')]), 'first')
  const received = alert('first', { sentAt: null })
  assert.equal(repeats({ phoneReceivedAt: null, receivedAt: start + sameText_ms }, [received]), 'first')
  assert.equal(repeats({ phoneReceivedAt: null, receivedAt: start + sameText_ms + 1 }, [received]), undefined)
})

test('two reports without any time are the same message within ten minutes', () => {
  const first = alert('first', untimed)
  assert.equal(repeats({ ...untimed, receivedAt: start + sameUntimedText_ms }, [first]), 'first')
  assert.equal(repeats({ ...untimed, receivedAt: start + sameUntimedText_ms + 1 }, [first]), undefined)
  // One of them has a time: five seconds.
  assert.equal(repeats({ receivedAt: start + sameText_ms + 1 }, [first]), undefined)
  assert.equal(repeats({ ...untimed, receivedAt: start + sameText_ms + 1 }, [alert('first')]), undefined)
})

test('another app pairs its reports with the payments of the first in their order, for a day', () => {
  const first = alert('first', { ...untimed })
  const second = alert('second', { ...untimed, receivedAt: start + 3_600_000 })
  const later = { ...two, sentAt: null, receivedAt: start + 7_200_000 }
  assert.equal(repeats(later, [second, first]), 'first')
  const known = alert('copy', { ...two, ...untimed, receivedAt: start + 7_000_000, isDuplicate: true })
  assert.equal(repeats(later, [first, second, known]), 'second')
  assert.equal(repeats(later, [first, known]), undefined)
  assert.equal(repeats({ ...later, ...otherApp }, [first]), 'first')
  assert.equal(repeats({ ...later, receivedAt: start + paired_ms }, [first]), 'first')
  assert.equal(repeats({ ...later, receivedAt: start + paired_ms + 1 }, [first]), undefined)
  // Both know when the message was sent, and the times differ: two messages.
  assert.equal(
    repeats({ ...two, sentAt: start + 3_600_000, receivedAt: start + 7_200_000 }, [alert('first')]),
    undefined,
  )
})

test('a duplicate is never the message that is repeated', () => {
  assert.equal(repeats({}, [alert('copy', { isDuplicate: true })]), undefined)
  assert.equal(repeats({}, [alert('copy', { isDuplicate: true }), alert('first')]), 'first')
})

test('a balance that shows no second movement makes every later report a repetition', () => {
  const late = { sentAt: start + 5 * paired_ms, receivedAt: start + 5 * paired_ms }
  assert.equal(repeats(late, [alert('first'), alert('second')], 'no second movement'), 'second')
  const unread = alert('unread', { isRead: false })
  assert.equal(repeats(late, [alert('first'), unread], 'no second movement'), 'first')
  assert.equal(repeats(late, [unread], 'no second movement'), 'unread')
  assert.equal(repeats(late, [], 'no second movement'), undefined)
  // A copy that was not read, with the right time, counts only if no alert was read.
  assert.equal(repeats({}, [alert('old', { sentAt: start - paired_ms }), unread], 'no second movement'), 'old')
  assert.equal(repeats({}, [unread], 'no second movement'), 'unread')
  assert.equal(
    repeats({}, [unread, alert('other unread', { isRead: false, sentAt: 5 })], 'no second movement'),
    'unread',
  )
})

test('a balance that shows a second movement makes only a report with the same time a repetition', () => {
  const late = { ...two, sentAt: null, receivedAt: start + 3_600_000 }
  assert.equal(repeats(late, [alert('first', { sentAt: null, phoneReceivedAt: null })], 'second movement'), undefined)
  assert.equal(repeats({}, [alert('first')], 'second movement'), 'first')
  assert.equal(repeats({}, [alert('unread', { isRead: false })], 'second movement'), 'unread')
})

test('alerts that were read are preferred to copies that were not', () => {
  assert.equal(repeats({}, [alert('unread', { isRead: false }), alert('read')]), 'read')
})

test('parts of one message arrive within ten minutes', () => {
  assert.equal(sameMessage_ms, 600_000)
  assert.equal(sameUntimedText_ms, 600_000)
  assert.equal(sameText_ms, 5_000)
  assert.equal(paired_ms, 86_400_000)
  assert.ok(inSameMinutes(start, start + sameMessage_ms))
  assert.ok(inSameMinutes(start + sameMessage_ms, start))
  assert.ok(!inSameMinutes(start, start + sameMessage_ms + 1))
})
