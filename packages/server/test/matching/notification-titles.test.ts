/**
 * The title of a notification is read with its text: a title that says that the money was sent, taken back, asked for or has not
 * come stops the payment, and a title that says nothing of the kind does not. Over HTTP, in each order of the reports.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText } from '../support/sms-texts.ts'

const story = await openAttacks()
const { clock, sql, ok, owner, order, attach, statusOf, reference } = story
let balance = 50_000
const deposit = (amount: string): string => {
  balance += Number(amount)
  return `اودع/ علي المثال لحسابك ${amount} ${balance.toFixed(2)} YER رصيدك`
}
const shown = { kind: 'notification', package: 'com.KuraimiBank', sender: 'KuraimiMB' }

/** Al-Kuraimi with unique amounts: its notifications have no reference. */
const kuraimi = async () => {
  const shop = await story.newShop({ provider: shippedProviderId('kuraimi'), sender_name: 'KuraimiMB' })
  await story.uniqueAmounts(shop.wallet)
  const notify = async (text: string, title: string) => {
    clock.advance(1_000)
    ok(await shop.sms(text, { ...shown, title }))
  }
  const alerts = async () =>
    (await sql('select state, reason from alerts where wallet_id = $1 order by id', [shop.wallet])).map((row) =>
      row.join(' ').trim(),
    )
  return { ...shop, notify, alerts }
}
/** Jawali with a package of its own: its notifications have a reference. */
const jawali = async () => {
  ok(
    await story.operator.ask('PATCH', `/operator/providers/${shippedProviderId('jawali')}/`, {
      body: { packages: ['com.example.jawali'] },
    }),
  )
  const shop = await story.newShop()
  clock.advance(2_000)
  const notify = async (text: string, title: string) => {
    clock.advance(1_000)
    ok(await shop.sms(text, { kind: 'notification', package: 'com.example.jawali', title }))
  }
  const stateOf = async (number: string) =>
    (await sql('select state, reason from alerts where reference_key = $1 order by id', [number])).map((row) =>
      row.join(' ').trim(),
    )
  return { ...shop, notify, stateOf }
}

const wrong = [
  'تم إلغاء الحوالة',
  'حوالة صادرة',
  'طلب دفع',
  'عملية معلقة',
  'You sent money',
  'Will be credited tomorrow',
]
const honest = [
  '',
  'KuraimiMB',
  'الكريمي',
  'حوالة واردة',
  'رسالة جديدة',
  'إشعار',
  'New message',
  'علي المثال',
  'تأكيد إيداع',
]

test('a title that says that the money did not come stops the payment, and its card shows why', async () => {
  const shop = await kuraimi()
  for (const title of wrong) {
    const intent = await order(shop.wallet, '700.00')
    await shop.notify(deposit(intent.payable_amount), title)
    assert.equal(await statusOf(intent.id), 'PENDING', title)
    assert.match((await shop.alerts()).at(-1)!, /^review (denied|unexpected_words)$/, title)
  }
})

test('a title with the name of the company or the payer, or with neutral words, stops nothing', async () => {
  const shop = await kuraimi()
  for (const title of honest) {
    const intent = await order(shop.wallet, '700.00')
    await shop.notify(deposit(intent.payable_amount), title)
    assert.equal(await statusOf(intent.id), 'VERIFIED', title)
  }
  await assertMoneyInvariants(sql)
})

test('without a reference: the same text under a title that denies it and without it, in both orders', async () => {
  const shop = await kuraimi()
  for (const apart_ms of [0, 60_000, 3_600_000]) {
    const first = await order(shop.wallet, '800.00')
    const denied = deposit(first.payable_amount)
    await shop.notify(denied, 'تم إلغاء الحوالة')
    clock.advance(apart_ms)
    await shop.notify(denied, 'حوالة واردة')
    assert.notEqual(await statusOf(first.id), 'VERIFIED', String(apart_ms))
    const later = await order(shop.wallet, '900.00')
    const paid = deposit(later.payable_amount)
    await shop.notify(paid, 'حوالة واردة')
    clock.advance(apart_ms)
    await shop.notify(paid, 'تم إلغاء الحوالة')
    assert.equal(
      (await shop.alerts()).at(-1),
      'review denied',
      'a payment that was verified before is not lost from sight',
    )
    await shop.notify(paid, 'تم إلغاء الحوالة')
    assert.equal((await shop.alerts()).at(-1), 'duplicate same_text')
  }
  await assertMoneyInvariants(sql)
})

test('without a reference: a credit that waits for a member becomes part of the message that denies it', async () => {
  const shop = await kuraimi()
  const text = deposit('123.00')
  await shop.notify(text, 'حوالة واردة')
  await shop.notify(text, 'حوالة مرتجعة')
  assert.deepEqual(await shop.alerts(), ['duplicate same_text', 'review denied'])
})

test('with a reference: an order that gets it later is not verified, in both orders', async () => {
  const shop = await jawali()
  for (const titles of [
    ['حوالة واردة', 'تم إلغاء الحوالة'],
    ['تم إلغاء الحوالة', 'حوالة واردة'],
    ['طلب دفع', 'Jawali'],
    ['Jawali', 'طلب دفع'],
  ]) {
    const number = reference()
    const intent = await order(shop.wallet, '1500.00')
    for (const title of titles) await shop.notify(purchaseText('1500', number), title)
    await attach(intent.id, number)
    assert.equal(await statusOf(intent.id), 'PENDING', titles.join(' / '))
    assert.ok((await shop.stateOf(number)).every((state) => /^(review|duplicate) /.test(state)))
  }
  const number = reference()
  const intent = await order(shop.wallet, '1500.00')
  await shop.notify(purchaseText('1500', number), 'جوالي')
  await attach(intent.id, number)
  assert.equal(await statusOf(intent.id), 'VERIFIED')
})

test('a part of a notification that a title denies does not pay, nor the whole after such a part', async () => {
  const shop = await kuraimi()
  const intent = await order(shop.wallet, '500.00')
  const text = deposit(intent.payable_amount)
  await shop.notify(text, 'تم إلغاء الحوالة')
  await shop.notify(`${text.slice(0, 30)}...`, 'الكريمي')
  assert.equal(await statusOf(intent.id), 'PENDING')

  // A template that also reads the beginning of the message.
  const sentence = 'وصلك مبلغ {amount:money} YER عبر المتجر الصغير'
  const part = (amount: string) => `وصلك مبلغ ${amount} YER عبر المتجر الصغير`
  for (const [name, tail] of [
    ['part', ''],
    ['whole', ' شكرا لتعاملك معنا'],
  ] as const) {
    const samples = ['1500.00', '20.50'].map((amount) => ({ text: part(amount) + tail, expect: { amount } }))
    const body = { provider: shippedProviderId('kuraimi'), name, sender_names: ['KuraimiMB'], direction: 'credit' }
    const counter_samples = [{ text: `خرج مبلغ 1500 YER ${name}`, why: 'debit' }]
    const template = { ...body, currency: 'YER', sentence: sentence + tail, samples, counter_samples }
    const drafted = ok(await owner.ask('POST', '/templates/', { body: template })).body
    ok(await owner.ask('POST', `/templates/${drafted.id}/publish/`, { body: {} }))
  }
  clock.advance(5_000)
  const titles = ['تم إلغاء الحوالة', 'الكريمي']
  for (const [first, second] of [titles, titles.toReversed()]) {
    const asked = await order(shop.wallet, '600.00')
    const short = part(asked.payable_amount)
    await shop.notify(short, first!)
    const paidByPart = await statusOf(asked.id)
    await shop.notify(`${short} شكرا لتعاملك معنا`, second!)
    assert.equal(await statusOf(asked.id), first === 'الكريمي' ? paidByPart : 'PENDING', `${first} / ${second}`)
    assert.equal((await shop.alerts()).at(-1), 'review denied', `${first} / ${second}`)
  }
  await assertMoneyInvariants(sql)
})

test('an unsigned report under such a title does not stop a signed one, in both orders', async () => {
  const { wallets } = story.demo
  await jawali()
  const { record, report } = await queueStory(story)
  const app = { kind: 'notification', package: 'com.example.jawali' } as const
  for (const signedFirst of [true, false]) {
    const number = reference()
    const intent = await order(wallets.main, '1500.00')
    const text = purchaseText('1500', number)
    const signed = () => record([report(text, { ...app, title: 'جوالي' })])
    const unsigned = () => record([report(text, { ...app, title: 'تم إلغاء الحوالة' })], false)
    for (const send of signedFirst ? [signed, unsigned] : [unsigned, signed]) await send()
    await attach(intent.id, number)
    assert.equal(await statusOf(intent.id), 'VERIFIED', `signed first: ${signedFirst}`)
  }
})

test('a debit is read whatever its title says', async () => {
  await jawali()
  const { record, report } = await queueStory(story)
  const app = { kind: 'notification', package: 'com.example.jawali', title: 'حوالة صادرة' } as const
  await record([report('تم تحويل مبلغ 1500 YER إلى 770000000 رصيدك هو 256613.19', app)])
  const [row] = await sql('select state, reason, title from alerts order by id desc limit 1')
  assert.deepEqual(row, ['debit', '', 'حوالة صادرة'])
})
