import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import { currencyOf } from './wallet.ts'

const wallet = (currency: string, isTest = false) => ({ currency, isTest })

test('a shop is paid in the currency of its wallets that are no test; if they differ or there are none, in the usual one', () => {
  assert.equal(currencyOf([wallet('SAR'), wallet('SAR')]), 'SAR')
  assert.equal(currencyOf([wallet('SAR'), wallet('USD')]), usualCurrency)
  assert.equal(currencyOf([wallet('USD', true), wallet('SAR')]), 'SAR')
  assert.equal(currencyOf([wallet('USD', true)]), 'USD')
  assert.equal(currencyOf([]), usualCurrency)
})
