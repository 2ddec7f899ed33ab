import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountry } from './country.ts'

test('a country code is two capital letters that the platform has a name for', () => {
  for (const code of ['YE', 'EG', 'KE', 'BD']) assert.ok(isCountry(code), code)
  for (const code of ['', 'ye', 'YEM', 'ZZ', 'QQ', 'Y1', 'اليمن']) assert.ok(!isCountry(code), code)
})
