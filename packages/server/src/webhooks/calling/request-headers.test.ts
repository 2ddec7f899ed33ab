import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptRequest, requestHeaders, wholeRequest } from './request-headers.ts'

const naming = {
  eventId: '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e60',
  deliveryId: '019b7cab-76aa-7f10-9f41-7d9f1b3d5f60',
  attempt: 3,
}
const url = 'https://shop.example/paid'
const signature = `t=1767322445,v1=${'0'.repeat(64)}`
const sentWith = (own: Record<string, string>) => requestHeaders(own, naming, { userAgent: 'Sanad/0.1.0', signature })

test('the log shows the request as sent, in its order, with the values of custom headers hidden', () => {
  const own = { 'X-Shop': 'bakery', Authorization: 'Basic c2hvcDpzaG9w' }
  const read = wholeRequest(keptRequest(url, own, sentWith(own)), naming)
  const shown = { ...sentWith(own), 'X-Shop': '(hidden)', Authorization: '(hidden)' }
  assert.deepEqual(Object.entries(read.headers), Object.entries(shown))
  assert.equal(read.url, url)
})

test('values of other columns are not stored again, and secrets are not stored', () => {
  const kept = keptRequest(url, { 'X-Shop': 'bakery' }, sentWith({ 'X-Shop': 'bakery' }))
  for (const part of [naming.eventId, naming.deliveryId, 'application/json', 'bakery']) assert.ok(!kept.includes(part))
  assert.ok(kept.includes(signature))
})

test('a request that was never sent shows no headers', () => {
  assert.deepEqual(wholeRequest(keptRequest(url, {}, undefined), naming), { url, headers: {} })
})

test('an older log entry, which holds the whole request, reads the same', () => {
  const read = wholeRequest(JSON.stringify({ url, headers: sentWith({ 'X-Shop': '(hidden)' }) }), naming)
  assert.deepEqual(read, { url, headers: sentWith({ 'X-Shop': '(hidden)' }) })
})
