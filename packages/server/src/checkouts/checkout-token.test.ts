import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, CheckoutId } from '../core/ids.ts'
import { fingerprint } from '../core/seal.ts'
import { checkoutTokens } from './checkout-token.ts'

const key = new Uint8Array(32).fill(7).with(0, 1)
const account = 'account' as AccountId
const id = 'checkout' as CheckoutId

test('a token is the same each time, has 160 bits and contains nothing of the checkout', () => {
  const tokens = checkoutTokens(key)
  const token = tokens.of(account, id)
  assert.equal(token, checkoutTokens(key).of(account, id))
  assert.match(token, /^[A-Za-z0-9_-]{27}$/)
  assert.notEqual(token, tokens.of(account, 'another' as CheckoutId))
  assert.notEqual(token, tokens.of('other' as AccountId, id))
  assert.notEqual(token, checkoutTokens(key.with(0, 2)).of(account, id))
})

test('a text that has not the form of a token has no hash', () => {
  const tokens = checkoutTokens(key)
  const token = tokens.of(account, id)
  assert.equal(tokens.hash(token), fingerprint(token).toString('hex'))
  for (const wrong of ['', 'short', `${tokens.of(account, id)}x`, '../../../../../../etc/passwd'])
    assert.equal(tokens.hash(wrong), undefined, wrong)
})
