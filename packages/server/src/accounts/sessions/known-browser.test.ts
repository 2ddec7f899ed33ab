import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownBrowsers } from './known-browser.ts'

const browsers = knownBrowsers(new Uint8Array(32).fill(7))
const [amal, badr] = ['amal@sanad.example', 'badr@sanad.example']

test('a browser is known for the users who signed in from it, and for no other', () => {
  const cookie = browsers.remember(undefined, amal, 'signed_in')
  assert.ok(browsers.find(cookie, amal))
  assert.equal(browsers.find(cookie, badr), undefined)
  assert.equal(browsers.find(undefined, amal), undefined)
  assert.ok(!cookie.includes('amal'))
})

test('the name of a browser stays the same at every sign-in, and no other browser has it', () => {
  const cookie = browsers.remember(undefined, amal, 'signed_in')
  assert.equal(browsers.remember(cookie, amal, 'signed_in'), cookie)
  const other = browsers.remember(undefined, amal, 'signed_in')
  assert.notEqual(browsers.find(other, amal)?.name, browsers.find(cookie, amal)?.name)
})

test('a browser that several users share knows the last five of them', () => {
  let cookie = browsers.remember(undefined, amal, 'signed_in')
  cookie = browsers.remember(cookie, badr, 'signed_in')
  assert.ok(browsers.find(cookie, amal) && browsers.find(cookie, badr))
  for (let i = 0; i < 4; i++) cookie = browsers.remember(cookie, `user-${i}@sanad.example`, 'signed_in')
  assert.equal(browsers.find(cookie, amal), undefined)
  assert.ok(browsers.find(cookie, badr))
  assert.ok(cookie.length < 400)
})

test('a cookie that is made up, changed, or signed with another key is ignored', () => {
  const cookie = browsers.remember(undefined, amal, 'signed_in')
  const other = knownBrowsers(new Uint8Array(32).fill(8)).remember(undefined, amal, 'signed_in')
  const forged = `${'A'.repeat(22)}.${cookie.split('.')[1]}`
  for (const invalid of [other, forged, cookie.slice(0, -2), '', '~~~', 'x'.repeat(10_000)])
    assert.equal(browsers.find(invalid, amal), undefined, invalid.slice(0, 80))
  assert.equal(browsers.remember('x'.repeat(10_000), amal, 'signed_in').includes('xxx'), false)
})

test('a browser known only by a link is marked as such, until a user signs in from it', () => {
  const linked = browsers.remember(undefined, amal, 'by_link')
  assert.equal(browsers.find(linked, amal)?.how, 'by_link')
  const signed = browsers.remember(linked, amal, 'signed_in')
  assert.equal(browsers.find(signed, amal)?.how, 'signed_in')
  assert.equal(signed.split('~').length, 1)
  assert.equal(browsers.remember(signed, amal, 'by_link'), signed)
})
