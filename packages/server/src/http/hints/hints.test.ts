import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateCheckout } from '@sanad/contract/checkout'
import { CreateIntent } from '@sanad/contract/intent'
import { parseJson } from '../body/json.ts'
import { hintText, ignoredText, safeName } from './hint-text.ts'
import { ignoredFields, knownFields } from './ignored-fields.ts'
import { malformedHint } from './json-hint.ts'
import { nearestPath } from './path-hint.ts'
import { distance, similarName } from './similar-name.ts'

const body = (value: unknown) => {
  const reading = parseJson(Buffer.from(JSON.stringify(value)))
  assert.equal(reading.kind, 'ok')
  return reading.kind === 'ok' ? reading.value : null
}

test('unknown fields are found at every depth that has known fields, and nowhere else', () => {
  const intent = knownFields(CreateIntent)!
  const checkout = knownFields(CreateCheckout)!
  assert.deepEqual(ignoredFields(body({ wallet: 'x', amount: '1', notes: '' }), intent), [])
  assert.deepEqual(ignoredFields(body({ a: 1, items: [{ name: 'x' }, { sku: 1 }], b: { c: 1 } }), intent), [
    'a',
    'items.1.sku',
    'b',
  ])
  assert.deepEqual(ignoredFields(body({ metadata: { mine: '1' }, customer: { email: 'x' } }), checkout), [
    'customer.email',
  ])
  for (const odd of [[], 'text', 1, null, { items: 'x', wallet: { a: 1 } }, { items: [[{ a: 1 }]] }])
    assert.deepEqual(ignoredFields(body(odd), intent), [])
  assert.deepEqual(ignoredFields(body({ __proto__x: 1, constructor: 1 }), intent), ['__proto__x', 'constructor'])
})

test('a body with a hundred thousand unknown fields costs no more than eleven of them', () => {
  const intent = knownFields(CreateIntent)!
  const many = body(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, 1])))
  assert.equal(ignoredFields(many, intent).length, 11)
  const lines = body({ items: Array.from({ length: 100_000 }, () => ({ sku: 1 })) })
  assert.equal(ignoredFields(lines, intent).length, 11)
})

test('a known body makes no list of ignored fields: the same empty one is returned', () => {
  const intent = knownFields(CreateIntent)!
  const known = body({ wallet: 'x', items: [{ name: 'x', price: '1' }] })
  assert.equal(ignoredFields(known, intent), ignoredFields(known, intent))
})

test('names are escaped, cut at a character, and lose what looks like a secret', () => {
  assert.equal(safeName('order_id'), 'order_id')
  assert.equal(safeName('a b,c\r\n'), 'a%20b%2Cc%0D%0A')
  assert.equal(safeName("!'()~"), '%21%27%28%29%7E')
  assert.equal(safeName('😀'.repeat(50)).length, 60)
  assert.equal(safeName('x'.repeat(1_000_000)).length, 60)
  assert.ok(!safeName(`eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(100)}`).includes('eyJhbG'))
  assert.equal(ignoredText([]), '')
  assert.equal(ignoredText(['a', '', 'b']), 'a, b')
})

test('a sentence that is not printable ASCII is not sent, and a long one is cut', () => {
  assert.equal(hintText('طلب'), undefined)
  assert.equal(hintText('a\nb'), undefined)
  assert.equal(hintText(''), undefined)
  assert.equal(hintText('x'.repeat(500))!.length, 300)
})

test('a similar name is another word for the same, or at most two letters away; short names do not match by chance', () => {
  const known = ['wallet', 'amount', 'items', 'currency', 'external_order_id', 'notes']
  for (const [sent, meant] of [
    ['order_id', 'external_order_id'],
    ['WalletID', 'wallet'],
    ['amuont', 'amount'],
    ['curency', 'currency'],
    ['Notes', 'notes'],
    ['line_items', 'items'],
    ['x', undefined],
    ['id', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['a'.repeat(10_000), undefined],
  ] as const)
    assert.equal(similarName(sent, known), meant, sent)
  assert.deepEqual([distance('', 'abc'), distance('abc', 'abc'), distance('acb', 'abc')], [3, 0, 1])
})

test('the nearest path keeps the id, and a path of something else has none', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  for (const [sent, nearest] of [
    ['/api/v1/merchant/intent', '/api/v1/merchant/intents/'],
    [`/api/v1/checkout/session/${id}/cancel`, '/api/v1/checkout/sessions/{id}/cancel/'],
    [`/api/v1/checkout/session/${id}/cancle`, '/api/v1/checkout/sessions/{id}/cancel/'],
    [`/payments/${id}`, '/api/v1/merchant/intents/{id}/'],
    ['/api/v1/developer/events/triger/', '/api/v1/developer/events/trigger/'],
    ['/api/v1/merchant/token/refresh', '/api/v1/merchant/token'],
    ['/', undefined],
    ['/favicon.ico', undefined],
    ['/wp-login.php', undefined],
    ['/api/v1/dashboard/intent/', undefined],
    ['/docs/intents', undefined],
    [`/${'a/'.repeat(5_000)}`, undefined],
    ['/%zz/%00', undefined],
  ] as const)
    assert.equal(nearestPath(sent), nearest, sent.slice(0, 60))
})

test('a hint about malformed JSON is found by the character at the position, also after characters of two units', () => {
  const hint = (text: string) => {
    const bytes = Buffer.from(text)
    const reading = parseJson(bytes)
    return reading.kind === 'malformed' ? malformedHint(reading.detail, bytes) : undefined
  }
  assert.match(hint(`{"a":"${'😀'.repeat(30)}","b":'x'}`)!, /double quotes/)
  assert.match(hint('{"a":1,}')!, /comma/)
  assert.match(hint('{"a":"\\q"}')!, /backslash/)
  assert.match(hint('{"a"')!, /too early/)
  assert.match(hint('')! ?? 'none', /none/)
  assert.match(hint(`${'['.repeat(2_000)}`)!, /deeper/)
})
