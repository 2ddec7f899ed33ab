import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupedNumber } from './account-number.ts'

test('an account number is shown in groups of three, and nothing of it is lost', () => {
  const shown: Record<string, string> = {
    '771000001': '771 000 001',
    '7710000012': '771 000 0012',
    '77100000123': '771 000 001 23',
    '967771000001': '967 771 000 001',
    '12345': '12345',
    'AB-771000001': 'AB-771000001',
    '771 000 001': '771 000 001',
    '': '',
  }
  for (const [number, text] of Object.entries(shown)) {
    assert.equal(groupedNumber(number), text)
    assert.equal(groupedNumber(number).replaceAll(' ', ''), number.replaceAll(' ', ''))
  }
})
