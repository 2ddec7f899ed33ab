/** The progress of a set-up: only contacts and messages since the page was opened count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PhoneSetup, setupProgress } from './phone-setup.ts'

const noSetup: PhoneSetup = {
  app: '',
  openedAt: null,
  chosen: '',
  chosenAt: null,
  registeredAt: null,
  configuredAt: null,
}

test('a contact or a message from before the page was opened does not count', () => {
  const opened = { ...noSetup, openedAt: 1_000 }
  const phone = { lastSeenAt: 999, lastAlertAt: 1_000 }
  const { contactAt, messageAt } = setupProgress(opened, phone)
  assert.deepEqual([contactAt, messageAt], [null, 1_000])
})

test('without an opened page there is no progress', () => {
  const { contactAt, messageAt } = setupProgress(noSetup, { lastSeenAt: 5, lastAlertAt: 5 })
  assert.deepEqual([contactAt, messageAt], [null, null])
})
