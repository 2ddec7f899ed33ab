/**
 * Generates payments that are told in several messages, and what members do between them. Everything goes over HTTP. A message is
 * whole or cut, in one of two wordings and three spellings, as SMS or notification, from one of two phones that sign or from an app
 * that does not, with or without the time of the payment, and up to a day later.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { depositText, purchaseText, transferText } from '../support/sms-texts.ts'
import type { openAttacks } from './attack-story.ts'

type Story = Awaited<ReturnType<typeof openAttacks>>

const payer = 'علي صالح المثال'
const amounts = { alert_amount: '2500.00', intent_amount: '2500.00' }

type Payment = {
  readonly reference: string
  readonly name: string
  readonly number: string
  /** The balance after it. */
  readonly balance: string
}
type Wording = (payment: Payment, amount: string) => string
/** The message that 2,500 has left the wallet. */
type Debit = (balance: string) => string

const companies = {
  jawali: {
    sender: 'Jawali',
    digits: 12,
    wordings: [
      ({ reference, name }, amount) => purchaseText(amount, reference, name),
      ({ balance, number }, amount) => transferText(amount, balance, number),
    ],
    debit: (balance) => `تم تحويل مبلغ 2500 YER إلى 770000456 رصيدك هو ${balance}`,
  },
  jaib: {
    sender: 'Jaib',
    digits: 14,
    wordings: [
      ({ reference, balance }, amount) => `أضيف ${amount}ر.ي مشتريات رص:${balance}ر.ي من 1234567 م:${reference}`,
      ({ balance, name, number }, amount) => `اضيف ${amount}ر.ي تحويل مشترك رص:${balance}ر.ي من ${name}-${number}`,
    ],
    debit: (balance) => `خصم 2500ر.ي تحويل مشترك رص:${balance}ر.ي الى علي صالح المثال-770000456`,
  },
  mfloos: {
    sender: 'MFloos',
    digits: 9,
    wordings: [({ reference }, amount) => depositText(amount, reference)],
    debit: undefined,
  },
} satisfies Record<string, { sender: string; digits: number; wordings: readonly Wording[]; debit: Debit | undefined }>
type Company = keyof typeof companies

const spellings = ['2500', '2,500.00', '٢٥٠٠'] as const

const message = fc.record({
  wording: fc.nat({ max: 1 }),
  spelling: fc.constantFrom(...spellings),
  /** The share of the text that is reported; 1: all. */
  whole: fc.oneof(fc.constant(1), fc.double({ min: 0.3, max: 0.99, noNaN: true })),
  /** 2: the app that does not sign. */
  phone: fc.nat({ max: 2 }),
  kind: fc.constantFrom('sms', 'notification'),
  /** Whether the report has the time of the payment, or that of the report. */
  timed: fc.boolean(),
  delay_ms: fc.constantFrom(
    0,
    20_000,
    9 * minute_ms,
    11 * minute_ms,
    40 * minute_ms,
    5 * 60 * minute_ms,
    23 * 60 * minute_ms,
  ),
})
type Message = typeof message extends fc.Arbitrary<infer M> ? M : never

const actions = [
  'nothing',
  'an order gets the reference',
  'every open message is booked',
  'an order of another amount gets the reference, and what arrived is accepted',
  'every open message is dismissed and restored',
  'balances are accepted',
  'phones are switched off until the next message',
  'held messages are released',
  'the same amount leaves the wallet',
  'another order takes the reference',
] as const
type Action = (typeof actions)[number]

const toldPayment = fc.record({
  company: fc.constantFrom<Company>('jawali', 'jaib', 'mfloos'),
  checksBalances: fc.boolean(),
  steps: fc.array(fc.record({ message, action: fc.constantFrom<Action>(...actions) }), {
    minLength: 2,
    maxLength: 4,
  }),
})

const twoPayments = fc.record({
  company: fc.constantFrom<Company>('jawali', 'jaib', 'mfloos'),
  checksBalances: fc.boolean(),
  payments: fc.array(message, { minLength: 2, maxLength: 2 }),
})

type Told = typeof toldPayment extends fc.Arbitrary<infer T> ? T : never
type Twice = typeof twoPayments extends fc.Arbitrary<infer T> ? T : never

const tellPayments = (story: Story) => {
  const {
    newApp,
    newShop,
    newPhone,
    ok,
    owner,
    manager,
    cashier,
    order,
    attach,
    verifiedOf,
    alerts,
    book,
    clock,
    seconds,
  } = story
  let references = 100_000_000

  const openShop = async (company: Company, checksBalances: boolean, hasApp: boolean) => {
    const { sender } = companies[company]
    const shop = await newShop({
      provider: shippedProviderId(company),
      sender_name: sender,
      review_broken_chains: checksBalances,
    })
    const second = await newPhone()
    const app = hasApp ? await newApp() : undefined
    const all = [shop.phone, second, ...(app === undefined ? [] : [app])]
    const phones = all.map(({ id }) => ({ phone: id }))
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones } }))
    clock.advance(2_000)
    return {
      ...shop,
      phones: [shop.phone, second] as const,
      app,
      all,
      company,
      orders: [] as string[],
    }
  }
  type Shop = Awaited<ReturnType<typeof openShop>>

  const newPayment = (company: Company, count: number): Payment => ({
    reference: String(++references).padStart(companies[company].digits, '7'),
    name: count === 0 ? payer : 'سعيد أحمد الفلاني',
    number: count === 0 ? '770000123' : '771999888',
    balance: String(10_000 + 2_500 * count),
  })

  const send = async (shop: Shop, payment: Payment, told: Message, paidAt: number): Promise<void> => {
    const { sender, wordings } = companies[shop.company]
    const text = wordings[told.wording % wordings.length]!(payment, told.spelling)
    const at = told.timed ? paidAt : seconds()
    const sent = text.slice(0, Math.floor(text.length * told.whole))
    const phone = shop.phones[told.phone]
    if (phone === undefined) ok(await shop.app!.say(sent, sender, at))
    else ok(await phone.sms(sent, { sender, kind: told.kind, sent_at: at, received_at: at }))
  }

  const switchPhones = async (shop: Shop, switched_on: boolean): Promise<void> => {
    for (const { id } of shop.all) ok(await owner.ask('PATCH', `/phones/${id}/`, { body: { switched_on } }))
  }

  const openAlerts = (shop: Shop, states: readonly string[]) =>
    alerts(`wallet_id = $1 and amount is not null and state = any($2)`, [shop.wallet, `{${states.join(',')}}`])

  const newOrder = async (shop: Shop, amount = '2500.00'): Promise<string> => {
    const { id } = await order(shop.wallet, amount)
    shop.orders.push(id)
    return id
  }

  /** Books without a confirmation. Returns false if a confirmation is asked for. */
  const bookPlainly = async (alert: string, intent: string): Promise<boolean> => {
    const answer = await book(alert, intent, amounts)
    const refused = answer.status === 200 ? '' : answer.body.errors[0].code
    assert.match(refused, /^(|may_be_same_payment|reference_taken)$/)
    return refused === ''
  }

  const act: Readonly<Record<Action, (shop: Shop, payment: Payment) => Promise<unknown>>> = {
    nothing: async () => undefined,
    'an order gets the reference': async (shop, { reference }) => attach(await newOrder(shop), reference),
    'every open message is booked': async (shop) => {
      for (const { id } of await openAlerts(shop, ['waiting', 'review', 'wrong_amount']))
        await bookPlainly(id, await newOrder(shop))
    },
    'an order of another amount gets the reference, and what arrived is accepted': async (shop, { reference }) => {
      const id = await newOrder(shop, '2600.00')
      await attach(id, reference)
      const accepted = await cashier.ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: '2500.00' } })
      if (accepted.status === 200) shop.orders.push(accepted.body.id)
    },
    'every open message is dismissed and restored': async (shop) => {
      for (const { id } of await openAlerts(shop, ['waiting', 'review', 'wrong_amount'])) {
        await cashier.ask('POST', `/unmatched/${id}/dismiss/`, { body: { reason: 'try' } })
        await cashier.ask('POST', `/unmatched/${id}/undo-dismiss/`)
      }
    },
    'balances are accepted': async (shop) => {
      for (const { id } of await openAlerts(shop, ['review']))
        await cashier.ask('POST', `/unmatched/${id}/accept-balance/`)
    },
    'phones are switched off until the next message': (shop) => switchPhones(shop, false),
    'the same amount leaves the wallet': async (shop, { balance }) => {
      const { sender, debit } = companies[shop.company]
      if (debit !== undefined) ok(await shop.phones[0].sms(debit(String(Number(balance) - 2_500)), { sender }))
    },
    'another order takes the reference': async (shop, { reference }) => {
      const [holder] = await story.sql(
        `select id from intents where wallet_id = $1 and status = 'PENDING' and reference = $2`,
        [shop.wallet, reference],
      )
      const id = await newOrder(shop)
      await attach(id, reference)
      if (holder !== undefined)
        await manager.ask('POST', `/intents/${id}/take-reference/`, { body: { reference, from: holder[0] } })
    },
    'held messages are released': async (shop) => {
      await switchPhones(shop, true)
      for (const { id } of await openAlerts(shop, ['held'])) await cashier.ask('POST', `/unmatched/${id}/release/`)
    },
  }

  /** One payment, told in several messages. Returns how many orders were verified: nobody confirmed a second payment. */
  const tellOnce = async ({ company, checksBalances, steps }: Told): Promise<number> => {
    const shop = await openShop(
      company,
      checksBalances,
      steps.some(({ message }) => message.phone === 2),
    )
    const payment = newPayment(company, 0)
    const paidAt = seconds()
    let elapsed_ms = 0
    let isSwitchedOff = false
    for (const { message, action } of steps) {
      // After a day, a message without the time of the payment is another payment.
      const delay_ms = elapsed_ms + message.delay_ms < day_ms ? message.delay_ms : 0
      elapsed_ms += delay_ms
      clock.advance(delay_ms)
      await send(shop, payment, message, paidAt)
      if (isSwitchedOff) await switchPhones(shop, true)
      isSwitchedOff = action === 'phones are switched off until the next message'
      await act[action](shop, payment)
    }
    for (const action of [
      'held messages are released',
      'an order gets the reference',
      'every open message is booked',
    ] as const)
      await act[action](shop, payment)
    return verifiedOf(shop.orders)
  }

  /** Two payments of one amount, each told in one message. Each order must be paid after at most one question. */
  const tellTwice = async ({ company, checksBalances, payments }: Twice): Promise<void> => {
    const shop = await openShop(company, checksBalances, false)
    for (const [count, told] of payments.entries()) {
      const payment = newPayment(company, count)
      clock.advance(told.delay_ms)
      const id = await newOrder(shop)
      ok(await attach(id, payment.reference))
      const before = new Set((await openAlerts(shop, allStates)).map((alert) => alert.id))
      await send(shop, payment, { ...told, whole: 1, phone: told.phone % 2, delay_ms: 0, timed: false }, seconds())
      const alert = (await openAlerts(shop, allStates)).find((other) => !before.has(other.id))
      assert.ok(alert !== undefined, 'the message was not read')
      if (alert.state === 'matched') continue
      assert.equal(alert.state, 'review')
      assert.notEqual(alert.reason, 'unexpected_words')
      if (alert.reason === 'amount_seen') ok(await cashier.ask('POST', `/unmatched/${alert.id}/not-duplicate/`))
      else if (alert.reason === 'broken_chain') ok(await cashier.ask('POST', `/unmatched/${alert.id}/accept-balance/`))
      else {
        if (!(await bookPlainly(alert.id, id))) ok(await book(alert.id, id, { ...amounts, another_payment: true }))
      }
      assert.equal(await verifiedOf([id]), 1, `payment ${count + 1} waits for more than one question`)
    }
    assert.equal(await verifiedOf(shop.orders), payments.length)
  }

  return { tellOnce, tellTwice }
}

const allStates = ['waiting', 'review', 'wrong_amount', 'held', 'matched', 'booked', 'duplicate', 'unread']

/** The same payments in every run, so that a failure can be repeated. Change it to look further. */
const seed = 17

/** Registers the two properties. */
export const testTelling = (story: Story, runs: number): void => {
  const { tellOnce, tellTwice } = tellPayments(story)

  test('property: one payment in 2 to 4 messages verifies at most one order, unless a member confirms another payment', async () => {
    await fc.assert(
      fc.asyncProperty(toldPayment, async (told) => {
        assert.ok((await tellOnce(told)) <= 1)
      }),
      { numRuns: runs, seed, endOnFailure: true },
    )
    await assertMoneyInvariants(story.sql)
  })

  test('property: two payments of one amount are both used after at most one question each', async () => {
    await fc.assert(fc.asyncProperty(twoPayments, tellTwice), { numRuns: runs, seed, endOnFailure: true })
    await assertMoneyInvariants(story.sql)
  })
}
