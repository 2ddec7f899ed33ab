/** Attacks with the text of a message: denials, forged balances, wrong senders, ambiguous amounts and currencies. */
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { depositText, purchaseText, transferText } from '../support/sms-texts.ts'
import { type Attack, attack, openAttacks } from './attack-story.ts'
import { sentenceTails } from './sentence-tails.ts'

const story = await openAttacks()
const { attach, atMost, attacks, clock, exactly, newShop, ok, order, orderWith, reference, seconds, uniqueAmounts } =
  story

// All shops are set up before the first attack is registered: from then on attacks run, and each moves the clock.
const shop = await newShop()
const mfloos = await newShop({ provider: shippedProviderId('mfloos'), sender_name: 'MFloos' })
const jaib = await newShop({ provider: shippedProviderId('jaib'), sender_name: 'Jaib' })
const unique = await newShop()
await uniqueAmounts(unique.wallet)
ok(await unique.sms(transferText('10', '5000.00')))

let number = 51_000_000_000_000
const jaibText = (amount: string, after: string, reference: string, payer = '1234567') =>
  `أضيف ${amount}ر.ي مشتريات رص:${after}ر.ي من ${payer} م:${reference}`
/** After two honest payments the balance is known: 1,200. */
ok(await jaib.sms(jaibText('100', '1100', String(++number)), { sender: 'Jaib' }))
clock.advance(60_000)
ok(await jaib.sms(jaibText('100', '1200', String(++number)), { sender: 'Jaib' }))

const superscript = (digit: string): string => [...'⁰¹²³⁴⁵⁶⁷⁸⁹'][Number(digit)]!

/** The text must not verify an order of this amount that waits for this reference. */
const mustNotPay =
  (text: (number: string) => string, more: Record<string, unknown> = {}, amount = '1500.00') =>
  async () => {
    const number = reference()
    const intent = await orderWith(number, shop.wallet, amount)
    await shop.sms(text(number), more)
    return atMost(0, [intent.id])
  }

const spread = (word: string, mark: string): string => word.split('').join(mark)
const denials = [
  ...['reversed', 'cancelled', 'canceled', 'failed', 'pending', 'refunded', 'not completed', 'returned', 'rejected'],
  ...['declined', 'expired', 'on hold', 'unsuccessful', 'did not go through', 'was not successful', 'not yet credited'],
  ...[
    'has been reversed',
    'reversal',
    'void',
    'blocked',
    'frozen',
    'recalled',
    'incomplete',
    'cancelling',
    'reversing',
  ],
  ...[
    'ملغاة',
    'ملغي',
    'تم الإلغاء',
    'تم إلغاؤها',
    'معكوسة',
    'تم العكس',
    'فشلت',
    'فاشلة',
    'معلقة',
    'قيد الانتظار',
    'مستردة',
  ],
  ...[
    'تم الاسترداد',
    'مرفوضة',
    'لم تكتمل',
    'لم تتم',
    'غير مكتملة',
    'مرتجعة',
    'تم إرجاعها',
    'لم تنفذ',
    'موقوفة',
    'تم التراجع عنها',
  ],
  ...[
    'لم تنجز',
    'غير منجزة',
    'تم الغا العملية',
    'لم يتم الايداع',
    'مؤجلة',
    'ملغيّة',
    'أُلغيت',
    'لن تتم',
    'تحت المراجعة',
    'لم تُضف',
  ],
]
const spellings: readonly (readonly [string, (word: string) => string])[] = [
  ['as it is', (word) => word],
  ['upper case', (word) => word.toUpperCase()],
  ['with tatweel', (word) => word.replace(/(?<=\p{Script=Arabic})(?=\p{Script=Arabic})/gu, 'ـ')],
  ['with vowel signs', (word) => spread(word, '\u064e')],
  ['with accents', (word) => spread(word, '\u0301')],
  ['with zero-width spaces', (word) => spread(word, '\u200b')],
  ['with joiners', (word) => spread(word, '\u200d')],
  ['with direction marks', (word) => `\u202e${spread(word, '\u200f')}\u202c`],
  ['with variation selectors', (word) => spread(word, '\ufe0f')],
]
// Each word is tried unchanged and in one other spelling; denies-itself.test.ts tries every word in every spelling.
const [asItIs, ...others] = spellings
const denied = denials.flatMap((word, i): Attack[] =>
  [asItIs!, others[i % others.length]!].map(([label, spell]) => [
    `${word}, ${label}`,
    mustNotPay((number) => purchaseText('1500', number, `علي المثال ${spell(word)}`)),
  ]),
)
attacks('texts that deny the payment', denied)

attacks(
  'sentences beside the name of the payer',
  sentenceTails.map(
    (tail): Attack => [tail, mustNotPay((number) => purchaseText('1500', number, `علي المثال ${tail}`))],
  ),
)

const notThePayment: readonly Attack[] = [
  ['the amount in another currency', mustNotPay((n) => purchaseText('1500', n).replace('YER', 'SAR'))],
  ['the amount in dollars', mustNotPay((n) => purchaseText('1500', n).replace('YER', 'USD'))],
  ['the currency spelled as Saudi', mustNotPay((n) => purchaseText('1500', n).replace('YER', 'ر.س'))],
  ['a point as separator of thousands: 1.500', mustNotPay((n) => purchaseText('1.500', n))],
  ['1.500 for an order of 1.50', mustNotPay((n) => purchaseText('1.500', n), {}, '1.50')],
  ['1,50 for an order of 150', mustNotPay((n) => purchaseText('1,50', n), {}, '150.00')],
  ['1,50 for an order of 1.50', mustNotPay((n) => purchaseText('1,50', n), {}, '1.50')],
  ['15,00 for 1500', mustNotPay((n) => purchaseText('15,00', n))],
  ['1٬50 with the Arabic separator', mustNotPay((n) => purchaseText('١٬٥٠', n), {}, '150.00')],
  ['1٫500 with the Arabic decimal point', mustNotPay((n) => purchaseText('١٫٥٠٠', n))],
  ["1'500", mustNotPay((n) => purchaseText("1'500", n))],
  ['1 500 with a space', mustNotPay((n) => purchaseText('1 500', n))],
  ['1 500 with a narrow space', mustNotPay((n) => purchaseText('1\u202f500', n))],
  ['a negative amount', mustNotPay((n) => purchaseText('-1500', n))],
  ['a minus of another script', mustNotPay((n) => purchaseText('\u22121500', n))],
  ['a minus after the amount', mustNotPay((n) => purchaseText('1500-', n))],
  ['an exponent', mustNotPay((n) => purchaseText('1.5e3', n))],
  ['leading zeros', mustNotPay((n) => purchaseText('0001500', n))],
  ['hexadecimal', mustNotPay((n) => purchaseText('0x5DC', n))],
  ['superscript digits: 15⁰⁰ is 1500 for NFKC only', mustNotPay((n) => purchaseText('15\u2070\u2070', n))],
  ['subscript digits', mustNotPay((n) => purchaseText('15\u2080\u2080', n))],
  ['circled digits', mustNotPay((n) => purchaseText('15\u24ea\u24ea', n))],
  ['a digit with a full stop in one character', mustNotPay((n) => purchaseText('15\u{1f100}00', n))],
  [
    'superscript digits in the reference',
    mustNotPay((n) => purchaseText('1500', `${n.slice(0, -1)}${superscript(n.at(-1)!)}`)),
  ],
  ['a fraction: 1500½', mustNotPay((n) => purchaseText('1500½', n))],
  ['a huge amount', mustNotPay((n) => purchaseText(`${'9'.repeat(30)}`, n))],
  ['a huge amount, wrapped at 64 bits', mustNotPay((n) => purchaseText('184467440737095517116', n))],
  ['two payments in one text', mustNotPay((n) => `${purchaseText('5', reference())} ${purchaseText('1500', n)}`)],
  [
    'two payments in one text, the other first',
    mustNotPay((n) => `${purchaseText('1500', n)} ${purchaseText('5', reference())}`),
  ],
  [
    'a payment inside the name of the payer',
    mustNotPay((n) => purchaseText('5', reference(), purchaseText('1500', n))),
  ],
  ['a payment in a promotion', mustNotPay((n) => `عرض: ${purchaseText('1500', n)}`)],
  [
    'a payment, then five thousand spaces and a denial',
    mustNotPay((n) => `${purchaseText('1500', n)}${' '.repeat(5_000)}تم الإلغاء`),
  ],
  ['a payment after a null character', mustNotPay((n) => `\0${purchaseText('1500', n)}`)],
  ['template slots in the text', mustNotPay((n) => `لقد استلمت {amount:money} YER كقيمة مشتريات بمرجع ${n} من علي`)],
  ['the words reordered', mustNotPay((n) => `بمرجع ${n} لقد استلمت 1500 YER كقيمة مشتريات من علي المثال`)],
  ['a debit with the words of a credit', mustNotPay((n) => purchaseText('1500', n).replace('استلمت', 'أرسلت'))],
  ['not received', mustNotPay((n) => `لم ${purchaseText('1500', n)}`)],
  ['the sender in lower case', mustNotPay((n) => purchaseText('1500', n), { sender: 'jawali' })],
  ['the sender in upper case', mustNotPay((n) => purchaseText('1500', n), { sender: 'JAWALI' })],
  ['the sender with a space', mustNotPay((n) => purchaseText('1500', n), { sender: 'Jawali ' })],
  ['the sender with an invisible mark', mustNotPay((n) => purchaseText('1500', n), { sender: 'Jawali\u200b' })],
  ['the sender with a Cyrillic letter', mustNotPay((n) => purchaseText('1500', n), { sender: 'J\u0430wali' })],
  ['the sender full-width', mustNotPay((n) => purchaseText('1500', n), { sender: 'Ｊawali' })],
  ['a phone number as sender', mustNotPay((n) => purchaseText('1500', n), { sender: '+967770000001' })],
  ['no sender', mustNotPay((n) => purchaseText('1500', n), { sender: '' })],
  ['the sender as the title', mustNotPay((n) => purchaseText('1500', n), { sender: 'x', title: 'Jawali' })],
  [
    'a notification of another app',
    mustNotPay((n) => purchaseText('1500', n), { kind: 'notification', package: 'com.evil' }),
  ],
  [
    'a notification without a package',
    mustNotPay((n) => purchaseText('1500', n), { kind: 'notification', package: '' }),
  ],
  ['a package and no kind', mustNotPay((n) => purchaseText('1500', n), { kind: null, package: 'com.evil' })],
  ['an unknown kind with a package', mustNotPay((n) => purchaseText('1500', n), { kind: 'SMS', package: 'com.evil' })],
  ['the sender of another company', mustNotPay((n) => purchaseText('1500', n), { sender: 'Jaib' })],
  ['the text of another company', mustNotPay((n) => depositText('1500.00', n))],
  ['a placeholder instead of the reference', mustNotPay((n) => purchaseText('1500', n).replace(n, '----'))],
  ['a reference without its last digit', mustNotPay((n) => purchaseText('1500', n.slice(0, -1)))],
  ['a reference with a digit more', mustNotPay((n) => purchaseText('1500', `${n}1`))],
  ['a reference with a leading zero', mustNotPay((n) => purchaseText('1500', `0${n}`))],
  ['a test payment on a real wallet', mustNotPay((n) => `Test payment of 1,500.00 YER, reference ${n}.`)],
  [
    'a test payment by the test sender',
    mustNotPay((n) => `Test payment of 1,500.00 YER, reference ${n}.`, { sender: 'SanadTest' }),
  ],
  ['a payer named "test"', mustNotPay((n) => purchaseText('1500', n, 'test'))],
]
attacks('texts that are not the payment', notThePayment)

const placeholder = (spelled: string): Attack =>
  attack(`the placeholder ${spelled}`, async () => {
    const orders = [await order(mfloos.wallet, '300.00'), await order(mfloos.wallet, '300.00')]
    for (const { id } of orders) await attach(id, spelled)
    for (let n = 0; n < 2; n++) {
      clock.advance(20_000)
      await mfloos.sms(depositText('300.00', spelled), { sender: 'MFloos' })
    }
    return atMost(
      0,
      orders.map(({ id }) => id),
    )
  })
attacks(
  'placeholders as references',
  ['---------', 'undefined', '000000000', 'null', 'N/A', '٠٠٠٠٠٠٠٠٠', 'none', '—————————', '0', 'xxxxxxxxx'].map(
    placeholder,
  ),
)

const forged = (label: string, after: string, amount = '700'): Attack =>
  attack(`balance: ${label}`, async () => {
    const intent = await order(jaib.wallet, `${amount}.00`)
    const ownReference = String(++number)
    await attach(intent.id, ownReference)
    await jaib.sms(jaibText(amount, after, ownReference), { sender: 'Jaib' })
    return atMost(0, [intent.id])
  })
attacks('forged messages with a balance that does not follow', [
  forged('the same as before', '1200'),
  forged('one riyal off', '1901'),
  forged('a hundredth off', '1900.01'),
  forged('the amount alone', '700'),
  forged('zero', '0'),
  forged('the balance before the first message, plus the amount', '1700'),
  forged('much more', '9999999'),
  ...['1899', '1901.5', '500', '1100'].map((after) => forged(after, after)),
  attack('two forged messages that agree with each other', async () => {
    const orders = [await order(jaib.wallet, '700.00'), await order(jaib.wallet, '700.00')]
    let after = 50_000
    for (const { id } of orders) {
      const ownReference = String(++number)
      await attach(id, ownReference)
      after += 700
      await jaib.sms(jaibText('700', String(after), ownReference), { sender: 'Jaib' })
      clock.advance(60_000)
    }
    return atMost(
      0,
      orders.map(({ id }) => id),
    )
  }),
  attack('the honest payment after all of them', async () => {
    const intent = await order(jaib.wallet, '100.00')
    const ownReference = String(++number)
    await attach(intent.id, ownReference)
    await jaib.sms(jaibText('100', '1300', ownReference), { sender: 'Jaib' })
    return exactly(1, [intent.id])
  }),
])

const byAmount = (
  label: string,
  text: (amount: string) => string,
  more = (): Record<string, unknown> => ({}),
): Attack =>
  attack(`amount: ${label}`, async () => {
    const intent = await order(unique.wallet, '8000.00')
    ok(await unique.sms(text(intent.payable_amount), more()))
    const breach = await atMost(0, [intent.id])
    await story.cashier.ask('POST', `/intents/${intent.id}/cancel/`)
    return breach
  })
attacks('texts that must not pay by their amount', [
  byAmount('forged balance', (amount) => transferText(amount, '99999.00')),
  byAmount('cut before the balance', (amount) => transferText(amount, '').trim()),
  byAmount('denied', (amount) => transferText(amount, '13001.00').replace('استلمت', 'فشلت: استلمت')),
  byAmount('another currency', (amount) => transferText(amount, '13001.00').replace('YER', 'SAR')),
  byAmount(
    'another app',
    (amount) => transferText(amount, '13001.00'),
    () => ({ kind: 'notification', package: 'com.evil' }),
  ),
  byAmount(
    'sent yesterday',
    (amount) => transferText(amount, '13001.00'),
    () => ({ sent_at: seconds() - 86_400 }),
  ),
  byAmount('the round amount', () => transferText('8000', '13000.00')),
  byAmount('one riyal less', (amount) => transferText(String(Number(amount) - 1), '13000.00')),
  byAmount('a balance as the amount', (amount) => `استلمت مبلغ 1 YER من 770000000 رصيدك هو ${amount}`),
  byAmount('a debit of the amount', (amount) => `تم تحويل مبلغ ${amount} YER إلى 770000000 رصيدك هو 1.00`),
])
