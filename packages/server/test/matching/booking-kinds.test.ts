/** What a user may not book: an alert in another currency, a test payment to a real order, a real payment to a test order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftTemplate, publishTemplate } from '../../src/alerts/publishing/publish-template.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { TemplateId } from '../../src/core/ids.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const publishDraft = (id: TemplateId) => service.db.transaction((tx) => publishTemplate(tx, id))
const { clock, demo, sql, create } = service
const { cashier, record, report, money, newReference } = await queueStory(service)
const act = (id: string, action: string, intent: string) =>
  cashier.ask('POST', `/unmatched/${id}/${action}/`, {
    body: { intent, alert_amount: '1500.00', intent_amount: '1500.00' },
  })
const newest = async (): Promise<string> => (await sql('select id from alerts order by id desc limit 1'))[0]![0]!

test('an alert in another currency is offered no intent and cannot be booked, even if the numbers are equal', async () => {
  const wording = (reference: string) => `وصلك مبلغ 1,500.00 SAR رقم العملية ${reference} شكرا`
  const draft = {
    providerId: shippedProviderId('jawali'),
    accountId: null,
    name: 'In riyals of Saudi Arabia',
    senderNames: ['Jawali'],
    direction: 'credit',
    currency: 'SAR',
    sentence: 'وصلك مبلغ {amount:money} SAR رقم العملية {reference:reference} شكرا',
    samples: [{ text: wording('REF-1'), expect: { amount: '1500.00', reference: 'REF-1' } }],
    counterSamples: [{ text: 'خصم مبلغ 1,500.00 SAR', why: 'debit' }],
  } as const
  const template = await draftTemplate(service.db, draft, undefined, clock.now())
  const published = await publishDraft(template)
  assert.equal(published.kind, 'published', JSON.stringify(published))
  clock.advance(2_000)
  const expired = (await create()).body
  clock.advance(3_600_000)
  const pending = (await create()).body
  clock.advance(1_000)
  await record([report(wording('REF-0001'))])
  const id = await newest()
  const detail = (await cashier.ask('GET', `/unmatched/${id}/`)).body
  assert.deepEqual([detail.reason.code, detail.currency, detail.likely], ['wrong_currency', 'SAR', []])
  const refused = await act(id, 'book', pending.id)
  assert.deepEqual(errorsOf(refused), ['currency_mismatch@intent'])
  assert.deepEqual(refused.body.facts, { alert_currency: 'SAR', intent_currency: 'YER' })
  assert.deepEqual(errorsOf(await act(id, 'book-copy', expired.id)), ['currency_mismatch@intent'])
})

test('a test payment cannot be booked to a copy of a real order, nor a real payment to a copy of a test order', async () => {
  const [real, test, other] = [
    (await create()).body,
    (await create({ wallet: demo.wallets.test })).body,
    (await create({ wallet: demo.wallets.second })).body,
  ]
  clock.advance(3_600_000)
  const text = `Test payment of 1500.00 YER, reference ${newReference()}.`
  await record([report(text, { sender: 'SanadTest', simSlot: '' })])
  const testMoney = await newest()
  assert.deepEqual(errorsOf(await act(testMoney, 'book-copy', real.id)), ['test_and_real@intent'])
  const realMoney = await money('1500.00', newReference())
  assert.deepEqual(errorsOf(await act(realMoney, 'book-copy', test.id)), ['test_and_real@intent'])
  assert.equal((await act(testMoney, 'book-copy', test.id)).status, 200)
  const booked = await act(realMoney, 'book-copy', other.id)
  assert.deepEqual([booked.status, booked.body.intent.wallet], [200, demo.wallets.main])
  await assertMoneyInvariants(sql)
})
