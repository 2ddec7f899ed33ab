/** A message with a sentence where the payer's name should be waits for a member, and says why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showAlert } from '@sanad/contract/dashboard/money/unmatched'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, sql } = service
const { attach, cashier, newReference, record, report } = await queueStory(service)

const send = async (text: string, trusted = true) => {
  clock.advance(60_000)
  return record([report(text)], trusted)
}
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status
const alertsOf = async (reference: string) =>
  (await sql('select id, state, reason from alerts where reference = $1 order by id', [reference])).map(
    ([id, state, reason]) => ({ id: id!, is: `${state} ${reason}` }),
  )
const orderWith = async (reference: string): Promise<string> => {
  const intent = (await create({ amount: '20.00' })).body
  await attach(intent.id, reference)
  return intent.id
}

test('no sentence after the name of the payer verifies an order', async () => {
  for (const tail of [
    'will be credited tomorrow',
    'you sent',
    'حوالة صادرة',
    'تم سحب المبلغ',
    'تم الخصم من حسابك',
    'تحت التدقيق',
    'طلب دفع',
    'ردت الحوالة',
    'استرجعها المرسل',
    'أعيد للمرسل',
    'رسالة تجريبية',
  ]) {
    const reference = newReference()
    const order = await orderWith(reference)
    await send(purchaseText('20.00', reference, `علي صالح المثال ${tail}`))
    assert.equal(await statusOf(order), 'PENDING', tail)
    const [alert] = await alertsOf(reference)
    assert.match(alert!.is, /^review (?:unexpected_words|denied)$/, tail)
  }
  await assertMoneyInvariants(sql)
})

test('such a message shows its reason, and a member can book it', async () => {
  const reference = newReference()
  const order = await orderWith(reference)
  await send(purchaseText('20.00', reference, 'علي صالح المثال تصل غدا'))
  const [alert] = await alertsOf(reference)
  const shown = await cashier.ask('GET', `/unmatched/${alert!.id}/`)
  assert.equal(shown.status, 200)
  fits(showAlert.answer, shown)
  assert.equal(shown.body.reason.code, 'unexpected_words')
  const near = (await cashier.ask('GET', `/intents/${order}/`)).text
  assert.match(near, /"unexpected_words"/)
  const booked = await cashier.ask('POST', `/unmatched/${alert!.id}/book/`, {
    body: { intent: order, alert_amount: '20.00', intent_amount: '20.00' },
  })
  assert.equal(booked.status, 200, booked.text)
  assert.equal(await statusOf(order), 'VERIFIED')
})

test('a payment whose message comes after such a message of the same reference waits too', async () => {
  const reference = newReference()
  const order = await orderWith(reference)
  await send(purchaseText('20.00', reference, 'علي المثال ردها البنك'))
  await send(purchaseText('20.00', reference, 'علي صالح المثال'))
  assert.equal(await statusOf(order), 'PENDING')
  assert.deepEqual(
    (await alertsOf(reference)).map(({ is }) => is),
    ['review unexpected_words', 'review unexpected_words'],
  )
})

test('after the payment was verified, such a message is shown and is no second payment', async () => {
  const reference = newReference()
  const order = await orderWith(reference)
  await send(purchaseText('20.00', reference, 'علي صالح المثال'))
  await send(purchaseText('20.00', reference, 'علي صالح المثال ردها البنك'))
  assert.equal(await statusOf(order), 'VERIFIED')
  assert.deepEqual(
    (await alertsOf(reference)).map(({ is }) => is),
    ['matched ', 'review unexpected_words'],
  )
  await assertMoneyInvariants(sql)
})

test('a payment that waits for its order waits for a member after such a message, and after one that denies it', async () => {
  for (const [tail, reason] of [
    ['ردها البنك', 'unexpected_words'],
    ['ملغاة', 'denied'],
  ] as const) {
    const reference = newReference()
    await send(purchaseText('20.00', reference, 'علي صالح المثال'))
    await send(purchaseText('20.00', reference, `علي المثال ${tail}`))
    assert.equal(await statusOf(await orderWith(reference)), 'PENDING', tail)
    assert.deepEqual(
      (await alertsOf(reference)).map(({ is }) => is),
      [`review ${reason}`, `review ${reason}`],
    )
  }
})

test('an unsigned message of this kind does not stop a signed payment that waits for its order', async () => {
  const reference = newReference()
  await send(purchaseText('20.00', reference, 'علي صالح المثال'))
  await send(purchaseText('20.00', reference, 'علي المثال ردها البنك'), false)
  assert.equal(await statusOf(await orderWith(reference)), 'VERIFIED')
})

test('names of people and companies verify as before', async () => {
  for (const payer of ['عبدالباقي ردمان سحبان', 'شركة المثال للصرافة والتحويلات', 'ع*** المثال', 'ALI EXAMPLE']) {
    const reference = newReference()
    const order = await orderWith(reference)
    await send(purchaseText('20.00', reference, payer))
    assert.equal(await statusOf(order), 'VERIFIED', payer)
  }
})
