/** Random bodies of checkouts and payment links: each bad field gets an error, no good field does, and a bad body creates nothing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ErrorAnswer } from '@sanad/contract/errors'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { runs } from '../support/runs.ts'
import { openCheckouts } from './checkout-story.ts'

const { askCheckout, demo, sql } = await openCheckouts()
const { main, second, off, inactive } = demo.wallets

const longerThan = (most: number) => fc.integer({ min: most + 1, max: most + 40 }).map((n) => 'x'.repeat(n))
const upTo = (most: number) => fc.integer({ min: 0, max: most }).map((n) => 'م'.repeat(n))
const noText = [null, [], {}, true, 'a\0b', 'a\ud800b']

const badUrl = fc.oneof(
  fc.constantFrom(
    'http://shop.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//shop.example.com',
    '/path',
    'https:\\\\evil.example.com',
    'https://user:secret@shop.example.com/',
    'https://shop.example.com\\@evil.example.com',
    'https://shop.example.com/\r\nx: y',
    'https://',
    'shop',
    null,
    [],
    {},
  ),
  longerThan(2_000).map((long) => `https://shop.example.com/${long}`),
)
const badAmount = fc.constantFrom('0', '0.00', '-1', '1.001', 'x', '', 'NaN', 'Infinity', '1e20', '1,500', null, [], {})

type FieldValues = { readonly good: fc.Arbitrary<unknown>; readonly bad: fc.Arbitrary<unknown> }

const names = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 20 })

const shared: Record<string, FieldValues> = {
  external_order_id: { good: upTo(128), bad: fc.oneof(longerThan(128), fc.constantFrom(...noText)) },
  description: { good: upTo(500), bad: fc.oneof(longerThan(500), fc.constantFrom(...noText)) },
  wallets: {
    good: fc.constantFrom([main], [main, second], [main, main], [], Array(50).fill(main)),
    bad: fc.constantFrom<unknown>(
      null,
      'x',
      {},
      ['x'],
      [main, null],
      [main, main, off],
      [inactive],
      [main, randomUUID()],
      [demo.other.wallet],
      Array(51).fill(main),
    ),
  },
  return_url: { good: fc.constantFrom('', 'https://shop.example.com/a?b=c#d', 'http://localhost:3000/'), bad: badUrl },
  metadata: {
    good: names.map((all) => Object.fromEntries(all.map((n) => [`k${n}`.padEnd(40, '_'), 'v'.repeat(n * 5)]))),
    bad: fc.constantFrom<unknown>(
      null,
      [],
      'x',
      { a: null },
      { a: {} },
      { a: [] },
      { a: true },
      { '': 'x' },
      { a: 'x'.repeat(501) },
      { ['x'.repeat(41)]: '1' },
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])),
    ),
  },
  locale: { good: fc.constantFrom('ar', 'en'), bad: fc.constantFrom('fr', 'AR', '', 1, null, [], {}) },
  expires_in: {
    good: fc.integer({ min: 300, max: 604_800 }),
    bad: fc.oneof(
      fc.integer({ max: 299 }),
      fc.integer({ min: 604_801 }),
      fc.constantFrom('soon', '', 300.5, null, [], {}, true, '9'.repeat(2_000)),
    ),
  },
  allow_remaining: { good: fc.boolean(), bad: fc.constantFrom('perhaps', 2, null, [], {}) },
}

const session: Record<string, FieldValues> = {
  ...shared,
  amount: { good: fc.constantFrom('0.01', '1500', 1500, '999999999999.99'), bad: badAmount },
  currency: { good: fc.constant('YER'), bad: fc.constantFrom('USD', 'SAR', 'yer', '', null, []) },
  cancel_url: { good: fc.constantFrom('', 'https://shop.example.com/'), bad: badUrl },
  customer: {
    good: fc.constantFrom({}, { name: 'ع'.repeat(100) }, { phone: '+967 770 000 000' }, { phone: '٧٧٠٠٠٠٠٠٠' }),
    bad: fc.constantFrom<unknown>(
      null,
      'x',
      [],
      { name: 'x'.repeat(101) },
      { name: null },
      { phone: 'call me' },
      { phone: '7'.repeat(33) },
      { name: [], phone: {} },
    ),
  },
}

const link: Record<string, FieldValues> = {
  ...shared,
  amount: session.amount!,
  min_amount: { good: fc.constant('100'), bad: badAmount },
  max_amount: { good: fc.constant('5000'), bad: badAmount },
  once: { good: fc.boolean(), bad: fc.constantFrom('perhaps', 2, null, [], {}) },
}

/** Random bodies. Each value comes with whether it is bad. */
const bodies = (fields: Record<string, FieldValues>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, { good, bad }]) => [
        name,
        fc.oneof(
          { weight: 3, arbitrary: good.map((value) => ({ value, isBad: false })) },
          { weight: 1, arbitrary: bad.map((value) => ({ value, isBad: true })) },
        ),
      ]),
    ),
    { requiredKeys: ['amount'] },
  )

for (const [path, table, fields] of [
  ['/sessions/', 'checkouts', session],
  ['/links/', 'payment_links', link],
] as const)
  test(`${path}: every bad field gets an error, no good field does, and only a good body creates something`, async () => {
    const count = async (): Promise<number> => Number((await sql(`select count(*) from ${table}`))[0]![0])
    await fc.assert(
      fc.asyncProperty(bodies(fields), async (values) => {
        const all = Object.entries(values)
        const bad = all.filter(([, field]) => field?.isBad).map(([name]) => name)
        const before = await count()
        const body = Object.fromEntries(all.map(([name, field]) => [name, field?.value]))
        const answer = await askCheckout('POST', path, { body })
        assert.equal(answer.status, bad.length === 0 ? 201 : 400, answer.text)
        assert.equal((await count()) - before, bad.length === 0 ? 1 : 0)
        if (bad.length === 0) return
        assert.ok(Check(ErrorAnswer, answer.body), answer.text)
        const fieldsWithErrors = answer.body.errors.map(({ attr }) => attr?.split('.')[0])
        assert.deepEqual([...new Set(fieldsWithErrors)].sort(), bad.sort(), answer.text)
        for (const { detail } of answer.body.errors) assert.ok(detail.length > 0 && detail.length < 3_000, detail)
      }),
      { numRuns: runs(1_000, 60) },
    )
  })

test('an error names the index in the list as it was sent, also after a wallet that is listed twice', async () => {
  const wallets = [main, main, off, second, off]
  for (const path of ['/sessions/', '/links/']) {
    const answer = await askCheckout('POST', path, { body: { amount: '1', wallets } })
    assert.deepEqual(
      answer.body.errors.map(({ attr }: { attr: string }) => attr),
      ['wallets.2', 'wallets.4'],
    )
    const created = await askCheckout('POST', path, { body: { amount: '1', wallets: [main, main, second] } })
    assert.deepEqual(created.body.wallets, [main, second])
  }
})
