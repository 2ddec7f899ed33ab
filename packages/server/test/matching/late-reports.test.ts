/** A message that is reported long after it was sent, with its true time, is compared by that time: one payment pays one order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { depositText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'

const story = await openAttacks()
const { alerts, book, clock, demo, newPhone, newShop, ok, origin, owner, seconds, sql } = story
const day_s = 86_400
const amounts = { alert_amount: '2500.00', intent_amount: '2500.00' }
let references = 123_500_000

/** A call of the shop, with a new token: the tests move the clock by months. */
const shopCall = async (method: string, path: string, body?: unknown) => {
  const token = await story.tokenFor(demo.client_id, demo.client_secret)
  return ok(await askAt(`${origin}/api/v1/merchant${path}`, method, { token, ...(body === undefined ? {} : { body }) }))
    .body
}
const order = (wallet: string): Promise<{ id: string }> => shopCall('POST', '/intents/', { wallet, amount: '2500.00' })

/**
 * A cut message is booked; so many days later a phone that was set up anew reports the whole one, sent so many seconds after the
 * first. Returns the order of its reference and the reason of the alert.
 */
const wholeLater = async (days: number, sentLater_s: number, cutTime: 'known' | 'impossible' = 'known') => {
  const sender = 'MFloos'
  const shop = await newShop({ provider: shippedProviderId('mfloos'), sender_name: sender })
  const number = String(++references)
  const whole = depositText('2500.00', number)
  const sent = seconds()
  const times = cutTime === 'known' ? { sent_at: sent, received_at: sent } : { sent_at: 1_000, received_at: 1_000 }
  await shop.sms(whole.slice(0, -2), { sender, ...times })
  const first = await order(shop.wallet)
  const [cut] = await alerts('wallet_id = $1', [shop.wallet])
  ok(await book(cut!.id, first.id, amounts))
  clock.advance(days * day_s * 1000)
  const second = await newPhone()
  const phones = [{ phone: shop.phone.id }, { phone: second.id }]
  ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones } }))
  clock.advance(2_000)
  const next = await order(shop.wallet)
  await shopCall('PATCH', `/intents/${next.id}/`, { reference: number })
  const at = sent + sentLater_s
  await second.sms(whole, { sender, sent_at: at, received_at: at })
  const [last] = await alerts('wallet_id = $1 and reference_key is not null', [shop.wallet])
  return `${(await shopCall('GET', `/intents/${next.id}/`)).status} ${last!.reason}`
}

test('the whole of a booked message, reported weeks later with its true time, waits for a member', async () => {
  for (const days of [2, 30, 33, 200]) assert.equal(await wholeLater(days, 0), 'PENDING amount_seen', `${days} days`)
  assert.equal(await wholeLater(33, day_s), 'PENDING amount_seen')
  assert.equal(await wholeLater(33, 0, 'impossible'), 'PENDING amount_seen')
  await assertMoneyInvariants(sql)
})

test('a message that was sent more than a day after the booked one is another payment, however late it is reported', async () => {
  for (const days of [3, 33, 200]) assert.equal(await wholeLater(days, day_s + 1), 'VERIFIED ', `${days} days`)
  assert.equal(await wholeLater(33, 33 * day_s), 'VERIFIED ')
})
