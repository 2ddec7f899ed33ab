import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { loggedAnswer, loggedBody, loggedPath, takeOne } from './api-call.ts'

test('the values of query parameters named like a secret are not logged', () => {
  assert.equal(loggedPath('/intents/?page=2&status=PENDING'), '/intents/?page=2&status=PENDING')
  assert.equal(
    loggedPath('/intents/?access_token=abc.def&page=2&Client_Secret=x'),
    '/intents/?access_token=***&page=2&Client_Secret=***',
  )
})

test('the values of fields named like a secret are not logged, even from a body that is cut or broken', () => {
  assert.equal(
    loggedBody('{"amount":"10","client_secret": "s\\"ecret","nested":{"password":12345}}'),
    '{"amount":"10","client_secret": "***","nested":{"password":"***"}}',
  )
  assert.equal(loggedBody('{"token":"abc'), '{"token":"***"')
  assert.ok(!loggedBody(`{"note":"${'x'.repeat(1_980)}","token":"abcdefghijklmnopqrstuvwxyz"}`).includes('abc'))
})

test('the values of form fields named like a secret are not logged either', () => {
  assert.equal(
    loggedBody('amount=10&client_secret=hush&client%5Fsecret=x'),
    'amount=10&client_secret=***&client%5Fsecret=***',
  )
  assert.equal(loggedBody('password=1234'), 'password=***')
  assert.equal(loggedBody('see {"token":"abc"}'), 'see {"token":"***"}')
})

test('escaped names, lists of secrets, and secrets in fields of another name are not logged', () => {
  const secret = randomBytes(32).toString('base64url')
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.${secret}`
  assert.equal(loggedPath('/intents/?access%5Ftoken=abc&page=2'), '/intents/?access%5Ftoken=***&page=2')
  assert.equal(loggedPath(`/intents/?search=${jwt}`), '/intents/?search=***')
  assert.equal(loggedBody('{"client\\u005fsecret":"abc","a":1}'), '{"client\\u005fsecret":"***","a":1}')
  assert.equal(loggedBody('{"a":1,"tokens":["abc","def"],"b":2}'), '{"a":1,…')
  assert.equal(loggedBody('{"items":[{"name":"pin","pin":"12"}]}'), '{"items":[{"name":"pin","pin":"***"}]}')
  const mixed = ['a', 'B', '7', secret].join('')
  for (const leaked of [mixed, jwt, `whsec_${secret}`, `Bearer ${mixed}`])
    for (const text of [
      loggedBody(`{"notes":"see ${leaked}."}`),
      loggedBody(leaked),
      loggedAnswer(`"${leaked}" is not a choice.`),
    ])
      assert.ok(!text.includes(secret.slice(0, 20)), text)
  // Ordinary values are logged: ids, references, long numbers, words.
  const plain = '{"wallet":"019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b","reference":"220700012345","notes":"شكرًا A-1042"}'
  assert.equal(loggedBody(plain), plain)
})

test('a body is cut to a text that PostgreSQL can store', () => {
  assert.equal(loggedBody(`a\0b${'ب'.repeat(5_000)}`).length, 2_000)
  assert.ok(loggedBody(`${'x'.repeat(1_999)}😀`).isWellFormed())
})

test('a burst of calls is logged up to the limit, then one call for each refill', () => {
  const allowance = { most: 3, refill_ms: 1_000 }
  let state = takeOne(allowance, undefined, 0)
  for (let i = 0; i < 2; i++) state = takeOne(allowance, state, 0)
  assert.deepEqual(state, { left: 0, at: 0 })
  assert.equal(takeOne(allowance, state, 999), undefined)
  assert.deepEqual(takeOne(allowance, state, 1_000), { left: 0, at: 1_000 })
  // After a long pause the allowance is not larger than at the beginning; a clock that is set back refills nothing.
  assert.deepEqual(takeOne(allowance, state, 1_000_000), { left: 2, at: 1_000_000 })
  assert.equal(takeOne(allowance, state, -5_000), undefined)
})
