import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameUrl, queryValues, shownUrl, splitUrl } from './endpoint-url.ts'

test('an address is its part before the query and its query, and both together are the address', () => {
  for (const whole of ['https://a.example/hook', 'https://a.example/hook?', 'https://a.example/?a=1?b=2&c']) {
    const { url, query } = splitUrl(whole)
    assert.equal(url + query, whole)
    assert.doesNotMatch(url, /\?/)
  }
})

test('a query is never shown, whether it is stored apart or not; an address without one is shown whole', () => {
  assert.equal(shownUrl('https://a.example/hook?token=s3cret', false), 'https://a.example/hook?…')
  assert.equal(shownUrl('https://a.example/hook', true), 'https://a.example/hook?…')
  assert.equal(shownUrl('https://a.example/hook', false), 'https://a.example/hook')
})

test('the address as it is shown, and the whole address, name the same endpoint; another query does not', () => {
  const whole = 'https://a.example/hook?token=s3cret'
  for (const text of [whole, 'https://A.example/hook?token=s3cret', 'https://a.example/hook?…'])
    assert.ok(isSameUrl(text, whole), text)
  for (const text of ['https://a.example/hook', 'https://a.example/hook?token=other', 'https://b.example/hook?…', ''])
    assert.ok(!isSameUrl(text, whole), text)
  assert.ok(!isSameUrl('https://a.example/hook?…', 'https://a.example/hook'))
})

test('the values of a query are known, so that a receiver’s answer is shown without them', () => {
  assert.deepEqual(queryValues('https://a.example/?token=s3%20cret&b=2'), ['s3 cret', '2'])
  assert.deepEqual(queryValues('https://a.example/'), [])
})
