/** The hand-written declarations match the JavaScript and the contract. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type * as checkout from '@sanad/contract/checkout'
import * as contract from '@sanad/contract/events'
import type * as sdk from '@sanad/sdk'
import type { PaymentReceived, PaymentUnmatched, PaymentVerified, WebhookEvent } from '@sanad/sdk'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

test('the events are those of the contract, field by field', () => {
  // Checked by the compiler: an extra field, a missing one or another type is not `true`.
  const same: [
    Same<PaymentVerified, contract.PaymentVerified>,
    Same<PaymentUnmatched, contract.PaymentUnmatched>,
    Same<PaymentReceived, contract.PaymentReceived>,
    Same<sdk.CheckoutCompleted, checkout.CheckoutCompleted>,
    Same<sdk.CheckoutExpired, checkout.CheckoutExpired>,
    Same<sdk.Checkout, checkout.Checkout>,
    Same<sdk.PaymentLink, checkout.PaymentLink>,
  ] = [true, true, true, true, true, true, true]
  assert.equal(same.length, 7)
})

test('enumerations of the contract are unions in the types', () => {
  // A record over the type must name each of its values and no other.
  const currency: Record<WebhookEvent['currency'], true> = { YER: true }
  const verified: Record<PaymentVerified['event'], true> = { 'payment.verified': true }
  const status: Record<PaymentVerified['status'], true> = { VERIFIED: true }
  const unmatched: Record<PaymentUnmatched['event'], true> = { 'payment.unmatched': true }
  const received: Record<PaymentReceived['event'], true> = { 'payment.received': true }
  const resolution: Record<PaymentReceived['resolution'], true> = { UNMATCHED: true, MATCHED: true, WRONG_AMOUNT: true }
  const choices = (schema: { properties: object }): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(schema.properties).flatMap(([name, field]) => ('enum' in field ? [[name, field.enum]] : [])),
    )
  const keysOf = (records: Record<string, Record<string, true>>): Record<string, string[]> =>
    Object.fromEntries(Object.entries(records).map(([name, record]) => [name, Object.keys(record)]))
  assert.deepEqual(choices(contract.PaymentVerified), keysOf({ event: verified, currency, status }))
  assert.deepEqual(choices(contract.PaymentUnmatched), keysOf({ event: unmatched, currency }))
  assert.deepEqual(choices(contract.PaymentReceived), keysOf({ event: received, currency, resolution }))
})

test('the JavaScript matches its declarations', () => {
  const root = resolve(import.meta.dirname, '../../..')
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status, stdout } = spawnSync(tsc, ['-p', 'packages/sdk'], { cwd: root, encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})

test('the package has no dependencies, and ships what it exports', () => {
  const packed = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  assert.equal(packed.dependencies, undefined)
  for (const { types, default: code } of Object.values<{ types: string; default: string }>(packed.exports)) {
    assert.match(types, /^\.\/types\/[a-z-]+\.d\.ts$/)
    assert.match(code, /^\.\/src\/[a-z-]+\.js$/)
    for (const path of [types, code]) assert.ok(readFileSync(join(import.meta.dirname, '..', path)).length > 0)
  }
  assert.deepEqual(packed.files, ['bin', 'src', 'types'])
})
