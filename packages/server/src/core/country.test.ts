import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountry } from './country.ts'

test('a country code is one that the standard assigns to a country today', () => {
  for (const code of ['YE', 'EG', 'KE', 'BD']) assert.ok(isCountry(code), code)
  for (const code of ['', 'ye', 'YEM', 'ZZ', 'QQ', 'Y1', 'اليمن', 'EU', 'UN', 'XA', 'YU', 'SU', 'UK'])
    assert.ok(!isCountry(code), code)
})
