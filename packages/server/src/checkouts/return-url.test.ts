import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckoutId } from '../core/ids.ts'
import { urlFault, withCheckout } from './return-url.ts'

test('https addresses are allowed everywhere', () => {
  for (const url of [
    'https://shop.example.com',
    'https://shop.example.com:8443/a?b=c#d',
    'HTTPS://Shop.example.com/%D8%B4',
  ])
    assert.equal(urlFault(url, false), undefined, url)
})

test('http is allowed for this machine, in development only', () => {
  for (const url of ['http://localhost:3000/a', 'http://127.0.0.1/', 'http://[::1]:8080/']) {
    assert.equal(urlFault(url, true), undefined, url)
    assert.match(urlFault(url, false)!, /https/, url)
  }
  for (const url of ['http://shop.example.com/', 'http://127.0.0.1.example.com/', 'http://localhost.example.com/'])
    assert.match(urlFault(url, true)!, /https/, url)
})

test('ambiguous addresses and other schemes are refused', () => {
  const wrong = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//shop.example.com',
    '/thanks',
    'shop.example.com',
    'https:shop.example.com',
    'https:\\\\shop.example.com',
    'https://shop.example.com\\@evil.example.com',
    'https://shop.example.com/\u202emoc',
    'https://shop.example.com/a b',
    'https://shop.example.com/\n',
    'ftp://shop.example.com/',
    'https://',
  ]
  for (const url of wrong) assert.notEqual(urlFault(url, true), undefined, url)
})

test('user names and passwords are refused', () => {
  for (const url of [
    'https://user@shop.example.com/',
    'https://user:secret@shop.example.com/',
    'https://:x@shop.example.com',
  ])
    assert.match(urlFault(url, true)!, /user/, url)
})

test('the id of the checkout is added to the query, and replaces an earlier value', () => {
  const id = '0190' as CheckoutId
  assert.equal(withCheckout('https://shop.example.com/thanks', id), 'https://shop.example.com/thanks?checkout=0190')
  assert.equal(withCheckout('https://shop.example.com/?a=1#x', id), 'https://shop.example.com/?a=1&checkout=0190#x')
  assert.equal(
    withCheckout('https://shop.example.com/?checkout=1&checkout=2', id),
    'https://shop.example.com/?checkout=0190',
  )
})
