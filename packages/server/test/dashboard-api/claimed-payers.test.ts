/** The claimed payer of an intent, over HTTP: who may set it, and how the queue uses it as evidence, never as proof. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as intents from '@sanad/contract/dashboard/money/intents'
import * as contract from '@sanad/contract/dashboard/money/unmatched'
import { openCheckouts } from '../checkouts/checkout-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { transferText } from '../support/sms-texts.ts'
import { errorsOf } from '../support/story.ts'

const service = await openCheckouts()
const { clock, create, newCheckout, open, send, sql } = service
const { owner, cashier, viewer, record, report, audited } = await queueStory(service)
const { main } = service.demo.wallets

let balance = 50_000
/** Reports a transfer without a reference from this payer; returns the alert's id. */
const transfer = async (amount: number, payer: string): Promise<string> => {
  balance += amount
  await record([report(transferText(String(amount), `${balance}.00`, payer))])
  return (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
}
const setPayer = (id: string, body: unknown, member = cashier) => member.ask('POST', `/intents/${id}/payer/`, { body })
const alertOf = async (id: string) => {
  const answer = await cashier.ask('GET', `/unmatched/${id}/`)
  fits(contract.showAlert.answer, answer)
  return answer.body
}
type Likely = { id: string; reasons: { code: string; facts: Record<string, string> }[] }
const codes = ({ reasons }: Likely): string => reasons.map(({ code }) => code).join(' ')

test('of two intents with one amount, the one with the payer’s phone is listed first; it is booked by a member', async () => {
  const same = (await create({ amount: '610.00', external_order_id: 'same' })).body
  clock.advance(60_000)
  const other = (await create({ amount: '610.00', external_order_id: 'other' })).body
  const claimed = await setPayer(same.id, { phone: '+967 770 000 321', name: 'علي صالح المثال' })
  assert.equal(claimed.status, 200, claimed.text)
  fits(intents.setPayer.answer, claimed)
  assert.deepEqual(claimed.body.payer, { name: 'علي صالح المثال', phone: '+967 770 000 321', source: 'member' })
  await setPayer(other.id, { phone: '733000999' })
  clock.advance(60_000)
  const id = await transfer(610, '77XXXX321')
  const alert = await alertOf(id)
  assert.deepEqual(alert.likely.map(codes), [
    'same_phone_shown same_amount made_before no_reference_yet',
    'other_phone same_amount made_before no_reference_yet',
  ])
  assert.deepEqual(
    alert.likely.map(({ id }: Likely) => id),
    [same.id, other.id],
  )
  assert.equal(alert.likely[0].payer.name, 'علي صالح المثال')
  // The claim is only evidence: nothing is booked because of it.
  assert.equal(alert.state, 'review')
  const body = { intent: same.id, alert_amount: '610.00', intent_amount: '610.00' }
  const booked = await cashier.ask('POST', `/unmatched/${id}/book/`, { body })
  assert.equal(booked.status, 200, booked.text)
  const paid = await viewer.ask('GET', `/intents/${same.id}/`)
  assert.deepEqual([paid.body.status, paid.body.payer.source], ['VERIFIED', 'member'])
  await assertMoneyInvariants(sql)
})

test('if a message has a name and a number, the nearest messages are compared by both', async () => {
  const providers = (await owner.ask('GET', '/providers/?page_size=100')).body.results as { id: string; name: string }[]
  const wallet = await owner.ask('POST', '/wallets/', {
    body: {
      name: 'Jaib of the shop',
      account_number: '771000555',
      provider: providers.find(({ name }) => name === 'jaib')!.id,
      sender_name: 'Jaib',
      phones: [{ phone: service.demo.device.id, sim_slot: '' }],
    },
  })
  assert.equal(wallet.status, 201, wallet.text)
  clock.advance(2_000)
  const { id } = (await create({ wallet: wallet.body.id, amount: '620.00' })).body
  await setPayer(id, { phone: '770000321', name: 'علي صالح المثال' })
  clock.advance(60_000)
  const shared = (payer: string, after: string) =>
    record([report(`اضيف 620ر.ي تحويل مشترك رص:${after}ر.ي من ${payer}`, { sender: 'Jaib' })])
  // In all three the visible part of the name fits; the number is the same, another one, or hidden.
  await shared('ع*** المثال-77XXXX321', '1620')
  await shared('ع*** المثال-73XXXX999', '2240')
  await shared('ع*** المثال-7XXXXXXXX', '2860')
  // Another name, with visible digits that fit: this is not certain.
  await shared('سعيد ناصر النموذج-77XXXX321', '3480')
  const { nearest } = (await viewer.ask('GET', `/intents/${id}/`)).body
  type Near = { text: string; differs: { code: string; facts: Record<string, string> }[] }
  const payers = nearest.map(({ text, differs }: Near) => [
    text.split(' من ')[1],
    differs.find(({ code }) => code === 'payer')?.facts.arrived ?? '',
  ])
  // The two that fit come first.
  assert.deepEqual(payers.slice(0, 2).sort(), [
    ['ع*** المثال-77XXXX321', ''],
    ['ع*** المثال-7XXXXXXXX', ''],
  ])
  assert.deepEqual(payers.slice(2).sort(), [
    ['سعيد ناصر النموذج-77XXXX321', ''],
    ['ع*** المثال-73XXXX999', 'ع*** المثال 73XXXX999'],
  ])
})

test('a claimed payer is changed, removed and audited, and refused for an intent that has ended', async () => {
  const { id } = (await create({ amount: '611.00' })).body
  assert.equal((await viewer.ask('GET', `/intents/${id}/`)).body.payer, null)
  await setPayer(id, { phone: '770000001' })
  await setPayer(id, { phone: '٧٧٠٠٠٠٠٠٢', name: ' فاطمة المثال ' })
  const shown = (await viewer.ask('GET', `/intents/${id}/`)).body.payer
  assert.deepEqual(shown, { name: 'فاطمة المثال', phone: '٧٧٠٠٠٠٠٠٢', source: 'member' })
  await setPayer(id, { phone: '٧٧٠٠٠٠٠٠٢', name: 'فاطمة المثال' })
  assert.equal((await setPayer(id, {})).body.payer, null)
  const actor = `intent.payer A cashier <${cashier.email}>`
  assert.deepEqual(await audited(id), [actor, actor, actor])
  await cashier.ask('POST', `/intents/${id}/cancel/`)
  assert.deepEqual(errorsOf(await setPayer(id, { phone: '770000001' })), ['intent_not_pending@non_field_errors'])
  assert.equal((await setPayer(id, { phone: '770000001' }, viewer)).status, 403)
})

test('an invalid phone number, and texts that are too long, are refused and change nothing', async () => {
  const { id } = (await create({ amount: '612.00' })).body
  for (const [body, expected] of [
    [{ phone: 'call me' }, 'invalid@phone'],
    [{ phone: '77***123' }, 'invalid@phone'],
    [{ phone: '1'.repeat(33) }, 'max_length@phone'],
    [{ name: 'x'.repeat(101) }, 'max_length@name'],
    [{ name: null }, 'null@name'],
  ] as const)
    assert.deepEqual(errorsOf(await setPayer(id, body)), [expected])
  assert.equal((await viewer.ask('GET', `/intents/${id}/`)).body.payer, null)
  const wrong = await cashier.ask('POST', '/intents/', {
    body: { wallet: main, amount: '1.00', payer_phone: 'call me' },
  })
  assert.deepEqual(errorsOf(wrong), ['invalid@payer_phone'])
})

test('a member can set the payer when creating the intent; a name is not compared with a phone number', async () => {
  const body = { wallet: main, amount: '613.00', payer_name: 'المثال عبد الله', payer_phone: '' }
  const created = await cashier.ask('POST', '/intents/', { body })
  assert.equal(created.status, 201, created.text)
  const shown = (await viewer.ask('GET', `/intents/${created.body.id}/`)).body
  assert.deepEqual(shown.payer, { name: 'المثال عبد الله', phone: '', source: 'member' })
  // The text of a transfer contains a phone number, with which a name cannot be compared.
  const alert = await alertOf(await transfer(613, '770000000'))
  assert.equal(codes(alert.likely[0]), 'same_amount made_before no_reference_yet')
})

test('the customer of a checkout is the claimed payer of its intents', async () => {
  const { page } = await newCheckout({ amount: '614.00', customer: { name: 'سعيد ناصر', phone: '0770000444' } })
  await send(`${page}/wallet/`, { wallet: main })
  const alert = await alertOf(await transfer(614, '770000444'))
  assert.equal(codes(alert.likely[0]), 'same_phone same_amount made_before no_reference_yet')
  const shown = (await viewer.ask('GET', `/intents/${alert.likely[0].id}/`)).body
  assert.deepEqual(shown.payer, { name: 'سعيد ناصر', phone: '0770000444', source: 'checkout' })
})

test('on a wallet with unique amounts the buyer can enter the number they pay from', async () => {
  const { page } = await newCheckout({ amount: '7615.00' })
  assert.doesNotMatch((await open(page)).text, /name="payer"/)
  const body = { unique_amounts: 'more', unique_amounts_most: 99 }
  await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body })
  clock.advance(3_000)
  assert.match((await open(page)).text, /name="payer"/)
  const wrong = await send(`${page}/wallet/`, { wallet: main, payer: 'my <b>phone' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /This is not a phone number/)
  assert.doesNotMatch(wrong.text, /<b>phone/)
  assert.equal((await send(`${page}/wallet/`, { wallet: main, payer: '770 000 555' })).status, 303)
  const [[intent]] = (await sql('select id from intents order by id desc limit 1')) as [[string]]
  const shown = (await viewer.ask('GET', `/intents/${intent}/`)).body
  assert.deepEqual(shown.payer, { name: '', phone: '770 000 555', source: 'buyer' })
  // Another payer sends exactly this amount: the alert waits for a member.
  const alert = await transfer(Number(shown.payable_amount), '733000999')
  assert.equal((await viewer.ask('GET', `/intents/${intent}/`)).body.status, 'PENDING')
  assert.match((await open(page)).text, /7,616/)
  assert.match((await open(page)).text, /Send exactly .*7,616.*, not .*7,615/)
  // The receipt shows the amount that arrived, and the price.
  const paid = { intent, alert_amount: shown.payable_amount, intent_amount: shown.payable_amount }
  assert.equal((await cashier.ask('POST', `/unmatched/${alert}/book/`, { body: paid })).status, 200)
  assert.match((await open(page)).text, /7,616.*PAID.*7,615/s)
  await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { ...body, unique_amounts: 'off' } })
  clock.advance(3_000)
})
