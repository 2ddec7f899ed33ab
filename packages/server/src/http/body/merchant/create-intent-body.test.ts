import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMinor } from '../../../core/money.ts'
import { parseJson } from '../json.ts'
import { type RefusedDraft, readCreateIntent, withWalletError } from './create-intent-body.ts'

const wallet = '11111111-1111-4111-8111-1111111111ab'

const read = (body: unknown) => {
  const reading = parseJson(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  return reading.kind === 'ok' ? readCreateIntent(reading.value) : assert.fail(reading.detail)
}

const draft = (body: unknown) => {
  const reading = read(body)
  return reading.kind === 'ok' ? reading.draft : assert.fail(JSON.stringify(reading.errors))
}

const refused = (body: unknown): RefusedDraft => {
  const reading = read(body)
  return reading.kind === 'no' ? reading : assert.fail('accepted')
}

const errors = (body: unknown): string[] => refused(body).errors.map(({ attr, code }) => `${code}@${attr}`)

test('the amount becomes the total; fields that are left out are empty', () => {
  assert.deepEqual(draft({ wallet: wallet.toUpperCase(), amount: '1500', unknown: null }), {
    wallet,
    items: [],
    externalOrderId: '',
    notes: '',
    total: 150000n,
  })
  assert.equal(draft({ wallet, amount: 1, currency: 'YER' }).currency, 'YER')
})

test('the total is that of the order lines; an amount beside them is ignored', () => {
  const items = [
    { name: ' Tea ', price: '0.10', quantity: '3' },
    { name: 'Bread', price: 20.5, description: 'fresh' },
  ]
  for (const amount of ['1', 'junk', null, [], undefined]) {
    const { total, items: lines } = draft({ wallet, amount, items })
    assert.equal(formatMinor(total), '20.80')
    assert.deepEqual(lines, [
      { name: 'Tea', description: '', price: 10n, quantity: 3 },
      { name: 'Bread', description: 'fresh', price: 2050n, quantity: 1 },
    ])
  }
})

test('the total of an order is the exact sum of its lines', () => {
  const line = fc.record({ price: fc.integer({ min: 1, max: 99999 }), quantity: fc.integer({ min: 1, max: 999 }) })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 50 }), (lines) => {
      const items = lines.map(({ price, quantity }) => ({ name: 'x', price: (price / 100).toFixed(2), quantity }))
      const expected = lines.reduce((total, { price, quantity }) => total + BigInt(price) * BigInt(quantity), 0n)
      assert.equal(draft({ wallet, items }).total, expected)
    }),
  )
})

test('an empty list of lines counts as left out: the amount is then required', () => {
  assert.equal(draft({ wallet, amount: '5', items: [] }).total, 500n)
  assert.deepEqual(errors({ wallet, items: [] }), ['required@amount'])
  assert.deepEqual(errors({ wallet }), ['required@amount'])
})

test('an order may have free lines, but its total must be above zero and within the largest amount', () => {
  const free = { name: 'gift', price: 0 }
  assert.equal(draft({ wallet, items: [free, { name: 'x', price: '0.01' }] }).total, 1n)
  assert.deepEqual(refused({ wallet, items: [free] }).errors, [
    { attr: 'items', code: 'min_value', detail: 'Ensure this value is greater than or equal to 0.01.' },
  ])
  const largest = { name: 'x', price: '999999999999.99' }
  assert.equal(formatMinor(draft({ wallet, items: [largest] }).total), '999999999999.99')
  assert.deepEqual(refused({ wallet, items: [largest, { name: 'y', price: '0.01' }] }).errors, [
    { attr: 'items', code: 'max_digits', detail: 'Ensure that there are no more than 14 digits in total.' },
  ])
})

test('an order with more than 500 lines is refused', () => {
  const items = Array.from({ length: 500 }, () => ({ name: 'x', price: 1 }))
  assert.equal(draft({ wallet, items }).total, 50000n)
  assert.deepEqual(errors({ wallet, items: [...items, {}] }), ['max_length@items.non_field_errors'])
})

test('every field that is null is reported, in the order of the documentation', () => {
  const names = ['wallet', 'amount', 'items', 'currency', 'external_order_id', 'notes']
  const body = Object.fromEntries(names.toReversed().map((name) => [name, null]))
  assert.deepEqual(
    errors(body),
    names.map((name) => `null@${name}`),
  )
})

test('all errors are returned at once: the outermost first, then by line and field', () => {
  const items = [{ quantity: 0, price: 'x', description: [], name: '' }, null, 5, {}]
  const body = { notes: [], items, external_order_id: {}, currency: 'X', amount: 'x', wallet: 'x' }
  assert.deepEqual(errors(body), [
    'invalid@wallet',
    'invalid_choice@currency',
    'invalid@external_order_id',
    'invalid@notes',
    'null@items.1',
    'blank@items.0.name',
    'invalid@items.0.description',
    'invalid@items.0.price',
    'min_value@items.0.quantity',
    'invalid@items.2.non_field_errors',
    'required@items.3.name',
    'required@items.3.price',
  ])
})

test('rules over several fields are only checked when every field is valid', () => {
  assert.deepEqual(errors({}), ['required@wallet'])
  assert.deepEqual(errors({ wallet, currency: 'USD' }), ['invalid_choice@currency'])
})

test('the error of the wallet look-up comes first, and replaces rules over several fields', () => {
  const unknown = { attr: 'wallet', code: 'does_not_exist', detail: 'x' }
  const wrongNotes = refused({ wallet, amount: 1, notes: [] })
  assert.equal(wrongNotes.wallet, wallet)
  assert.deepEqual(
    withWalletError(wrongNotes, unknown).map(({ attr }) => attr),
    ['wallet', 'notes'],
  )
  const noAmount = refused({ wallet })
  assert.equal(noAmount.wallet, wallet)
  assert.deepEqual(withWalletError(noAmount, unknown), [unknown])
  assert.equal(refused({ wallet: 'x' }).wallet, undefined)
})

test('reading never throws, whatever the body is', () => {
  const field = fc.oneof(fc.json(), fc.constantFrom('"1"', '1e999', `"${wallet}"`, '"\\ud800"'))
  const body = fc.record({ wallet: field, amount: field, items: field, currency: field }, { requiredKeys: [] })
  const text = body.map((fields) => `{${Object.entries(fields).map(([name, json]) => `"${name}":${json}`)}}`)
  fc.assert(fc.property(fc.oneof(text, fc.json()), (source) => void read(source)))
})
