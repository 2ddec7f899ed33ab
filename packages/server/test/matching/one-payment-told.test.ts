/**
 * One payment that several messages tell: whole and cut, in two spellings, with a broken balance, among many of one price. Only one
 * order is verified unless a member confirms another payment. The slow test of the same name runs many more.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { minute_ms } from '../../src/core/duration.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { testTelling } from '../attacks/told-payment.ts'
import { depositText, purchaseText, transferText } from '../support/sms-texts.ts'

const story = await openAttacks()
const { alerts, attach, book, cashier, clock, newPhone, newShop, ok, order, owner, reference, statusOf } = story

testTelling(story, 10)

const mfloos = { provider: shippedProviderId('mfloos'), sender_name: 'MFloos' }
const fromMfloos = { sender: 'MFloos' }

const open = async (wallet: string, amount: string) =>
  (
    await alerts(`wallet_id = $1 and amount = $2 and state in ('review', 'waiting')`, [
      wallet,
      String(Number(amount) * 100),
    ])
  ).at(-1)!
const bookTo = async (wallet: string, alert: string, amount: string, more = {}) => {
  const { id } = await order(wallet, amount)
  const seen = { alert_amount: `${amount}.00`, intent_amount: `${amount}.00` }
  return { id, answer: await book(alert, id, { ...seen, ...more }) }
}
const isAsked = (answer: { status: number; body: { errors: readonly { code: string }[] } }): boolean =>
  answer.status === 400 && answer.body.errors[0]?.code === 'may_be_same_payment'
const secondPhone = async (shop: Awaited<ReturnType<typeof newShop>>) => {
  const second = await newPhone()
  const phones = [{ phone: shop.phone.id }, { phone: second.id }]
  ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones } }))
  clock.advance(2_000)
  return second
}

for (const [delay, from] of [
  [0, 'the same phone'],
  [5, 'another phone'],
  [40, 'the same phone'],
  [40, 'another phone'],
] as const)
  test(`a cut message is booked; the whole one, ${delay} minutes later from ${from}, pays no second order`, async () => {
    const shop = await newShop(mfloos)
    const number = reference().slice(-9)
    const whole = depositText('300', number)
    ok(await shop.sms(whole.slice(0, -2), fromMfloos))
    const cut = await open(shop.wallet, '300')
    assert.equal(cut.reference, null)
    ok((await bookTo(shop.wallet, cut.id, '300')).answer)
    const phone = from === 'the same phone' ? shop.phone : await secondPhone(shop)
    clock.advance(delay * minute_ms)
    const second = await order(shop.wallet, '300.00')
    await attach(second.id, number)
    ok(await phone.sms(whole, fromMfloos))
    assert.equal(await statusOf(second.id), 'PENDING')
    const waiting = await open(shop.wallet, '300')
    assert.equal(waiting.reason, 'amount_seen')
    ok(await cashier.ask('POST', `/unmatched/${waiting.id}/not-duplicate/`))
    assert.equal(await statusOf(second.id), 'VERIFIED')
  })

test('the whole message verified an order; the cut one is booked only by a member who confirms another payment', async () => {
  const shop = await newShop(mfloos)
  const number = reference().slice(-9)
  const first = await order(shop.wallet, '300.00')
  await attach(first.id, number)
  const whole = depositText('300', number)
  ok(await shop.sms(whole, fromMfloos))
  assert.equal(await statusOf(first.id), 'VERIFIED')
  clock.advance(20 * minute_ms)
  ok(await shop.sms(whole.slice(0, -2), fromMfloos))
  const cut = await open(shop.wallet, '300')
  assert.ok(isAsked((await bookTo(shop.wallet, cut.id, '300')).answer))
  ok((await bookTo(shop.wallet, cut.id, '300', { another_payment: true })).answer)
})

test('one transfer in two spellings from two phones is booked once without a question', async () => {
  const shop = await newShop()
  const second = await secondPhone(shop)
  ok(await shop.sms(transferText('1500', '5000.00')))
  ok((await bookTo(shop.wallet, (await open(shop.wallet, '1500')).id, '1500')).answer)
  clock.advance(3 * minute_ms)
  ok(await second.sms(transferText('1,500.00', '5,000.00')))
  assert.ok(isAsked((await bookTo(shop.wallet, (await open(shop.wallet, '1500')).id, '1500')).answer))
})

test('a balance that does not follow is no proof of two payments', async () => {
  const shop = await newShop()
  ok(await shop.sms(transferText('700', '5000.00')))
  clock.advance(minute_ms)
  // Breaks the chain: 3,000 are missing before it.
  ok(await shop.sms(transferText('1500', '9500.00')))
  ok((await bookTo(shop.wallet, (await open(shop.wallet, '1500')).id, '1500')).answer)
  clock.advance(minute_ms)
  const number = reference()
  const next = await order(shop.wallet, '1500.00')
  await attach(next.id, number)
  ok(await shop.sms(purchaseText('1500', number, 'علي صالح المثال')))
  assert.equal(await statusOf(next.id), 'PENDING')
  assert.equal((await open(shop.wallet, '1500')).reason, 'amount_seen')
})

test('many spent payments of one price do not hide the one that a message may repeat', async () => {
  const shop = await newShop()
  const second = await secondPhone(shop)
  ok(await shop.sms(transferText('1500', '6500.00', '770000123')))
  ok((await bookTo(shop.wallet, (await open(shop.wallet, '1500')).id, '1500')).answer)
  // Thirty more payments by other buyers: their balances follow, so each is another payment.
  for (let n = 1; n <= 30; n++) {
    clock.advance(20_000)
    ok(await shop.sms(transferText('1500', `${6500 + 1500 * n}.00`, `77100${1000 + n}`)))
    ok((await bookTo(shop.wallet, (await open(shop.wallet, '1500')).id, '1500')).answer)
  }
  clock.advance(minute_ms)
  const number = reference()
  const next = await order(shop.wallet, '1500.00')
  await attach(next.id, number)
  ok(await second.sms(purchaseText('1500', number, 'علي صالح المثال')))
  assert.equal(await statusOf(next.id), 'PENDING')
  assert.equal((await open(shop.wallet, '1500')).reason, 'amount_seen')
})
