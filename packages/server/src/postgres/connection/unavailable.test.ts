import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable, faultCode, isTimeout, isUnavailable, unavailableOr } from './unavailable.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

test('a connection that fails, breaks or leads to a replica means that the database is unavailable', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])
    assert.ok(isUnavailable(coded(code)), code)
  for (const code of ['08006', '57P01', '57P02', '57P03', '53100', '53200', '53300', '25006'])
    assert.ok(isUnavailable(coded(code)), code)
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])
    assert.ok(isUnavailable(new Error(message)), message)
})

test('a fault of a statement does not mean that the database is unavailable', () => {
  for (const code of ['23505', '40001', '42601', '22P02', '57014', '55P03']) {
    const fault = coded(code)
    assert.ok(!isUnavailable(fault), code)
    assert.equal(unavailableOr(fault), fault)
  }
  for (const fault of [new TypeError('x is not a function'), new Error('anything'), 'text', undefined])
    assert.equal(unavailableOr(fault), fault)
})

test('an unavailable database keeps the original fault as cause, and its code', () => {
  const fault = unavailableOr(coded('57P01'))
  assert.ok(fault instanceof DatabaseUnavailable)
  assert.equal(faultCode(fault), '57P01')
  assert.equal(unavailableOr(fault), fault)
  const none = new AggregateError([new Error('a'), coded('ECONNREFUSED')])
  assert.equal(faultCode(new DatabaseUnavailable('no host', { cause: none })), 'ECONNREFUSED')
  assert.equal(faultCode(new DatabaseUnavailable('silent')), undefined)
})

test('after a lock or statement time-out the statement can be tried again', () => {
  assert.deepEqual(
    ['55P03', '57014', '23505'].map((code) => isTimeout(coded(code))),
    [true, true, false],
  )
})
