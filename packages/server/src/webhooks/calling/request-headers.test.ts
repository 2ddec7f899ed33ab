import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestHeaders, restoreRequest, storedRequest } from './request-headers.ts'

const ids = {
  eventId: '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e60',
  deliveryId: '019b7cab-76aa-7f10-9f41-7d9f1b3d5f60',
  attempt: 3,
}
const url = 'https://shop.example/paid'
const signature = `t=1767322445,v1=${'0'.repeat(64)}`
const sentWith = (own: Record<string, string>, isTest = false) =>
  requestHeaders(own, ids, { userAgent: 'Sanad/0.1.0', signature, isTest })

test('the log shows the headers as they were sent, in their order, with the values of custom headers hidden', () => {
  const own = { 'X-Shop': 'bakery', Authorization: 'Basic c2hvcDpzaG9w' }
  const read = restoreRequest(storedRequest(url, own, sentWith(own)), ids)
  const shown = { ...sentWith(own), 'X-Shop': '(hidden)', Authorization: '(hidden)' }
  assert.deepEqual(Object.entries(read.headers), Object.entries(shown))
  assert.equal(read.url, url)
})

test('a delivery of test money has a header that says so, also in the log', () => {
  assert.equal(sentWith({})['x-service-test'], undefined)
  const sent = sentWith({ 'X-Shop': 'bakery' }, true)
  assert.equal(sent['x-service-test'], 'true')
  const read = restoreRequest(storedRequest(url, { 'X-Shop': 'bakery' }, sent), ids)
  assert.deepEqual(Object.entries(read.headers), Object.entries({ ...sent, 'X-Shop': '(hidden)' }))
})

test('values of other columns are not stored again, and secrets are not stored', () => {
  const stored = storedRequest(url, { 'X-Shop': 'bakery' }, sentWith({ 'X-Shop': 'bakery' }))
  for (const part of [ids.eventId, ids.deliveryId, 'application/json', 'bakery']) assert.ok(!stored.includes(part))
  assert.ok(stored.includes(signature))
})

test('a request that was never sent shows no headers', () => {
  assert.deepEqual(restoreRequest(storedRequest(url, {}, undefined), ids), { url, headers: {} })
})

test('an older log entry, which contains all headers, is shown the same', () => {
  const read = restoreRequest(JSON.stringify({ url, headers: sentWith({ 'X-Shop': '(hidden)' }) }), ids)
  assert.deepEqual(read, { url, headers: sentWith({ 'X-Shop': '(hidden)' }) })
})
