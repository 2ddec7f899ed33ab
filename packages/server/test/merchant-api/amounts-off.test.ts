/**
 * A wallet with unique amounts switched off: the merchant API answers for a wallet that had them for a while as for a wallet
 * that never had them, with the same bytes except for ids, codes and times.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

/** Replaces what differs between two runs: ids, times, codes, and the origin of the service. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{10}\b/g, 'CODE')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ORIGIN')

/** Everything that a merchant's server receives for some orders. `hadAmounts`: the setting was on before and is off now. */
const answersOf = async (hadAmounts: boolean): Promise<string[]> => {
  const service = await openTestService({ SANAD_LIMITS: 'off' })
  const { ask, clock, create, demo, sql } = service
  const { attach, owner, record, report } = await queueStory(service)
  const path = `/wallets/${demo.wallets.main}/unique-amounts/`
  if (hadAmounts) {
    for (const unique_amounts of ['more', 'less', 'off'])
      assert.equal((await owner.ask('PUT', path, { body: { unique_amounts, unique_amounts_most: 7 } })).status, 200)
    clock.advance(2_000)
  }
  const key = { 'SERVICE-IDEMPOTENCY-KEY': '6f0c9a52-93f9-4f4e-8f0a-3f2b7f6f1c11' }
  const order = { amount: '1500.00', external_order_id: 'first', notes: 'ring twice' }
  const answers = [await create(order, key), await create(order, key)]
  const [first] = answers
  assert.equal(first!.body.payable_amount, '1500.00')
  for (const body of [
    { items: [{ name: 'A', price: '750.00', quantity: 2 }], external_order_id: 'second' },
    { amount: '1501.00', external_order_id: 'third' },
    { amount: 0 },
  ])
    answers.push(await create(body))
  const third = answers[3]!
  // The amount alone verifies nothing; the reference does, and another amount does not.
  await record([report(transferText('1501.00', '1501.00'))])
  answers.push(await ask('GET', `/intents/${third.body.id}/`))
  answers.push(await attach(first!.body.id, '811000000001'))
  await record([report(purchaseText('1500.00', '811000000001'))])
  answers.push(await attach(third.body.id, '811000000002'))
  await record([report(purchaseText('1400.00', '811000000002'))])
  for (const { body } of [first!, third]) answers.push(await ask('GET', `/intents/${body.id}/`))
  assert.deepEqual(
    answers.slice(-2).map(({ body }) => body.status),
    ['VERIFIED', 'WRONG_AMOUNT'],
  )
  for (const query of ['', '?ordering=payable_amount', '?ordering=-base_amount', '?status=PENDING', '?search=1501'])
    answers.push(await ask('GET', `/intents/${query}`))
  answers.push(await ask('GET', '/wallets/'))
  const events = await sql('select kind, body from events order by id')
  const alerts = await sql('select state, reason, amount from alerts order by id')
  assert.deepEqual(await sql('select * from unique_amounts'), [])
  await assertMoneyInvariants(sql)
  return [
    ...answers.map(({ status, text }) => `${status} ${text}`),
    ...events.map((row) => row.join(' ')),
    ...alerts.map((row) => row.join(' ')),
  ].map(withoutIds)
}

test('with the setting off, create, list, retrieve and webhook are the same bytes as if it had never been on', async () => {
  const never = await answersOf(false)
  assert.equal(never.filter((text) => text.startsWith('payment.verified')).length, 1)
  assert.deepEqual(await answersOf(true), never)
})
