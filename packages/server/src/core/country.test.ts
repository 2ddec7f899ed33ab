import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountry } from './country.ts'

test('a country is two capital letters that ISO 3166-1 assigns to a country', () => {
  for (const code of ['YE', 'EG', 'KE', 'BD']) assert.ok(isCountry(code), code)
  for (const code of ['', 'ye', 'YEM', 'ZZ', 'QQ', 'Y1', 'اليمن']) assert.ok(!isCountry(code), code)
})
