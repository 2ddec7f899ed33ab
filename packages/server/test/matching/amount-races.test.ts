/**
 * Unique amounts on two nodes while something else changes at the same moment: a late payment and the next order of its
 * amount, the setting, a closed wallet, repeated requests, two phones. In any order, a payment verifies at most one intent.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { REST_PAID_MS, REST_UNPAID_MS } from '../../src/intents/payable/unique-amounts.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { runs } from '../support/runs.ts'
import { transferText } from '../support/sms-texts.ts'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { create, clock, demo, sql, ask } = service
const { owner, cashier, attach, newReference, record, report } = await queueStory(service)
const { main } = demo.wallets
const window_ms = 3_600_000
const second = await service.startNode()

const set = async (unique_amounts: string, unique_amounts_most = 99): Promise<void> => {
  const body = { unique_amounts, unique_amounts_most }
  assert.equal((await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body })).status, 200)
  clock.advance(2_000)
}
const createOnSecond = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  askAt(`${second.origin}/api/v1/merchant/intents/`, 'POST', {
    token: service.token,
    body: { wallet: main, ...body },
    headers,
  })
const passTime = async (time_ms: number): Promise<void> => {
  clock.advance(time_ms)
  while ((await expireIntents(service.db, 500, clock.now(), zoneOf('Asia/Aden'))) === 500);
}
/** A test that starts with unique amounts switched on and without open intents. */
const testOn = (title: string, run: () => Promise<void>): void => {
  test(title, async () => {
    await set('more')
    await passTime(window_ms)
    await run()
    await assertMoneyInvariants(sql)
  })
}

let used = 300_000
const newAmount = (): string => {
  used += 1_000
  return `${used}.00`
}
let balance = 0
const textOf = (amount: string): string => {
  balance += Number(amount)
  return transferText(amount, balance.toFixed(2))
}
const pay = (amount: string) => record([report(textOf(amount))])
const statusOf = async (id: string): Promise<string> => (await ask('GET', `/intents/${id}/`)).body.status
/** The number of matched alerts of this amount. */
const matchedOf = async (amount: string): Promise<number> =>
  (await sql(`select 1 from alerts where amount = $1 and state = 'matched'`, [amount.replace('.', '')])).length

testOn(
  'a late payment and the next order of its amount at once: the payment verifies neither of the two orders',
  async () => {
    await set('more', 1)
    for (const ended of ['expired', 'cancelled', 'paid'] as const) {
      const amount = newAmount()
      const first = (await create({ amount })).body
      if (ended === 'cancelled') await cashier.ask('POST', `/intents/${first.id}/cancel/`)
      if (ended === 'paid') await pay(first.payable_amount)
      const before = await matchedOf(first.payable_amount)
      await passTime(ended === 'paid' ? REST_PAID_MS : window_ms + REST_UNPAID_MS)
      // The payment was sent a quarter of an hour ago, before the next order was created, whichever is stored first.
      const late = report(textOf(first.payable_amount), { sentAt: clock.now() - 900_000 })
      const [next] = await Promise.all([createOnSecond({ amount }), record([late])])
      assert.equal(next.body.payable_amount, first.payable_amount)
      assert.equal(await statusOf(next.body.id), 'PENDING')
      assert.equal(await statusOf(first.id), { expired: 'EXPIRED', cancelled: 'CANCELLED', paid: 'VERIFIED' }[ended])
      assert.equal(await matchedOf(first.payable_amount), before)
      // The payment of the next order verifies that order.
      await pay(next.body.payable_amount)
      assert.equal(await statusOf(next.body.id), 'VERIFIED')
    }
  },
)

testOn(
  'the setting changes while intents are created: open ones keep their amounts, and none is given twice',
  async () => {
    const amount = newAmount()
    const creates = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? create({ amount }) : createOnSecond({ amount }),
    )
    const changes = (async () => {
      for (const [setting, most] of [
        ['less', 99],
        ['more', 5],
        ['off', 99],
        ['more', 99],
      ] as const)
        await set(setting, most)
    })()
    const answers = await Promise.all(creates)
    await changes
    for (const { status, text } of answers) assert.equal(status, 201, text)
    const created = answers.map(({ body }) => body)
    const unique = created.map(({ payable_amount }) => payable_amount).filter((payable) => payable !== amount)
    assert.deepEqual([...new Set(unique)].sort(), unique.toSorted())
    for (const { id, payable_amount } of created)
      assert.equal((await ask('GET', `/intents/${id}/`)).body.payable_amount, payable_amount)
    // A unique amount from before the last change still verifies; the order amount itself does not.
    const [intent] = created.filter(({ payable_amount }) => payable_amount !== amount)
    await pay(intent.payable_amount)
    assert.equal(await statusOf(intent.id), 'VERIFIED')
    await pay(amount)
    assert.equal(await matchedOf(amount), 0)
  },
)

testOn(
  'unique amounts are switched off while the payment arrives: VERIFIED once, or PENDING with the alert in the queue',
  async () => {
    for (let round = 0; round < runs(6, 3); round++) {
      await set('more')
      const { id, payable_amount } = (await create({ amount: newAmount() })).body
      const off = owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { unique_amounts: 'off' } })
      await Promise.all([off, pay(payable_amount)])
      const status = await statusOf(id)
      assert.equal(status, (await matchedOf(payable_amount)) === 1 ? 'VERIFIED' : 'PENDING')
    }
  },
)

testOn(
  'no amount is free: a repeated key gets its first answer, on both nodes, also when amounts are free again',
  async () => {
    await set('more', 2)
    const amount = newAmount()
    const keys = Array.from({ length: 6 }, () => ({ 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }))
    const answers = await Promise.all(
      keys.flatMap((key) => [create({ amount, wallet: main }, key), createOnSecond({ amount }, key)]),
    )
    const texts = new Set(answers.map(({ text }) => text))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(texts.size, keys.length)
    assert.equal([...texts].filter((text) => JSON.parse(text).payable_amount !== amount).length, 2)
    for (const { body } of answers) await cashier.ask('POST', `/intents/${body.id}/cancel/`)
    await set('more', 99)
    for (const [i, key] of keys.entries()) {
      assert.equal((await create({ amount }, key)).text, answers[2 * i]!.text)
      assert.equal((await createOnSecond({ amount }, key)).text, answers[2 * i]!.text)
    }
    const [[stored]] = (await sql('select count(*) from intents where base = $1', [amount.replace('.', '')])) as [
      [string],
    ]
    assert.equal(stored, String(keys.length))
  },
)

testOn(
  'a reference is attached while the payment arrives: the reference or the payment is accepted, never both',
  async () => {
    for (let round = 0; round < runs(6, 3); round++) {
      const { id, payable_amount } = (await create({ amount: newAmount() })).body
      const [attached] = await Promise.all([attach(id, newReference()), pay(payable_amount)])
      const verified = (await statusOf(id)) === 'VERIFIED'
      assert.equal(attached.status, verified ? 400 : 200, attached.text)
      assert.equal(await matchedOf(payable_amount), verified ? 1 : 0)
    }
  },
)

testOn('two phones report one payment at once: one intent is verified, once', async () => {
  const { phone } = (await owner.ask('POST', '/phones/', { body: { name: 'A second phone' } })).body
  await owner.ask('PATCH', `/phones/${phone.id}/`, { body: { switched_on: true } })
  const phones = [
    { phone: demo.device.id, sim_slot: 'SIM1' },
    { phone: phone.id, sim_slot: 'SIM1' },
  ]
  const bound = await owner.ask('PATCH', `/wallets/${main}/`, { body: { phones } })
  assert.equal(bound.status, 200, bound.text)
  clock.advance(2_000)
  for (let round = 0; round < runs(6, 3); round++) {
    const amount = newAmount()
    const [paid, other] = [(await create({ amount })).body, (await create({ amount: newAmount() })).body]
    const text = textOf(paid.payable_amount)
    await Promise.all([demo.device.id, phone.id].map((id) => record([report(text)], true, id)))
    assert.deepEqual([await statusOf(paid.id), await statusOf(other.id)], ['VERIFIED', 'PENDING'])
    assert.equal(await matchedOf(paid.payable_amount), 1)
  }
})

testOn(
  'a wallet that is closed and opened again: open intents keep their amounts, and no other intent gets them',
  async () => {
    const amount = newAmount()
    const before = (await create({ amount })).body
    const activate = async (active: boolean): Promise<void> => {
      const changed = await owner.ask('PATCH', `/wallets/${main}/`, { body: { active } })
      assert.equal(changed.status, 200, changed.text)
    }
    // Each intent that is created while the wallet is being closed is refused or has its own amount.
    const [, ...answers] = await Promise.all([
      activate(false),
      ...Array.from({ length: 6 }, () => createOnSecond({ amount })),
    ])
    const created = answers.filter(({ status }) => status === 201).map(({ body }) => body)
    clock.advance(2_000)
    assert.notEqual((await create({ amount })).status, 201)
    await activate(true)
    clock.advance(2_000)
    const after = (await create({ amount })).body
    const amounts = [before, ...created, after].map(({ payable_amount }) => payable_amount)
    assert.equal(new Set(amounts).size, amounts.length)
    await pay(before.payable_amount)
    assert.deepEqual([await statusOf(before.id), await statusOf(after.id)], ['VERIFIED', 'PENDING'])
  },
)
