import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keptAnswer, keptBody, keptPath, takeOne } from './api-call.ts'

test('values of parameters that sound like a secret are not kept', () => {
  assert.equal(keptPath('/intents/?page=2&status=PENDING'), '/intents/?page=2&status=PENDING')
  assert.equal(
    keptPath('/intents/?access_token=abc.def&page=2&Client_Secret=x'),
    '/intents/?access_token=***&page=2&Client_Secret=***',
  )
})

test('values of fields that sound like a secret are not kept, also in a body that is cut or broken', () => {
  assert.equal(
    keptBody('{"amount":"10","client_secret": "s\\"ecret","nested":{"password":12345}}'),
    '{"amount":"10","client_secret": "***","nested":{"password":"***"}}',
  )
  assert.equal(keptBody('{"token":"abc'), '{"token":"***"')
  assert.ok(!keptBody(`{"note":"${'x'.repeat(1_980)}","token":"abcdefghijklmnopqrstuvwxyz"}`).includes('abc'))
})

test('a name that is written otherwise, a list of secrets, and a secret in a field of another name are not kept', () => {
  const secret = randomBytes(32).toString('base64url')
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.${secret}`
  assert.equal(keptPath('/intents/?access%5Ftoken=abc&page=2'), '/intents/?access%5Ftoken=***&page=2')
  assert.equal(keptPath(`/intents/?search=${jwt}`), '/intents/?search=***')
  assert.equal(keptBody('{"client\\u005fsecret":"abc","a":1}'), '{"client\\u005fsecret":"***","a":1}')
  assert.equal(keptBody('{"a":1,"tokens":["abc","def"],"b":2}'), '{"a":1,…')
  assert.equal(keptBody('{"items":[{"name":"pin","pin":"12"}]}'), '{"items":[{"name":"pin","pin":"***"}]}')
  const found = ['a', 'B', '7', secret].join('')
  for (const one of [found, jwt, `whsec_${secret}`, `Bearer ${found}`])
    for (const text of [keptBody(`{"notes":"see ${one}."}`), keptBody(one), keptAnswer(`"${one}" is not a choice.`)])
      assert.ok(!text.includes(secret.slice(0, 20)), text)
  // What a shop sends is kept: ids, references, long numbers, words.
  const plain = '{"wallet":"019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b","reference":"220700012345","notes":"شكرًا A-1042"}'
  assert.equal(keptBody(plain), plain)
})

test('a body is cut to a storable text', () => {
  assert.equal(keptBody(`a\0b${'ب'.repeat(5_000)}`).length, 2_000)
  assert.ok(keptBody(`${'x'.repeat(1_999)}😀`).isWellFormed())
})

test('so many calls at once are kept, then one each time the allowance grows', () => {
  const allowance = { most: 3, refill_ms: 1_000 }
  let state = takeOne(allowance, undefined, 0)
  for (let i = 0; i < 2; i++) state = takeOne(allowance, state, 0)
  assert.deepEqual(state, { left: 0, at: 0 })
  assert.equal(takeOne(allowance, state, 999), undefined)
  assert.deepEqual(takeOne(allowance, state, 1_000), { left: 0, at: 1_000 })
  // After a long rest no more than at the beginning; a clock that was set back gives nothing.
  assert.deepEqual(takeOne(allowance, state, 1_000_000), { left: 2, at: 1_000_000 })
  assert.equal(takeOne(allowance, state, -5_000), undefined)
})
