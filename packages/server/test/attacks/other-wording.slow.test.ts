/**
 * Attacks with one payment that is reported in two wordings, one without a reference and one with it: a cashier books the first,
 * and the second should verify another order. The messages arrive in every order and in many ways. Honest payments of the same
 * amount must still be verified.
 */
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { hour_ms, minute_ms } from '../../src/core/duration.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Attack, attack, type Breach, openAttacks } from './attack-story.ts'

const story = await openAttacks()
const { attach, alerts, attacks, book, cashier, clock, exactly, newPhone, newShop, ok } = story
const { order, orderWith, owner, reference, seconds, statusOf, uniqueAmounts, atMost, makeWallet, sql } = story

type Shop = Awaited<ReturnType<typeof newShop>>

const amounts = { alert_amount: '2500.00', intent_amount: '2500.00' }
const plain = transferText('2500', '3510.00', '770000123')
const withReference = (number: string) => purchaseText('2500', number, 'علي صالح المثال')

const secondPhone = async (shop: Shop) => {
  const second = await newPhone()
  const phones = [{ phone: shop.phone.id }, { phone: second.id }]
  ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones } }))
  clock.advance(2_000)
  return second
}

const openAlert = async (shop: Shop, hasReference: boolean) =>
  (
    await alerts(
      `wallet_id in (select id from wallets where identity = (select identity from wallets where id = $1))
         and amount = 250000 and state <> 'duplicate' and reference_key is ${hasReference ? 'not ' : ''}null`,
      [shop.wallet],
    )
  ).at(-1)!

/** Books the message without a reference, as a cashier does: it is the only one so far. */
const bookPlain = async (shop: Shop): Promise<string> => {
  const first = await order(shop.wallet, '2500.00', { external_order_id: 'A-17' })
  const { id } = await openAlert(shop, false)
  ok(await book(id, first.id, amounts))
  return first.id
}

type Arrival = (shop: Shop, number: string) => Promise<unknown>

/** How the second message arrives after the first was booked. */
const arrivals: Readonly<Record<string, Arrival>> = {
  'by the same phone at once': (shop, number) => shop.sms(withReference(number)),
  'by the same phone after nine minutes': (shop, number) => {
    clock.advance(9 * minute_ms)
    return shop.sms(withReference(number))
  },
  'by the same phone, reported an hour later with the time of the payment': (shop, number) => {
    const sent = seconds()
    clock.advance(hour_ms)
    return shop.sms(withReference(number), { sent_at: sent, received_at: sent })
  },
  'as a notification after three hours': (shop, number) => {
    clock.advance(3 * hour_ms)
    return shop.sms(withReference(number), { kind: 'notification' })
  },
  'as a notification with another title after twenty hours': (shop, number) => {
    clock.advance(20 * hour_ms)
    return shop.sms(withReference(number), { kind: 'notification', title: 'جوالي' })
  },
  'by a second phone after a minute': async (shop, number) => {
    const second = await secondPhone(shop)
    clock.advance(minute_ms)
    await second.sms(withReference(number))
  },
  'by a second phone after five hours': async (shop, number) => {
    const second = await secondPhone(shop)
    clock.advance(5 * hour_ms)
    await second.sms(withReference(number))
  },
  'by a second phone after three days, with the time of the payment': async (shop, number) => {
    const sent = seconds()
    const second = await secondPhone(shop)
    clock.advance(72 * hour_ms)
    await second.sms(withReference(number), { sent_at: sent, received_at: sent })
  },
  'by a phone that was set up anew, after 25 hours, without any time': async (shop, number) => {
    const second = await secondPhone(shop)
    clock.advance(25 * hour_ms)
    await second.sms(withReference(number), { sent_at: null, received_at: null })
  },
  'by a second phone with a clock that is a day ahead': async (shop, number) => {
    const second = await secondPhone(shop)
    await second.sms(withReference(number), { sent_at: seconds() + 40 * 3600, received_at: seconds() + 40 * 3600 })
  },
  'in Arabic digits, with invisible marks': (shop, number) =>
    shop.sms(
      `\u200f${withReference(number).replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)))}\u202c`,
    ),
  'with two decimals': (shop, number) => shop.sms(withReference(number).replace(' 2500 ', ' 2,500.00 ')),
  'twice in one request': (shop, number) =>
    shop.phone.alerts([shop.phone.report(withReference(number)), shop.phone.report(withReference(number))]),
  'while the phone is off, then released': async (shop, number) => {
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: false } }))
    clock.advance(2_000)
    await shop.sms(withReference(number))
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: true } }))
    clock.advance(2_000)
    const { id } = await openAlert(shop, true)
    await cashier.ask('POST', `/unmatched/${id}/release/`)
  },
  'set aside and taken back': async (shop, number) => {
    await shop.sms(withReference(number))
    const { id } = await openAlert(shop, true)
    await cashier.ask('POST', `/unmatched/${id}/dismiss/`, { body: { reason: 'try' } })
    await cashier.ask('POST', `/unmatched/${id}/undo-dismiss/`)
  },
  'and read again': async (shop, number) => {
    await shop.sms(withReference(number))
    const { id } = await openAlert(shop, true)
    await cashier.ask('POST', `/unmatched/${id}/read-again/`)
    await cashier.ask('POST', `/unmatched/${id}/accept-balance/`)
    await cashier.ask('POST', `/unmatched/${id}/release/`)
  },
  'after the wallet was closed and opened again': async (shop, number) => {
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: false } }))
    clock.advance(2_000)
    await shop.sms(withReference(number))
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: true } }))
    clock.advance(2_000)
    await shop.sms(withReference(number))
  },
  'after the wallet was entered again': async (shop, number) => {
    const { account_number } = (await owner.ask('GET', `/wallets/${shop.wallet}/`)).body
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: false } }))
    const created = await makeWallet({ account_number: `00967${account_number}`, phone: shop.phone.id })
    if (created.status < 300) Object.assign(shop, { wallet: created.body.id })
    clock.advance(2_000)
    await shop.sms(withReference(number))
  },
}

/** A breach if the alert does not show the doubt `same_payment` with the other alert and its payment. */
const doubtShown = async (id: string): Promise<Breach> => {
  const { body } = await cashier.ask('GET', `/unmatched/${id}/`)
  const doubt = body.doubts.find(({ code }: { code: string }) => code === 'same_payment')
  if (doubt === undefined) return `no doubt is shown: ${JSON.stringify(body.doubts)}, ${body.state} ${body.reason.code}`
  return doubt.facts.other === undefined || doubt.facts.payment === undefined ? 'the doubt names no payment' : undefined
}

attacks(
  'booked without a reference, then reported with it',
  Object.entries(arrivals).flatMap(([how, arrive]): Attack[] => [
    attack(`the reference is attached before: ${how}`, async () => {
      const shop = await newShop()
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const number = reference()
      const second = await orderWith(number, shop.wallet, '2500.00')
      await arrive(shop, number)
      const third = await orderWith(number, shop.wallet, '2500.00')
      return (await exactly(1, [first, second.id, third.id])) ?? doubtShown((await openAlert(shop, true)).id)
    }),
    attack(`the reference is attached after: ${how}`, async () => {
      const shop = await newShop()
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const number = reference()
      await arrive(shop, number)
      const second = await orderWith(number, shop.wallet, '2500.00')
      const alert = await openAlert(shop, true)
      const answer = await book(alert.id, second.id, amounts)
      if (answer.status < 300) return 'it was booked without a warning'
      return exactly(1, [first, second.id])
    }),
  ]),
)

/** The message with the reference arrives before the message without one is booked. */
const beforeBooking: readonly Attack[] = [
  ...(['waits', 'verified an order', 'was booked'] as const).flatMap((how): Attack[] =>
    ([0, 5 * minute_ms] as const).map(
      (later): Attack =>
        attack(
          `the message with the reference ${how}; the other comes ${later === 0 ? 'at once' : 'five minutes later'} and is booked`,
          async () => {
            const shop = await newShop()
            const number = reference()
            const first = await order(shop.wallet, '2500.00')
            if (how === 'verified an order') await attach(first.id, number)
            await shop.sms(withReference(number))
            if (how === 'was booked') ok(await book((await openAlert(shop, true)).id, first.id, amounts))
            clock.advance(later)
            await shop.sms(plain)
            const alert = await openAlert(shop, false)
            const second = await order(shop.wallet, '2500.00')
            const answer = await book(alert.id, second.id, amounts)
            if (how !== 'waits' && answer.status < 300) return 'it was booked without a warning'
            if (how !== 'waits') return (await exactly(1, [first.id, second.id])) ?? doubtShown(alert.id)
            // No payment was used yet, so the message without a reference was booked. Now the other waits for a member.
            await attach(first.id, number)
            return (await exactly(1, [first.id, second.id])) ?? doubtShown((await openAlert(shop, true)).id)
          },
        ),
    ),
  ),
  attack(
    'the message without a reference waits in the queue; the other verifies an order; then a cashier books the first',
    async () => {
      const shop = await newShop()
      await shop.sms(plain)
      const alert = await openAlert(shop, false)
      const number = reference()
      const first = await orderWith(number, shop.wallet, '2500.00')
      await shop.sms(withReference(number))
      const second = await order(shop.wallet, '2500.00')
      const refused = await book(alert.id, second.id, amounts)
      if (refused.status < 300) return 'it was booked without a warning'
      const copy = await cashier.ask('POST', `/unmatched/${alert.id}/book-copy/`, {
        body: { intent: second.id, ...amounts },
      })
      if (copy.status < 300) return 'a copy was booked without a warning'
      return (await exactly(1, [first.id, second.id])) ?? doubtShown(alert.id)
    },
  ),
  attack(
    'the message with the reference ended an order as WRONG_AMOUNT; the other is booked; the reference is attached again',
    async () => {
      const shop = await newShop()
      const number = reference()
      const wrong = await orderWith(number, shop.wallet, '9000.00')
      await shop.sms(withReference(number))
      if ((await statusOf(wrong.id)) !== 'WRONG_AMOUNT') return 'the attack was not set up'
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const second = await orderWith(number, shop.wallet, '2500.00')
      const accept = await cashier.ask('POST', `/intents/${wrong.id}/accept-paid/`, {
        body: { paid_amount: '2500.00' },
      })
      if (accept.status < 300) return 'the paid amount was accepted without a warning'
      return exactly(1, [first, second.id])
    },
  ),
  attack(
    'after the booking, the message with the reference does not end an order of another amount as WRONG_AMOUNT',
    async () => {
      const shop = await newShop()
      const number = reference()
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const wrong = await orderWith(number, shop.wallet, '9000.00')
      await shop.sms(withReference(number))
      const status = await statusOf(wrong.id)
      if (status !== 'PENDING') return `the doubtful message ended another order: ${status}`
      return exactly(1, [first, wrong.id])
    },
  ),
  attack('two messages without a reference, of two wordings: the second is not booked without a warning', async () => {
    const shop = await newShop()
    await shop.sms(plain)
    const first = await bookPlain(shop)
    await shop.sms('استلمت مبلغ YER 2500 من 770000123 رصيدك هو 3510.00', { kind: 'notification' })
    const alert = await openAlert(shop, false)
    const second = await order(shop.wallet, '2500.00')
    await book(alert.id, second.id, amounts)
    return exactly(1, [first, second.id])
  }),
  attack('the balance follows, because the booked message came from another app and did not move it', async () => {
    const shop = await newShop({ provider: shippedProviderId('jaib'), sender_name: 'Jaib' })
    const number = '12345678905511'
    await shop.sms('أضيف 10ر.ي مشتريات رص:1010ر.ي من 1234567 م:12345678905510', { sender: 'Jaib' })
    clock.advance(minute_ms)
    await shop.sms('اضيف 2500ر.ي تحويل مشترك رص:3510ر.ي من علي صالح المثال-770000123', {
      sender: 'Jaib',
      kind: 'notification',
      package: 'com.other.app',
    })
    const first = await bookPlain(shop)
    const second = await orderWith(number, shop.wallet, '2500.00')
    await shop.sms(`أضيف 2500ر.ي مشتريات رص:3510ر.ي من 1234567 م:${number}`, { sender: 'Jaib' })
    return exactly(1, [first, second.id])
  }),
  attack(
    'unique amounts: verified with a reference; the other message comes hours later, when the amount is used again',
    async () => {
      const shop = await newShop()
      await uniqueAmounts(shop.wallet, 1)
      const first = await order(shop.wallet, '2499.00')
      const number = reference()
      await attach(first.id, number)
      const amount = String(Number(first.payable_amount))
      await shop.sms(purchaseText(amount, number))
      clock.advance(7 * hour_ms)
      const second = await order(shop.wallet, '2499.00')
      await shop.sms(transferText(amount, '3510.00', '770000123'), {
        kind: 'notification',
        sent_at: null,
        received_at: null,
      })
      return exactly(1, [first.id, second.id])
    },
  ),
]
attacks('the message with the reference came before the booking', beforeBooking)

const races: readonly Attack[] = Array.from(
  { length: 12 },
  (_, round): Attack =>
    attack(
      `race ${round}: a cashier books, the reference is attached, and the message arrives, all at once`,
      async () => {
        const shop = await newShop()
        const number = reference()
        await shop.sms(plain)
        const alert = await openAlert(shop, false)
        const [first, second] = [await order(shop.wallet, '2500.00'), await order(shop.wallet, '2500.00')]
        if (round % 3 === 0) await shop.sms(withReference(number))
        if (round % 3 === 1) await attach(second.id, number)
        const racing = [
          () => book(alert.id, first.id, amounts),
          () => (round % 3 === 0 ? attach(second.id, number) : shop.sms(withReference(number))),
          ...(round % 3 === 2 ? [() => attach(second.id, number)] : []),
        ]
        const answers = await Promise.all((round % 2 === 0 ? racing : racing.toReversed()).map((run) => run()))
        const fault = answers.find((answer) => 'status' in answer && answer.status >= 500)
        if (fault !== undefined) return `a fault: ${JSON.stringify(fault)}`
        return exactly(1, [first.id, second.id])
      },
    ),
)
attacks('two wordings in a race', races)

/** These payments must be verified: stopping an honest payment is an attack too. */
const honest: readonly Attack[] = [
  attack(
    'one message for each payment: another buyer pays the same amount by the same phone after eleven minutes',
    async () => {
      const shop = await newShop({ review_later_messages: false })
      await shop.sms(plain)
      const first = await bookPlain(shop)
      clock.advance(11 * minute_ms)
      const number = reference()
      const second = await orderWith(number, shop.wallet, '2500.00')
      await shop.sms(withReference(number))
      return exactly(2, [first, second.id])
    },
  ),
  attack(
    'one message for each payment, two phones: another buyer after an hour, reported by the other phone first',
    async () => {
      const shop = await newShop({ review_later_messages: false })
      const second = await secondPhone(shop)
      await shop.sms(plain)
      await second.sms(plain)
      const first = await bookPlain(shop)
      clock.advance(hour_ms)
      const number = reference()
      const next = await orderWith(number, shop.wallet, '2500.00')
      await second.sms(withReference(number))
      await shop.sms(withReference(number))
      return exactly(2, [first, next.id])
    },
  ),
  attack('a member says that it is another payment: the order of the reference is verified at once', async () => {
    const shop = await newShop()
    await shop.sms(plain)
    const first = await bookPlain(shop)
    const number = reference()
    const second = await orderWith(number, shop.wallet, '2500.00')
    await shop.sms(withReference(number))
    const { id, state, reason } = await openAlert(shop, true)
    if (state !== 'review' || reason !== 'amount_seen') return `it is ${state} ${reason}`
    ok(await cashier.ask('POST', `/unmatched/${id}/not-duplicate/`))
    return exactly(2, [first, second.id])
  }),
  attack(
    'a member says that it is another payment before the reference is attached; then the reference verifies its order',
    async () => {
      const shop = await newShop()
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const number = reference()
      await shop.sms(withReference(number))
      ok(await cashier.ask('POST', `/unmatched/${(await openAlert(shop, true)).id}/not-duplicate/`))
      const second = await orderWith(number, shop.wallet, '2500.00')
      return exactly(2, [first, second.id])
    },
  ),
  attack('a member books it and says that it is another payment; the timeline contains the doubt', async () => {
    const shop = await newShop()
    const number = reference()
    const first = await orderWith(number, shop.wallet, '2500.00')
    await shop.sms(withReference(number))
    await shop.sms(plain)
    const second = await order(shop.wallet, '2500.00')
    ok(await book((await openAlert(shop, false)).id, second.id, { ...amounts, another_payment: true }))
    const { timeline } = (await cashier.ask('GET', `/intents/${second.id}/`)).body
    const facts = JSON.stringify(timeline)
    return facts.includes('same_payment') ? exactly(2, [first.id, second.id]) : `the timeline says nothing: ${facts}`
  }),
  attack(
    'WRONG_AMOUNT and a booking: a member says that it is another payment, and its reference verifies an order',
    async () => {
      const shop = await newShop()
      const number = reference()
      await orderWith(number, shop.wallet, '9000.00')
      await shop.sms(withReference(number))
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const second = await orderWith(number, shop.wallet, '2500.00')
      ok(await cashier.ask('POST', `/unmatched/${(await openAlert(shop, true)).id}/not-duplicate/`))
      return exactly(2, [first, second.id])
    },
  ),
  attack(
    'WRONG_AMOUNT and a booking: a member accepts the paid amount for its own order, as another payment',
    async () => {
      const shop = await newShop()
      const number = reference()
      const wrong = await orderWith(number, shop.wallet, '9000.00')
      await shop.sms(withReference(number))
      await shop.sms(plain)
      const first = await bookPlain(shop)
      const body = { paid_amount: '2500.00', another_payment: true }
      const copy = ok(await story.manager.ask('POST', `/intents/${wrong.id}/accept-paid/`, { body })).body.id
      return (await exactly(1, [first])) ?? atMost(2, [first, copy])
    },
  ),
  attack('the list names the order that the doubtful message may have paid; that order has one event', async () => {
    const shop = await newShop()
    await shop.sms(plain)
    const first = await bookPlain(shop)
    await shop.sms(withReference(reference()))
    const list = (await cashier.ask('GET', '/unmatched/?amount=2500.00&page_size=200')).body.results
    const [same] = list.filter(({ wallet }: { wallet: { id: string } | null }) => wallet?.id === shop.wallet)
    if (same?.doubts[0]?.facts.order !== 'A-17')
      return `the list does not name the order: ${JSON.stringify(same?.doubts)}`
    const [events] = await sql("select count(*) from events where kind = 'payment.verified' and intent_id = $1", [
      first,
    ])
    return events?.[0] === '1' ? undefined : `${events?.[0]} events`
  }),
]
attacks('honest payments of the same amount', honest)
