import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownBrowsers } from './known-browser.ts'

const devices = knownBrowsers(new Uint8Array(32).fill(7))
const [amal, badr] = ['amal@sanad.example', 'badr@sanad.example']

test('a browser is known for the users who signed in from it, and for no other', () => {
  const cookie = devices.remember(undefined, amal, 'signed_in')
  assert.ok(devices.nameIn(cookie, amal))
  assert.equal(devices.nameIn(cookie, badr), undefined)
  assert.equal(devices.nameIn(undefined, amal), undefined)
  assert.ok(!cookie.includes('amal'))
})

test('its name stays the same however often they sign in, and differs from every other browser’s', () => {
  const cookie = devices.remember(undefined, amal, 'signed_in')
  assert.equal(devices.remember(cookie, amal, 'signed_in'), cookie)
  const other = devices.remember(undefined, amal, 'signed_in')
  assert.notEqual(devices.nameIn(other, amal)?.name, devices.nameIn(cookie, amal)?.name)
})

test('a browser that several users share knows the last five of them', () => {
  let cookie = devices.remember(undefined, amal, 'signed_in')
  cookie = devices.remember(cookie, badr, 'signed_in')
  assert.ok(devices.nameIn(cookie, amal) && devices.nameIn(cookie, badr))
  for (let i = 0; i < 4; i++) cookie = devices.remember(cookie, `user-${i}@sanad.example`, 'signed_in')
  assert.equal(devices.nameIn(cookie, amal), undefined)
  assert.ok(devices.nameIn(cookie, badr))
  assert.ok(cookie.length < 400)
})

test('a cookie that is made up, changed, or signed with another key is ignored', () => {
  const cookie = devices.remember(undefined, amal, 'signed_in')
  const other = knownBrowsers(new Uint8Array(32).fill(8)).remember(undefined, amal, 'signed_in')
  const forged = `${'A'.repeat(22)}.${cookie.split('.')[1]}`
  for (const one of [other, forged, cookie.slice(0, -2), '', '~~~', 'x'.repeat(10_000)])
    assert.equal(devices.nameIn(one, amal), undefined, one.slice(0, 80))
  assert.equal(devices.remember('x'.repeat(10_000), amal, 'signed_in').includes('xxx'), false)
})

test('a browser known only by a link is marked as such, until a user signs in from it', () => {
  const linked = devices.remember(undefined, amal, 'by_link')
  assert.equal(devices.nameIn(linked, amal)?.how, 'by_link')
  const signed = devices.remember(linked, amal, 'signed_in')
  assert.equal(devices.nameIn(signed, amal)?.how, 'signed_in')
  assert.equal(signed.split('~').length, 1)
  assert.equal(devices.remember(signed, amal, 'by_link'), signed)
})
