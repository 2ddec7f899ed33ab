import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDevices } from './known-device.ts'

const devices = knownDevices(new Uint8Array(32).fill(7))
const [amal, badr] = ['amal@sanad.example', 'badr@sanad.example']

test('a browser is known for who signed in from it, and for nobody else', () => {
  const cookie = devices.remember(undefined, amal)
  assert.ok(devices.nameIn(cookie, amal))
  assert.equal(devices.nameIn(cookie, badr), undefined)
  assert.equal(devices.nameIn(undefined, amal), undefined)
  assert.ok(!cookie.includes('amal'))
})

test('its name stays the same however often they sign in, and differs from every other browser’s', () => {
  const cookie = devices.remember(undefined, amal)
  assert.equal(devices.remember(cookie, amal), cookie)
  assert.notEqual(devices.nameIn(devices.remember(undefined, amal), amal), devices.nameIn(cookie, amal))
})

test('several people of one counter are known by one browser, the last five of them', () => {
  let cookie = devices.remember(undefined, amal)
  cookie = devices.remember(cookie, badr)
  assert.ok(devices.nameIn(cookie, amal) && devices.nameIn(cookie, badr))
  for (let i = 0; i < 4; i++) cookie = devices.remember(cookie, `person-${i}@sanad.example`)
  assert.equal(devices.nameIn(cookie, amal), undefined)
  assert.ok(devices.nameIn(cookie, badr))
  assert.ok(cookie.length < 400)
})

test('a name that somebody made up, changed, or signed with another key is worth nothing', () => {
  const cookie = devices.remember(undefined, amal)
  const other = knownDevices(new Uint8Array(32).fill(8)).remember(undefined, amal)
  const forged = `${'A'.repeat(22)}.${cookie.split('.')[1]}`
  for (const one of [other, forged, cookie.slice(0, -2), '', '~~~', 'x'.repeat(10_000)])
    assert.equal(devices.nameIn(one, amal), undefined, one.slice(0, 80))
  assert.equal(devices.remember('x'.repeat(10_000), amal).includes('xxx'), false)
})
