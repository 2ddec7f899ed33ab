/**
 * No number of stored rows decides about money: an alert is compared with all that may be the same message, or a member decides. The
 * lists are tried with as many rows as are read, and with one more.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { timeOrderedId } from '../../src/core/ids.ts'
import { mostCompared } from '../../src/matching/resolve/amounts-sql.ts'
import { mostComparedText, mostSameText } from '../../src/matching/resolve/known-alerts-sql.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { planted, plantIntents } from '../support/plant-intents.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'

const story = await openAttacks()
const { accountId, alerts, attach, clock, makeWallet, newShop, ok, order, owner, reference, sql, statusOf } = story

type Shop = Awaited<ReturnType<typeof newShop>>

/** Binds the phone of a shop to another wallet. */
const boundElsewhere = async (shop: Shop): Promise<string> => {
  ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones: [] } }))
  const wallet: string = ok(await makeWallet({ phone: shop.phone.id })).body.id
  clock.advance(2_000)
  return wallet
}

const send = async (shop: Shop, reports: readonly Record<string, unknown>[]): Promise<void> => {
  for (let i = 0; i < reports.length; i += 50) ok(await shop.phone.alerts(reports.slice(i, i + 50)))
}

/** A message has verified an order of the first wallet. */
const paidShop = async () => {
  const shop = await newShop()
  const number = reference()
  const paid = await order(shop.wallet, '1500.00')
  await attach(paid.id, number)
  const text = purchaseText('1500.00', number)
  await shop.sms(text)
  assert.equal(await statusOf(paid.id), 'VERIFIED')
  clock.advance(1_000)
  return { shop, number, text }
}

/** The same message for another wallet, after it was resent so many times: its state. No order is verified by it. */
const resentAndSeenElsewhere = async (times: number): Promise<string> => {
  const { shop, number, text } = await paidShop()
  await send(
    shop,
    Array.from({ length: times }, () => shop.phone.report(text)),
  )
  assert.equal((await alerts(`reference_key = $1 and state = 'duplicate'`, [number])).length, times)
  const other = await boundElsewhere(shop)
  const second = await order(other, '1500.00')
  await attach(second.id, number)
  await shop.sms(text)
  assert.equal(await statusOf(second.id), 'PENDING', `resent ${times} times`)
  const [last] = (await alerts('wallet_id = $1', [other])).slice(-1)
  return `${last!.state} ${last!.reason}`
}

test('a message that verified an order verifies none of another wallet, however often it was resent', async () => {
  assert.equal(await resentAndSeenElsewhere(25), 'duplicate same_text')
  assert.equal(await resentAndSeenElsewhere(mostSameText), 'duplicate same_text')
  assert.equal(await resentAndSeenElsewhere(mostSameText + 1), 'review seen_before')
  await assertMoneyInvariants(sql)
})

test('resent to its own wallet, it stays a duplicate, however often', async () => {
  const { shop, number, text } = await paidShop()
  await send(
    shop,
    Array.from({ length: mostSameText + 60 }, () => shop.phone.report(text)),
  )
  assert.equal((await alerts(`reference_key = $1 and state = 'duplicate'`, [number])).length, mostSameText + 60)
})

/** The same for copies that no wallet took, each with a sent time of its own: they are no duplicates. */
const unreadAndSeenElsewhere = async (times: number): Promise<string> => {
  const { shop, number, text } = await paidShop()
  ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones: [] } }))
  clock.advance(2_000)
  const sent_at = (i: number) => story.seconds() - 60 * i
  await send(
    shop,
    Array.from({ length: times }, (_, i) => shop.phone.report(text, { sent_at: sent_at(i), received_at: sent_at(i) })),
  )
  const other: string = ok(await makeWallet({ phone: shop.phone.id })).body.id
  clock.advance(2_000)
  assert.equal((await alerts(`device_id = $1 and state = 'unread'`, [shop.phone.id])).length, times)
  const second = await order(other, '1500.00')
  await attach(second.id, number)
  await shop.sms(text, { sent_at: story.seconds() + 60 })
  assert.equal(await statusOf(second.id), 'PENDING', `${times} unread copies`)
  const [last] = (await alerts('wallet_id = $1', [other])).slice(-1)
  return `${last!.state} ${last!.reason}`
}

test('copies of a message that no wallet took do not hide the one that verified an order', async () => {
  assert.equal(await unreadAndSeenElsewhere(20), 'duplicate same_text')
  assert.equal(await unreadAndSeenElsewhere(mostComparedText), 'duplicate same_text')
  assert.equal(await unreadAndSeenElsewhere(mostComparedText + 1), 'review seen_before')
  await assertMoneyInvariants(sql)
})

type PlantedAlert = {
  readonly state: string
  readonly text?: string
  readonly sender?: string
  readonly amount?: bigint
  readonly hasReference?: boolean
  readonly payer?: string
}

/** Stores credits of a shop that arrive now, each with a text of its own unless one is given. Booked ones get an intent each. */
const plant = async (shop: Shop, count: number, alert: PlantedAlert): Promise<void> => {
  const { state, text, sender = 'Jawali', amount = 777n, hasReference = false, payer = null } = alert
  clock.advance(1_000)
  const now = clock.now()
  const fields = { accountId, walletId: shop.wallet, createdAt: now, status: 'VERIFIED', payable: amount } as const
  const intents = Array.from({ length: state === 'booked' ? count : 0 }, () => planted(fields))
  await plantIntents(story.db, intents)
  const texts = Array.from({ length: count }, () => text ?? `a text of its own ${randomUUID()}`)
  const ids = Array.from({ length: count }, () => timeOrderedId<string>(now))
  await story.db.run({
    text: `
      insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                          normaliser_version, fingerprint, wallet_id, direction, amount, currency, reference, reference_key,
                          state, reason, intent_id, payer)
      select $1, n.id, $2, n.id::text, 'native', true, 'sms', $3, n.raw_text, $4::timestamptz, 1, sha256(n.id::text::bytea),
             $5, 'credit', $6::bigint, 'YER', case when $7::bool then upper(n.id::text) end,
             case when $7::bool then upper(n.id::text) end, $8, '', n.intent_id, $12
        from unnest($9::uuid[], $10::text[], $11::uuid[]) as n (id, raw_text, intent_id)`,
    values: [
      accountId,
      shop.phone.id,
      sender,
      new Date(now).toISOString(),
      shop.wallet,
      String(amount),
      hasReference,
      state,
      ids,
      texts,
      intents.map(({ id }) => id),
      payer,
    ],
  })
  clock.advance(1_000)
}

/** A message after another one that contains it or that it contains, with so many others between them. Returns what became of it. */
const afterOthers = async (first: (text: string) => PlantedAlert, count: number, others: PlantedAlert) => {
  const shop = await newShop()
  const number = reference()
  const asked = await order(shop.wallet, '1500.00')
  await attach(asked.id, number)
  const text = purchaseText('1500.00', number)
  await plant(shop, 1, first(text))
  await plant(shop, count, others)
  await shop.sms(text)
  assert.equal(await statusOf(asked.id), 'PENDING', `${count} others`)
  const [last] = await alerts('wallet_id = $1 and reference_key is not null', [shop.wallet])
  clock.advance(30 * 60_000)
  return `${last!.state} ${last!.reason}`
}

test('a part that was read as other money stops its message, whatever number of alerts came between them', async () => {
  const part = (text: string) => ({ state: 'review', text: text.slice(0, 30) })
  const others = { state: 'review' }
  assert.equal(await afterOthers(part, mostCompared + 1, { ...others, sender: 'Jaib' }), 'review read_in_part')
  assert.equal(await afterOthers(part, mostCompared, others), 'review read_in_part')
  assert.equal(await afterOthers(part, mostCompared + 1, others), 'review seen_before')
})

test('a longer message that was not read stops its part, whatever number of alerts came between them', async () => {
  const whole = (text: string) => ({ state: 'unread', text: `${text} and more` })
  const others = { state: 'unread' }
  assert.equal(await afterOthers(whole, mostCompared + 1, { ...others, sender: 'Jaib' }), 'review read_in_part')
  assert.equal(await afterOthers(whole, mostCompared, others), 'review read_in_part')
  assert.equal(await afterOthers(whole, mostCompared + 1, others), 'review seen_before')
})

test('alerts of ten minutes ago, however many, do not send a payment to review', async () => {
  const shop = await newShop()
  await plant(shop, mostCompared + 50, { state: 'review' })
  clock.advance(10 * 60_000 + 5_000)
  const number = reference()
  const paid = await order(shop.wallet, '1500.00')
  await attach(paid.id, number)
  await shop.sms(purchaseText('1500.00', number))
  assert.equal(await statusOf(paid.id), 'VERIFIED')
})

test('a longer message of a booked one is a duplicate, whatever number of others was booked between them', async () => {
  const longer = async (others: number): Promise<string> => {
    const shop = await newShop()
    const text = transferText('1500', '9000.00')
    await plant(shop, 1, { state: 'booked', text: text.slice(0, 25), amount: 150_000n })
    await plant(shop, others, { state: 'booked' })
    await shop.sms(text)
    const [last] = (await alerts('wallet_id = $1', [shop.wallet])).slice(-1)
    clock.advance(30 * 60_000)
    return `${last!.state} ${last!.reason}`
  }
  assert.equal(await longer(250), 'duplicate message_part')
  assert.equal(await longer(mostCompared), 'duplicate message_part')
  assert.equal(await longer(mostCompared + 1), 'review no_reference')
})

test('a cut message is a duplicate of the whole one that waits, whatever number of the same amount waits too', async () => {
  const cut = async (others: number): Promise<string> => {
    const shop = await newShop()
    const text = transferText('1500', '9000.00')
    await plant(shop, 1, { state: 'waiting', text: `${text} and more`, amount: 150_000n, hasReference: true })
    await plant(shop, others, { state: 'waiting', amount: 150_000n, hasReference: true })
    await shop.sms(text)
    const [last] = await alerts('wallet_id = $1 and reference_key is null', [shop.wallet])
    clock.advance(30 * 60_000)
    return `${last!.state} ${last!.reason}`
  }
  assert.equal(await cut(25), 'duplicate message_part')
  assert.equal(await cut(mostCompared), 'duplicate message_part')
  assert.equal(await cut(mostCompared + 1), 'review no_reference')
})

test('if parts were not compared, no amount verifies an order by itself', async () => {
  const asked = async (others: number) => {
    const shop = await newShop()
    await story.uniqueAmounts(shop.wallet, 9)
    const { id, payable_amount } = await order(shop.wallet, '1500.00')
    await plant(shop, others, { state: 'review' })
    await shop.sms(transferText(String(Number(payable_amount)), '9000.00', '770000123'))
    clock.advance(30 * 60_000)
    const [last] = (await alerts('wallet_id = $1', [shop.wallet])).slice(-1)
    return [await statusOf(id), last!.reason]
  }
  assert.deepEqual(await asked(mostCompared), ['VERIFIED', ''])
  assert.deepEqual(await asked(mostCompared + 1), ['PENDING', 'seen_before'])
})

test('a credit is compared with all of its amount, or waits for a member', async () => {
  const asked = async (others: number) => {
    const shop = await newShop()
    const number = reference()
    const { id } = await order(shop.wallet, '1500.00')
    await attach(id, number)
    await plant(shop, others, { state: 'booked', amount: 150_000n, payer: 'علي صالح المثال' })
    await shop.sms(purchaseText('1500.00', number, 'سعيد ناصر التجريبي'))
    clock.advance(30 * 60_000)
    const [last] = await alerts('wallet_id = $1 and reference_key is not null', [shop.wallet])
    return [await statusOf(id), last!.reason]
  }
  assert.deepEqual(await asked(mostCompared), ['VERIFIED', ''])
  assert.deepEqual(await asked(mostCompared + 1), ['PENDING', 'amount_seen'])
})
