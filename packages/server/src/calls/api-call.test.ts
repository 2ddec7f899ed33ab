import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptBody, keptPath, takeOne } from './api-call.ts'

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
