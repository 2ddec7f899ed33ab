/**
 * A credit without a reference verifies the intent with that unique amount, once. If it does not, the alert and the timeline of
 * the intent say why.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../src/alerts/alert.ts'
import { draftTemplate, publishTemplate } from '../../src/alerts/publishing/publish-template.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { REST_PAID_MS, REST_UNPAID_MS } from '../../src/intents/payable/unique-amounts.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const zone = zoneOf('Asia/Aden')
const service = await openTestService({ SANAD_LIMITS: 'off' })
const { create, clock, demo, sql, ask } = service
const { owner, cashier, attach, newReference, record, report, accountId } = await queueStory(service)
const { main } = demo.wallets

// A text of the wallet's provider without reference and balance.
const plainText = (amount: string): string => `وصلك مبلغ ${amount} YER عبر المتجر الصغير`
const sample = (amount: string) => ({ text: plainText(amount), expect: { amount } })
const drafted = await draftTemplate(
  service.db,
  {
    providerId: shippedProviderId('jawali'),
    accountId,
    name: 'plain',
    senderNames: ['Jawali'],
    direction: 'credit',
    currency: 'YER',
    sentence: 'وصلك مبلغ {amount:money} YER عبر المتجر الصغير',
    samples: [sample('1500.00'), sample('20.50')],
    counterSamples: [{ text: 'خرج مبلغ 1500 YER عبر المتجر الصغير', why: 'debit' }],
  },
  undefined,
  clock.now(),
)
const published = await service.db.transaction((tx) => publishTemplate(tx, drafted))
assert.equal(published.kind, 'published')
clock.advance(5_000)
/** A test that starts with unique amounts switched on. Not a hook: other files in the same process would share it. */
const testOn = (title: string, run: () => Promise<void>): void => {
  test(title, async () => {
    const body = { unique_amounts: 'more', unique_amounts_most: 99 }
    assert.equal((await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body })).status, 200)
    clock.advance(2_000)
    await run()
  })
}

/** Allows one unique amount for each order amount. It is given again as soon as its rest, the time without use, is over. */
const oneAmount = async (): Promise<void> => {
  const body = { unique_amounts: 'more', unique_amounts_most: 1 }
  assert.equal((await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body })).status, 200)
  clock.advance(2_000)
}

let used = 500_000
/** A new intent whose order amount no other test uses. */
const order = async (more: Record<string, unknown> = {}) => {
  used += 1_000
  return (await create({ amount: `${used}.00`, ...more })).body
}
/** Texts of successive transfers without a reference. Their balances follow from the stored balance, plus `missing`. */
const transfers = async (amounts: readonly string[], missing = 0): Promise<string[]> => {
  const [row] = await sql(
    'select b.balance from wallet_balances b join wallets w on w.identity = b.wallet_id where w.id = $1',
    [main],
  )
  let balance = Number(row?.[0] ?? 0) / 100 + missing
  return amounts.map((amount) => {
    balance += Number(amount)
    return transferText(amount, balance.toFixed(2))
  })
}
const transferOf = async (amount: string, missing = 0): Promise<string> => (await transfers([amount], missing))[0]!
const send = (text: string, more: Partial<Report> = {}, trusted = true) => record([report(text, more)], trusted)
const statusOf = async (id: string): Promise<string> => (await ask('GET', `/intents/${id}/`)).body.status
const shown = async (id: string) => (await owner.ask('GET', `/intents/${id}/`)).body
const alertsOf = async (amount: string): Promise<string[]> =>
  (await sql('select state, reason from alerts where amount = $1 order by id', [amount.replace('.', '')])).map((row) =>
    row.join(' ').trim(),
  )
/** Why alerts did not verify the intent, as its timeline says. */
const reasonsOf = async (id: string): Promise<string[]> =>
  (await shown(id)).timeline
    .filter((entry: { kind: string }) => entry.kind === 'not_matched')
    .map((entry: { facts: { reason: string } }) => entry.facts.reason)

testOn('the amount identifies the intent: VERIFIED once, with its event and its timeline entry', async () => {
  const intent = await order({ external_order_id: 'by amount' })
  await send(await transferOf(intent.payable_amount))
  const paid = (await ask('GET', `/intents/${intent.id}/`)).body
  assert.equal(paid.status, 'VERIFIED')
  assert.equal(paid.reference, '')
  assert.equal(paid.matched_event.reference, '')
  assert.equal(paid.manual_override, false)
  const events = await sql(`select body from events where intent_id = $1`, [intent.id])
  assert.equal(events.length, 1)
  const body = JSON.parse(events[0]![0]!)
  assert.equal(`${body.base_amount} ${body.amount}`, `${intent.base_amount} ${intent.payable_amount}`)
  const { timeline } = await shown(intent.id)
  assert.deepEqual(timeline.at(-1).by, { kind: 'amount', name: '' })
  assert.equal(timeline.at(-1).kind, 'verified')
  // A second payment of the same amount pays nothing.
  clock.advance(60_000)
  await send(await transferOf(intent.payable_amount))
  assert.deepEqual(await alertsOf(intent.payable_amount), ['matched', 'review amount_paid_before'])
  assert.deepEqual(await reasonsOf(intent.id), ['amount_paid_before'])
  assert.equal((await sql('select 1 from events where intent_id = $1', [intent.id])).length, 1)
  await assertMoneyInvariants(sql)
})

testOn('a credit of the claimed payer verifies; a credit of another payer waits for a member', async () => {
  const claim = async (phone: string) => {
    const intent = await order()
    assert.equal((await cashier.ask('POST', `/intents/${intent.id}/payer/`, { body: { phone } })).status, 200)
    await send(await transferOf(intent.payable_amount))
    return intent
  }
  const same = await claim('+967 770 000 000')
  assert.equal(await statusOf(same.id), 'VERIFIED')
  const other = await claim('733000111')
  assert.equal(await statusOf(other.id), 'PENDING')
  assert.deepEqual(await reasonsOf(other.id), ['amount_payer_differs'])
  assert.deepEqual(await alertsOf(other.payable_amount), ['review amount_payer_differs'])
  await assertMoneyInvariants(sql)
})

testOn('the order’s own amount, and any other amount, verify nothing', async () => {
  const intent = await order()
  await send(await transferOf(intent.base_amount))
  await send(await transferOf(`${Number.parseInt(intent.payable_amount, 10) + 7}.00`))
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await alertsOf(intent.base_amount), ['review no_reference'])
})

testOn('with the setting off, nothing is verified by an amount', async () => {
  const intent = await order()
  await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { unique_amounts: 'off' } })
  clock.advance(2_000)
  await send(await transferOf(intent.payable_amount))
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review no_reference'])
  assert.equal((await shown(intent.id)).why.at(-1).code, 'no_reference_yet')
})

testOn(
  'an unsigned alert does not verify; the same text signed by the phone does, and its balance counts once',
  async () => {
    const intent = await order()
    const text = await transferOf(intent.payable_amount)
    await send(text, {}, false)
    assert.equal(await statusOf(intent.id), 'PENDING')
    assert.deepEqual(await alertsOf(intent.payable_amount), ['review low_trust'])
    assert.deepEqual(await reasonsOf(intent.id), ['low_trust'])
    await send(text)
    assert.equal(await statusOf(intent.id), 'VERIFIED')
    assert.deepEqual(await alertsOf(intent.payable_amount), ['duplicate same_text', 'matched'])
    await assertMoneyInvariants(sql)
    // The balance chain continues.
    const next = await order()
    await send(await transferOf(next.payable_amount))
    assert.equal(await statusOf(next.id), 'VERIFIED')
  },
)

testOn(
  'an alert whose balance does not follow waits for a member; when it is accepted, the amount verifies',
  async () => {
    const intent = await order()
    await send(await transferOf(intent.payable_amount, 777))
    assert.equal(await statusOf(intent.id), 'PENDING')
    assert.deepEqual(await alertsOf(intent.payable_amount), ['review broken_chain'])
    assert.deepEqual(await reasonsOf(intent.id), ['broken_chain'])
    const [[id]] = (await sql('select id from alerts where amount = $1', [intent.payable_amount.replace('.', '')])) as [
      [string],
    ]
    assert.equal((await cashier.ask('POST', `/unmatched/${id}/accept-balance/`)).status, 200)
    assert.equal(await statusOf(intent.id), 'VERIFIED')
    assert.deepEqual((await shown(intent.id)).timeline.at(-1).by, { kind: 'amount', name: '' })
    await assertMoneyInvariants(sql)
  },
)

testOn('a credit that could belong to two intents verifies neither, and both have the reason', async () => {
  const intent = await order()
  await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { unique_amounts: 'off' } })
  clock.advance(2_000)
  const plain = (await create({ amount: intent.payable_amount })).body
  await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { unique_amounts: 'more' } })
  clock.advance(2_000)
  await send(await transferOf(intent.payable_amount))
  for (const { id } of [intent, plain]) {
    assert.equal(await statusOf(id), 'PENDING')
    assert.deepEqual(await reasonsOf(id), ['amount_of_several'])
  }
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review amount_of_several'])
})

testOn('after a late credit the intent stays EXPIRED, and both have the reason', async () => {
  const intent = await order()
  clock.advance(3_600_000)
  await send(await transferOf(intent.payable_amount))
  assert.equal(await statusOf(intent.id), 'EXPIRED')
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review late'])
  assert.deepEqual(await reasonsOf(intent.id), ['late'])
  await expireIntents(service.db, 500, clock.now(), zone)
  // A member books it to a copy, whose base amount is still that of the order.
  const [[id]] = (await sql('select id from alerts where amount = $1', [intent.payable_amount.replace('.', '')])) as [
    [string],
  ]
  const booked = await cashier.ask('POST', `/unmatched/${id}/book-copy/`, {
    body: { intent: intent.id, alert_amount: intent.payable_amount, intent_amount: intent.payable_amount },
  })
  assert.equal(booked.status, 200, booked.text)
  const [[base, payable]] = (await sql('select base, payable from intents where alert_id = $1', [id])) as [
    [string, string],
  ]
  assert.equal(`${base} ${payable}`, `${intent.base_amount} ${intent.payable_amount}`.replaceAll('.', ''))
  await assertMoneyInvariants(sql)
})

testOn('a payment that was sent before the intent was created does not verify it', async () => {
  const intent = await order()
  await send(await transferOf(intent.payable_amount), { sentAt: clock.now() - 3_600_000 })
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review amount_before_intent'])
  assert.deepEqual(await reasonsOf(intent.id), ['amount_before_intent'])
})

testOn('the amount of a cancelled intent rests: a payment of it is late, and both have the reason', async () => {
  const intent = await order()
  assert.equal((await cashier.ask('POST', `/intents/${intent.id}/cancel/`)).status, 200)
  clock.advance(REST_UNPAID_MS - 1)
  await send(await transferOf(intent.payable_amount))
  assert.equal(await statusOf(intent.id), 'CANCELLED')
  assert.deepEqual(await reasonsOf(intent.id), ['late'])
  // After the rest the amount belongs to no intent.
  clock.advance(1)
  await send(await transferOf(intent.payable_amount))
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review late', 'review no_reference'])
  assert.deepEqual(await reasonsOf(intent.id), ['late'])
})

testOn('a buyer who splits, rounds, or pays the amount of a cheaper order does not verify their own', async () => {
  const [cheaper, own] = [await order(), await order()]
  const units = Number.parseInt(own.payable_amount, 10)
  // Two partial payments: each waits for a member; their sum is not used.
  const parts = ['777.00', `${units - 777}.00`]
  for (const part of parts) await send(await transferOf(part))
  for (const part of parts) assert.deepEqual(await alertsOf(part), ['review no_reference'])
  // Rounded up to the next ten.
  const rounded = `${Math.ceil(units / 10) * 10}.00`
  await send(await transferOf(rounded))
  assert.deepEqual(await alertsOf(rounded), ['review no_reference'])
  // The amount of another order verifies that order, once; a second payment of it waits for a member.
  for (let n = 0; n < 2; n++) await send(await transferOf(cheaper.payable_amount))
  assert.deepEqual([await statusOf(own.id), await statusOf(cheaper.id)], ['PENDING', 'VERIFIED'])
  assert.deepEqual(await alertsOf(cheaper.payable_amount), ['matched', 'review amount_paid_before'])
  assert.deepEqual(await reasonsOf(own.id), [])
  await assertMoneyInvariants(sql)
})

testOn('an attached reference has priority over the amount; a verified intent takes no reference', async () => {
  const withReference = await order()
  await attach(withReference.id, newReference())
  await send(await transferOf(withReference.payable_amount))
  assert.equal(await statusOf(withReference.id), 'PENDING')
  assert.deepEqual(await reasonsOf(withReference.id), ['amount_has_reference'])
  assert.deepEqual(await alertsOf(withReference.payable_amount), ['review amount_has_reference'])
  const intent = await order()
  await send(await transferOf(intent.payable_amount))
  assert.deepEqual(errorsOf(await attach(intent.id, newReference())), ['intent_not_pending@reference'])
})

testOn(
  'one payment reported in two messages, without and with its reference, verifies one intent, whichever is first',
  async () => {
    const first = await order()
    await send(plainText(first.payable_amount))
    assert.equal(await statusOf(first.id), 'VERIFIED')
    const reference = newReference()
    clock.advance(20_000)
    await send(purchaseText(first.payable_amount, reference))
    assert.deepEqual(await alertsOf(first.payable_amount), ['matched', 'review amount_seen'])
    await oneAmount()
    clock.advance(REST_PAID_MS)
    const other = (await create({ amount: first.base_amount })).body
    assert.equal(other.payable_amount, first.payable_amount)
    assert.equal((await attach(other.id, reference)).body.status, 'PENDING')

    const second = await order()
    const later = newReference()
    await send(purchaseText(second.payable_amount, later))
    clock.advance(20_000)
    await send(plainText(second.payable_amount))
    assert.equal(await statusOf(second.id), 'VERIFIED')
    assert.deepEqual(await alertsOf(second.payable_amount), ['matched', 'review amount_paid_before'])
    // The reference is spent with the amount.
    assert.equal((await attach(other.id, later)).body.errors[0].code, 'reference_already_used')
    await assertMoneyInvariants(sql)
  },
)

testOn(
  'a text without reference and balance: a repeated report pays nothing, also when the amount is used again',
  async () => {
    const intent = await order()
    const text = plainText(intent.payable_amount)
    const first = report(text)
    await record([first])
    assert.equal(await statusOf(intent.id), 'VERIFIED')
    assert.deepEqual(await record([first]), ['duplicate'])
    assert.deepEqual(await send(text), ['duplicate'])
    await oneAmount()
    clock.advance(REST_PAID_MS)
    const next = (await create({ amount: intent.base_amount })).body
    assert.equal(next.payable_amount, intent.payable_amount)
    await send(text)
    assert.equal(await statusOf(next.id), 'PENDING')
    assert.deepEqual(await reasonsOf(next.id), ['seen_before'])
    assert.deepEqual(await send(text, { sentAt: null, phoneReceivedAt: null }), ['duplicate'])
    assert.equal(await statusOf(next.id), 'PENDING')
    await assertMoneyInvariants(sql)
  },
)

testOn('a message whose time the phone does not know verifies nothing by its amount', async () => {
  const intent = await order()
  const text = plainText(intent.payable_amount)
  await send(text, { sentAt: 0, phoneReceivedAt: 0 })
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await reasonsOf(intent.id), ['amount_untimed'])
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review amount_untimed'])
  const purchase = await order()
  const reference = newReference()
  await send(purchaseText(purchase.payable_amount, reference), { sentAt: 0, phoneReceivedAt: 0 })
  assert.equal(await statusOf(purchase.id), 'PENDING')
  assert.deepEqual(await alertsOf(purchase.payable_amount), ['waiting no_intent'])
  // Its reference still verifies it.
  assert.equal((await attach(purchase.id, reference)).body.status, 'VERIFIED')
})

testOn(
  'money of a stranger that came before the amount was asked for does not verify it by a second message',
  async () => {
    await oneAmount()
    used += 1_000
    const base = used
    // A stranger pays an amount that the next buyer will be asked for. Nobody uses it.
    const stranger = `${base + 1}.00`
    await send(plainText(stranger))
    clock.advance(2 * 60_000)
    const intent = (await create({ amount: `${base}.00` })).body
    assert.equal(intent.payable_amount, stranger)
    await send(`${plainText(stranger)} .`, { sentAt: clock.now() - 2 * 60_000 })
    await send(await transferOf(stranger), { sentAt: clock.now() - 60_000 })
    assert.equal(await statusOf(intent.id), 'PENDING')
    assert.ok(
      (await reasonsOf(intent.id)).every((reason) => reason === 'amount_before_intent' || reason === 'seen_before'),
    )
  },
)

testOn('a purchase of exactly the unique amount verifies it, although nobody has claimed its reference', async () => {
  const intent = await order()
  const reference = newReference()
  await send(purchaseText(intent.payable_amount, reference))
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  assert.deepEqual(await alertsOf(intent.payable_amount), ['matched'])
  // An attached reference counts first: the intent that has it is verified, or ends as a wrong amount, and the other one stays
  // open.
  const [first, second] = [await order(), await order()]
  const claimed = newReference()
  await attach(first.id, claimed)
  await send(purchaseText(second.payable_amount, claimed))
  assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], ['WRONG_AMOUNT', 'PENDING'])
  await assertMoneyInvariants(sql)
})

testOn('after a message has verified an intent, a longer text or a part of it is no second payment', async () => {
  const intent = await order()
  const text = await transferOf(intent.payable_amount)
  await send(text)
  await send(`${text} شكرا لك`)
  await send(text.slice(0, -3))
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  assert.equal((await alertsOf(intent.payable_amount)).filter((state) => state === 'matched').length, 1)
  await assertMoneyInvariants(sql)
})

testOn('a payment above the limit of review waits for a member', async () => {
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { review_above: '1000' } })
  clock.advance(2_000)
  const intent = await order()
  await send(await transferOf(intent.payable_amount))
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await alertsOf(intent.payable_amount), ['review above_limit'])
  assert.deepEqual(await reasonsOf(intent.id), ['above_limit'])
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { review_above: null } })
  clock.advance(2_000)
})

testOn('many alerts of one amount leave at most twenty entries in the timeline', async () => {
  const intent = await order()
  for (let n = 0; n < 25; n++) await send(await transferOf(intent.payable_amount), {}, false)
  assert.equal((await reasonsOf(intent.id)).length, 20)
})

testOn(
  'several payments in one request: each verifies its own intent; a second payment of one amount verifies nothing',
  async () => {
    const [first, second] = [await order(), await order()]
    const texts = await transfers([first.payable_amount, second.payable_amount, first.payable_amount])
    await record(texts.map((text, i) => report(text, { sentAt: clock.now() + i })))
    assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], ['VERIFIED', 'VERIFIED'])
    assert.deepEqual(await alertsOf(first.payable_amount), ['matched', 'review amount_paid_before'])
    await assertMoneyInvariants(sql)
  },
)

testOn('a part of a message that has verified an intent pays nothing hours later', async () => {
  await oneAmount()
  const first = await order()
  const whole = await transferOf(first.payable_amount)
  await send(whole)
  assert.equal(await statusOf(first.id), 'VERIFIED')
  clock.advance(REST_PAID_MS + 60_000)
  const second = (await create({ amount: first.base_amount })).body
  assert.equal(second.payable_amount, first.payable_amount)
  // The balance of a cut message is not read: a digit may be missing.
  await send(whole.slice(0, -1))
  assert.equal(await statusOf(second.id), 'PENDING')
  assert.deepEqual(await reasonsOf(second.id), ['amount_seen'])
  assert.deepEqual(await alertsOf(first.payable_amount), ['matched', 'review amount_seen'])
  // The opposite case: a separate payment verifies the intent.
  await send(await transferOf(second.payable_amount))
  assert.equal(await statusOf(second.id), 'VERIFIED')
  await assertMoneyInvariants(sql)
})

testOn(
  'an alert with the amount races with a reference, a cancellation, an expiry and itself: one resolution',
  async () => {
    for (let round = 0; round < 6; round++) {
      const intent = await order()
      const text = await transferOf(intent.payable_amount)
      const reference = newReference()
      await Promise.all([
        send(text, { clientId: `race ${round} a` }),
        send(text, { clientId: `race ${round} b` }),
        round % 3 === 0 ? attach(intent.id, reference) : undefined,
        round % 3 === 1 ? cashier.ask('POST', `/intents/${intent.id}/cancel/`) : undefined,
        round % 3 === 2 ? expireIntents(service.db, 500, clock.now() + 3_600_000, zone) : undefined,
      ])
      assert.ok(['VERIFIED', 'CANCELLED', 'PENDING', 'EXPIRED'].includes(await statusOf(intent.id)))
      assert.ok((await sql('select 1 from events where intent_id = $1', [intent.id])).length <= 1)
      await assertMoneyInvariants(sql)
    }
  },
)
