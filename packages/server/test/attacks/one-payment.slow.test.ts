/** Attacks that try to make one real payment verify two orders. */
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { hour_ms } from '../../src/core/duration.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Attack, attack, openAttacks } from './attack-story.ts'

const story = await openAttacks()
const { attach, alerts, atMost, attacks, book, cashier, clock, exactly, makeWallet, newPhone, newShop, ok } = story
const { order, orderWith, owner, reference, uniqueAmounts, seconds, ask } = story

type Shop = Awaited<ReturnType<typeof newShop>>
type ReportAgain = (shop: Shop, text: string) => Promise<unknown>

let payers = 770_000_000
/** Each attack has its own payer: the same text on two wallets would count as another attack. */
const newPayer = (): string => String(++payers)

/** The ways in which a phone reports a message a second time. */
const repetitions: Readonly<Record<string, ReportAgain>> = {
  'the same again at once': (shop, text) => shop.sms(text),
  'again after six seconds': async (shop, text) => {
    clock.advance(6_000)
    await shop.sms(text)
  },
  'again after two days': async (shop, text) => {
    clock.advance(48 * hour_ms)
    await shop.sms(text)
  },
  'again after two hours with a new sent time': async (shop, text) => {
    clock.advance(2 * hour_ms)
    await shop.sms(text, { sent_at: seconds(), received_at: seconds() })
  },
  'again with a sent time in the future': (shop, text) => shop.sms(text, { sent_at: seconds() + 86_400 }),
  'again without any time': (shop, text) => shop.sms(text, { sent_at: null, received_at: null }),
  'again with invisible marks': (shop, text) => shop.sms(`\u200f${text.split('').join('\u200b')}\u202c`),
  'again with other spaces': (shop, text) => shop.sms(text.replaceAll(' ', '\u00a0\u2003')),
  'again in Arabic digits': (shop, text) =>
    shop.sms(text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)))),
  'again in Persian digits': (shop, text) =>
    shop.sms(text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)))),
  'again in full-width digits': (shop, text) =>
    shop.sms(text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))),
  'again with two decimals': (shop, text) => shop.sms(text.replace(/ (\d+) YER/, ' $1.00 YER')),
  'again with other alefs': (shop, text) => shop.sms(text.replaceAll('ا', 'أ')),
  'again as a notification of the sender': (shop, text) =>
    shop.sms(text, { kind: 'notification', package: 'com.other.app' }),
  'again under the same id with another text': async (shop, text) => {
    await shop.sms(text, { client_id: 'same' })
    await shop.sms(`${text} `, { client_id: 'same' })
  },
  'again by a second phone of the wallet': async (shop, text) => {
    const second = await newPhone()
    ok(
      await owner.ask('PATCH', `/wallets/${shop.wallet}/`, {
        body: { phones: [{ phone: shop.phone.id }, { phone: second.id }] },
      }),
    )
    clock.advance(2_000)
    await second.sms(text)
    clock.advance(3 * hour_ms)
    await second.sms(text)
  },
  'again in one request, twice': (shop, text) => shop.phone.alerts([shop.phone.report(text), shop.phone.report(text)]),
  'cut into halves': async (shop, text) => {
    await shop.sms(text.slice(0, text.length / 2))
    await shop.sms(text.slice(text.length / 2))
  },
  'cut, the second half first': async (shop, text) => {
    await shop.sms(text.slice(text.length / 2))
    await shop.sms(text.slice(0, text.length / 2))
  },
  'cut before its last character, then whole': async (shop, text) => {
    await shop.sms(text.slice(0, -1))
    await shop.sms(text)
  },
  'shortened with dots': (shop, text) => shop.sms(`${text.slice(0, -6)}...`),
  'by the wallet entered again after it was closed': async (shop, text) => {
    const { account_number } = (await owner.ask('GET', `/wallets/${shop.wallet}/`)).body
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: false } }))
    const created = await makeWallet({ account_number: `+967 ${account_number}`, phone: shop.phone.id })
    if (created.status < 300) Object.assign(shop, { wallet: created.body.id })
    clock.advance(2_000)
    await shop.sms(text)
  },
  'by the wallet closed and opened again': async (shop, text) => {
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: false } }))
    clock.advance(2_000)
    await shop.sms(text)
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active: true } }))
    clock.advance(2_000)
    await shop.sms(text)
  },
  'while the phone is off, then released': async (shop, text) => {
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: false } }))
    clock.advance(2_000)
    await shop.sms(text)
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: true } }))
    clock.advance(2_000)
    for (const { id } of await alerts("device_id = $1 and state = 'held'", [shop.phone.id]))
      await cashier.ask('POST', `/unmatched/${id}/release/`)
  },
  'by the phone, paired anew': async (shop, text) => {
    const code = ok(await owner.ask('POST', `/phones/${shop.phone.id}/pairing/`)).body.pairing.code
    const paired = await ask('POST', '/../device/pair', { token: null, body: { code } })
    clock.advance(2_000)
    await shop.sms(text, {}, paired.body?.secret === undefined ? {} : { secret: paired.body.secret })
  },
  'by another phone, whose wallet has another number': async (_, text) => {
    const twin = await newShop()
    await twin.sms(text)
  },
  'by the same phone, bound to another wallet': async (shop, text) => {
    ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phone: null } }))
    Object.assign(shop, { wallet: ok(await makeWallet({ phone: shop.phone.id })).body.id })
    await uniqueAmounts(shop.wallet, 1)
    await shop.sms(text)
  },
}

/** New orders with the same reference, on every wallet that the phone now has, must not be paid by a repetition. */
const referenceTwice = (repetition: string, reportAgain: ReportAgain): Attack =>
  attack(`reference: ${repetition}`, async () => {
    const shop = await newShop()
    const number = reference()
    const text = purchaseText('1500', number)
    const first = await orderWith(number, shop.wallet, '1500.00')
    await shop.sms(text)
    const orders = [first.id]
    const tries = async () => {
      const open = (await owner.ask('GET', '/wallets/?page_size=100')).body.results
      const ofPhone = open.filter(
        ({ id, active, phones }: { id: string; active: boolean; phones: { id: string }[] }) =>
          active && (id === shop.wallet || phones.some((phone) => phone.id === shop.phone.id)),
      )
      for (const { id } of ofPhone) {
        const next = await orderWith(number, id, '1500.00')
        orders.push(next.id)
      }
    }
    await reportAgain(shop, text)
    await tries()
    await reportAgain(shop, text)
    return exactly(1, orders)
  })

attacks(
  'one payment with a reference, reported twice',
  Object.entries(repetitions).map(([repetition, reportAgain]) => referenceTwice(repetition, reportAgain)),
)

/** A payment without a reference, on a wallet with unique amounts. */
const amountTwice = (repetition: string, reportAgain: ReportAgain): Attack =>
  attack(`amount: ${repetition}`, async () => {
    const shop = await newShop()
    await uniqueAmounts(shop.wallet, 1)
    await shop.sms(transferText('10', '1010.00'))
    clock.advance(60_000)
    const first = await order(shop.wallet, '2000.00')
    const text = transferText('2001', '3011.00', newPayer())
    await shop.sms(text)
    const orders = [first.id]
    const tries = async () => {
      const created = await ask('POST', '/intents/', { body: { wallet: shop.wallet, amount: '2000.00' } })
      if (created.status === 201) orders.push(created.body.id)
    }
    await tries()
    await reportAgain(shop, text)
    await tries()
    clock.advance(7 * hour_ms)
    await tries()
    await reportAgain(shop, text)
    return exactly(1, orders)
  })
attacks(
  'one payment without a reference, reported twice',
  Object.entries(repetitions).map(([repetition, reportAgain]) => amountTwice(repetition, reportAgain)),
)

/** A cashier books every repetition that shows no doubt. */
const bookedTwice = (repetition: string, reportAgain: ReportAgain): Attack =>
  attack(`booking: ${repetition}`, async () => {
    const shop = await newShop()
    await shop.sms(transferText('10', '1010.00'))
    clock.advance(60_000)
    const since = new Date(clock.now() - 1).toISOString()
    const text = transferText('2500', '3510.00', newPayer())
    await shop.sms(text)
    const orders: string[] = []
    const bookOpen = async (): Promise<void> => {
      const open = await alerts(
        "state in ('waiting', 'review', 'wrong_amount') and amount = 250000 and received_at > $1",
        [since],
      )
      for (const { id } of open) {
        const detail = (await cashier.ask('GET', `/unmatched/${id}/`)).body
        // An alert with a doubt warns the cashier. Booking it in spite of that is the cashier's decision.
        if (detail.doubts.length > 0) continue
        const created = await ask('POST', '/intents/', {
          body: { wallet: detail.wallet?.id ?? shop.wallet, amount: '2500.00' },
        })
        if (created.status !== 201) continue
        orders.push(created.body.id)
        await book(id, created.body.id, { alert_amount: '2500.00', intent_amount: '2500.00' })
      }
    }
    await bookOpen()
    await reportAgain(shop, text)
    await bookOpen()
    await reportAgain(shop, text)
    await bookOpen()
    return atMost(1, orders)
  })
attacks(
  'one payment booked by hand, reported twice',
  Object.entries(repetitions).map(([repetition, reportAgain]) => bookedTwice(repetition, reportAgain)),
)

const paths: readonly Attack[] = [
  attack('a second entry with the same number and sender, at another provider and on another phone', async () => {
    const shop = await newShop()
    const { account_number } = (await owner.ask('GET', `/wallets/${shop.wallet}/`)).body
    const phone = await newPhone()
    const created = await makeWallet({ account_number, phone: phone.id, provider: shippedProviderId('jaib') })
    return created.status === 400 ? undefined : `a second entry was made: ${created.status}`
  }),
  attack('unique amounts: the same text on two wallets of two phones, each with an order of that amount', async () => {
    const [firstShop, secondShop] = [await newShop(), await newShop()]
    for (const { wallet } of [firstShop, secondShop]) await uniqueAmounts(wallet, 1)
    const orders = [await order(firstShop.wallet, '3000.00'), await order(secondShop.wallet, '3000.00')]
    const text = transferText('3001', '90001.00')
    await firstShop.sms(text)
    clock.advance(3_000)
    await secondShop.sms(text)
    return exactly(
      1,
      orders.map(({ id }) => id),
    )
  }),
  attack('unique amounts: booked by hand, then the notification with a reference verifies another order', async () => {
    const shop = await newShop()
    await uniqueAmounts(shop.wallet, 1)
    const first = await order(shop.wallet, '4000.00')
    // The buyer paid another amount: a cashier books it.
    await shop.sms(transferText('4003', '50000.00'))
    const [paid] = await alerts("device_id = $1 and amount = 400300 and state = 'review'", [shop.phone.id])
    ok(await book(paid!.id, first.id, { alert_amount: '4003.00', intent_amount: first.payable_amount }))
    const number = reference()
    await shop.sms(purchaseText('4003', number))
    const thief = await order(shop.wallet, '4002.00')
    if (thief.payable_amount !== '4003.00') return `the thief was asked for ${thief.payable_amount}`
    await attach(thief.id, number)
    return atMost(1, [first.id, thief.id])
  }),
  attack('unique amounts: matched by its amount, then the notification with a reference', async () => {
    const shop = await newShop()
    await uniqueAmounts(shop.wallet, 1)
    const first = await order(shop.wallet, '4100.00')
    await shop.sms(transferText('4101', '50000.00'))
    const number = reference()
    await shop.sms(purchaseText('4101', number))
    const thief = await orderWith(number, shop.wallet, '4101.00')
    return exactly(1, [first.id, thief.id])
  }),
  attack('unique amounts: matched by its reference, then the same payment reported without a reference', async () => {
    const shop = await newShop()
    await uniqueAmounts(shop.wallet, 1)
    const first = await order(shop.wallet, '4200.00')
    const number = reference()
    await attach(first.id, number)
    await shop.sms(purchaseText('4201', number))
    const second = await order(shop.wallet, '4200.00')
    await shop.sms(transferText('4201', '50000.00'))
    clock.advance(7 * hour_ms)
    const third = await order(shop.wallet, '4200.00')
    return exactly(1, [first.id, second.id, third.id])
  }),
  attack(
    'unique amounts: the first part of a message pays, the whole message comes seven hours later, no balance is known',
    async () => {
      const shop = await newShop()
      await uniqueAmounts(shop.wallet, 1)
      const first = await order(shop.wallet, '4300.00')
      const text = transferText('4301', '50000.00')
      await shop.sms(text.slice(0, -3))
      clock.advance(7 * hour_ms)
      const second = await order(shop.wallet, '4300.00')
      await shop.sms(text)
      return exactly(1, [first.id, second.id])
    },
  ),
  attack('set aside, then reported again', async () => {
    const shop = await newShop()
    const number = reference()
    await shop.sms(purchaseText('4400', number))
    const [open] = await alerts('reference_key = $1', [number])
    ok(await cashier.ask('POST', `/unmatched/${open!.id}/dismiss/`, { body: { reason: 'paid back in cash' } }))
    const thief = await orderWith(number, shop.wallet, '4400.00')
    await shop.sms(purchaseText('4400', number))
    clock.advance(60_000)
    await shop.sms(purchaseText('4400.00', number))
    return atMost(0, [thief.id])
  }),
  attack('booked, then set aside and taken back', async () => {
    const shop = await newShop()
    const number = reference()
    await shop.sms(purchaseText('4500', number))
    const [open] = await alerts('reference_key = $1', [number])
    const [first, second] = [await order(shop.wallet, '4500.00'), await order(shop.wallet, '4500.00')]
    const amounts = { alert_amount: '4500.00', intent_amount: '4500.00' }
    ok(await book(open!.id, first.id, amounts))
    await cashier.ask('POST', `/unmatched/${open!.id}/dismiss/`, { body: { reason: 'x' } })
    await cashier.ask('POST', `/unmatched/${open!.id}/undo-dismiss/`)
    await book(open!.id, second.id, amounts)
    await attach(second.id, number)
    await cashier.ask('POST', `/unmatched/${open!.id}/read-again/`)
    await cashier.ask('POST', `/unmatched/${open!.id}/release/`)
    await cashier.ask('POST', `/unmatched/${open!.id}/not-duplicate/`)
    await cashier.ask('POST', `/unmatched/${open!.id}/accept-balance/`)
    return exactly(1, [first.id, second.id])
  }),
  attack(
    'a repetition that a cashier marks as a separate payment shows its doubt, and pays nothing by itself',
    async () => {
      const shop = await newShop()
      await uniqueAmounts(shop.wallet, 1)
      const first = await order(shop.wallet, '4600.00')
      const text = transferText('4601', '50000.00')
      await shop.sms(text)
      clock.advance(7 * hour_ms)
      const second = await order(shop.wallet, '4600.00')
      await shop.sms(text)
      const copies = await alerts("device_id = $1 and amount = 460100 and state = 'duplicate'", [shop.phone.id])
      for (const { id } of copies) {
        const { body } = await cashier.ask('POST', `/unmatched/${id}/not-duplicate/`)
        if (!body.doubts.some(({ code }: { code: string }) => code === 'seen_before')) return 'no doubt is shown'
      }
      return exactly(1, [first.id, second.id])
    },
  ),
]
attacks('one payment by two paths', paths)
