/**
 * What balances prove. One payment shows one balance, so two messages with the same balance are not two payments, also if the same
 * amount has left the wallet in between. Only a member confirms a balance that does not follow, and unsigned messages do not move
 * a balance that signed ones show.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'

const story = await openAttacks()
const {
  alerts,
  attach,
  book,
  cashier,
  clock,
  newApp,
  newPhone,
  newShop,
  ok,
  order,
  origin,
  owner,
  reference,
  seconds,
  sql,
} = story
const { statusOf, token, uniqueAmounts } = story

const only = async (wallet: string, condition = 'true') => {
  const found = await alerts(`wallet_id = $1 and ${condition}`, [wallet])
  return found.at(-1)!
}
const act = async (alert: string, action: string) => ok(await cashier.ask('POST', `/unmatched/${alert}/${action}/`))

const jaib = () => newShop({ provider: shippedProviderId('jaib'), sender_name: 'Jaib' })
const jaibTransfer = (amount: string, balance: string) =>
  `اضيف ${amount}ر.ي تحويل مشترك رص:${balance}ر.ي من علي صالح المثال-770000123`
const jaibDebit = (amount: string, balance: string) =>
  `خصم ${amount}ر.ي تحويل مشترك رص:${balance}ر.ي الى علي صالح المثال-770000456`
const jaibPurchase = (amount: string, balance: string, number: string) =>
  `أضيف ${amount}ر.ي مشتريات رص:${balance}ر.ي من 1234567 م:${number}`

test('a second wording of a payment waits for a member, also if the same amount has left the wallet in between', async () => {
  const { wallet, sms } = await jaib()
  const say = async (text: string) => ok(await sms(text, { sender: 'Jaib' }))
  await say(jaibTransfer('1000', '5000'))
  await say(jaibTransfer('500', '5500'))
  const first = await order(wallet, '500.00')
  const booked = { alert_amount: '500.00', intent_amount: '500.00' }
  ok(await book((await only(wallet, 'amount = 50000')).id, first.id, booked))
  clock.advance(60_000)
  await say(jaibDebit('500', '5000'))
  const number = '12345678901234'
  const second = await order(wallet, '500.00')
  await attach(second.id, number)
  await say(jaibPurchase('500', '5500', number))
  const told = await only(wallet, 'reference_key is not null')
  assert.deepEqual([told.state, told.reason, await statusOf(second.id)], ['review', 'amount_seen', 'PENDING'])
  // A third message with another balance that follows is another payment.
  const other = '12345678901235'
  const third = await order(wallet, '500.00')
  await attach(third.id, other)
  await say(jaibPurchase('500', '6000', other))
  assert.equal(await statusOf(third.id), 'VERIFIED')
})

test('two spellings of a payment are booked once without a question, also if the same amount has left in between', async () => {
  const { wallet, phone, sms } = await newShop()
  const second = await newPhone()
  ok(
    await owner.ask('PATCH', `/wallets/${wallet}/`, {
      body: { phones: [{ phone: phone.id }, { phone: second.id }] },
    }),
  )
  clock.advance(2_000)
  const sent_at = seconds()
  ok(await sms(transferText('1000', '5000.00', '770000321'), { sent_at }))
  ok(await sms(transferText('500', '5500.00', '770000123'), { sent_at }))
  const [one, two] = [await order(wallet, '500.00'), await order(wallet, '500.00')]
  const amounts = { alert_amount: '500.00', intent_amount: '500.00' }
  ok(await book((await only(wallet, 'amount = 50000')).id, one.id, amounts))
  ok(await sms('تم تحويل مبلغ 500 YER إلى 770000456 رصيدك هو 5000.00'))
  ok(await second.sms(transferText('500.00', '5,500.00', '770000123'), { sent_at }))
  const again = await only(wallet, `amount = 50000 and direction = 'credit' and state <> 'booked'`)
  if (again.state === 'review') {
    const answer = await book(again.id, two.id, amounts)
    assert.equal(answer.body.errors?.[0].code, 'may_be_same_payment', answer.text)
  } else assert.equal(again.state, 'duplicate')
  assert.equal(await statusOf(two.id), 'PENDING')
})

test('two questions about one alert end: its balance is accepted, then it is another payment', async () => {
  const { wallet, sms } = await jaib()
  const say = async (text: string) => ok(await sms(text, { sender: 'Jaib' }))
  await say(jaibTransfer('1000', '5000'))
  await say(jaibTransfer('500', '5500'))
  const first = await order(wallet, '500.00')
  ok(
    await book((await only(wallet, 'amount = 50000')).id, first.id, {
      alert_amount: '500.00',
      intent_amount: '500.00',
    }),
  )
  const number = '12345678901299'
  const second = await order(wallet, '500.00')
  await attach(second.id, number)
  await say(jaibPurchase('500', '9999', number))
  const waiting = () => only(wallet, `reference_key is not null`)
  assert.deepEqual([(await waiting()).state, (await waiting()).reason], ['review', 'broken_chain'])
  await act((await waiting()).id, 'accept-balance')
  assert.deepEqual([(await waiting()).state, (await waiting()).reason], ['review', 'amount_seen'])
  await act((await waiting()).id, 'not-duplicate')
  assert.deepEqual([(await waiting()).state, await statusOf(second.id)], ['matched', 'VERIFIED'])
})

test('a buyer who pays the rest does not confirm the balance of the message', async () => {
  const { wallet, sms } = await newShop({
    provider: shippedProviderId('jaib'),
    sender_name: 'Jaib',
    review_broken_chains: false,
  })
  const say = async (text: string) => ok(await sms(text, { sender: 'Jaib' }))
  await say(jaibTransfer('1000', '5000'))
  const created = ok(
    await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', {
      token,
      body: { amount: '1500.00', wallets: [wallet], allow_remaining: true },
    }),
  ).body
  const page = `${origin}${new URL(created.url).pathname}`
  const form = (path: string, fields: Record<string, string>) =>
    askAt(`${page}/${path}/`, 'POST', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  await form('wallet', { wallet })
  const number = '12345678901301'
  await form('reference', { reference: number })
  await say(jaibPurchase('1400', '99999', number))
  const balance = async () => (await sql('select balance from wallet_balances where wallet_id = $1', [wallet]))[0]![0]
  assert.equal(await balance(), '500000')
  assert.equal((await form('rest', { wallet })).status, 303)
  assert.equal((await only(wallet, 'amount = 140000')).state, 'booked')
  assert.equal(await balance(), '500000', 'the known balance is still that of the messages that follow')
})

test('an unsigned message without a balance stops no signed payment', async () => {
  const { wallet, phone, sms } = await newShop()
  const app = await newApp()
  ok(await owner.ask('PATCH', `/wallets/${wallet}/`, { body: { phones: [{ phone: phone.id }, { phone: app.id }] } }))
  await uniqueAmounts(wallet)
  ok(await sms(transferText('1000', '5000.00')))
  ok(await app.say(purchaseText('50000', reference(), 'علي صالح المثال')))
  assert.deepEqual([(await only(wallet)).state, (await only(wallet)).reason], ['review', 'low_trust'])
  const asked = await order(wallet, '1500.00')
  clock.advance(1_000)
  const after = 5_000 + Number(asked.payable_amount)
  ok(await sms(transferText(asked.payable_amount, `${after}.00`, '770000555')))
  assert.equal(await statusOf(asked.id), 'VERIFIED')
  // A real payment that only the app has reported is proved by the next signed balance.
  ok(await app.say(purchaseText('300', reference())))
  const next = await order(wallet, '1700.00')
  clock.advance(1_000)
  ok(await sms(transferText(next.payable_amount, `${after + 300 + Number(next.payable_amount)}.00`, '770000556')))
  assert.equal(await statusOf(next.id), 'VERIFIED')
})

test('a signed payment is no duplicate of an unsigned one that waits because of its balance', async () => {
  const { wallet, phone, sms } = await newShop({
    provider: shippedProviderId('jaib'),
    sender_name: 'Jaib',
    low_trust_limit: '1000.00',
  })
  const app = await newApp()
  ok(await owner.ask('PATCH', `/wallets/${wallet}/`, { body: { phones: [{ phone: phone.id }, { phone: app.id }] } }))
  clock.advance(2_000)
  ok(await sms(jaibTransfer('1000', '5000'), { sender: 'Jaib' }))
  const number = '12345678901377'
  const asked = await order(wallet, '500.00')
  ok(await app.say(jaibPurchase('500', '77777', number), 'Jaib'))
  const unsigned = await only(wallet, 'not trusted')
  assert.deepEqual([unsigned.state, unsigned.reason], ['review', 'broken_chain'])
  ok(await sms(jaibPurchase('500', '5500', number), { sender: 'Jaib' }))
  await attach(asked.id, number)
  assert.equal(await statusOf(asked.id), 'VERIFIED')
  assert.equal((await only(wallet, 'not trusted')).state, 'duplicate')
  await assertMoneyInvariants(sql)
})
