/** Attacks on the reading of messages: templates that read wrongly, parts of two messages, forwarding apps, unusual amounts. */
import { createHmac, randomUUID } from 'node:crypto'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { type Attack, attack, type Breach, openAttacks } from './attack-story.ts'

const story = await openAttacks()
const { ask, attach, alerts, atMost, attacks, clock, exactly, newPhone, newShop, ok, order, orderWith, origin, owner } =
  story
const { makeWallet, reference, seconds } = story

let providers = 0
/** A wallet at a provider that the account has created; only the account's own templates read its messages. */
const ownShop = async () => {
  const name = `own-bank-${++providers}`
  const provider: string = ok(await owner.ask('POST', '/providers/', { body: { name } })).body.id
  const phone = await newPhone()
  const account_number = String(778_800_000 + providers)
  const wallet: string = ok(await makeWallet({ provider, sender_name: 'OwnBank', phone: phone.id, account_number }))
    .body.id
  clock.advance(2_000)
  return { provider, phone, wallet, account_number, sms: (text: string) => phone.sms(text, { sender: 'OwnBank' }) }
}
type OwnShop = Awaited<ReturnType<typeof ownShop>>

type Sentence = {
  readonly sentence: string
  readonly samples: readonly { readonly text: string; readonly expect: Record<string, string> }[]
}
const publish = async (shop: OwnShop, { sentence, samples }: Sentence): Promise<boolean> => {
  const body = {
    provider: shop.provider,
    name: `T ${randomUUID().slice(0, 8)}`,
    sender_names: ['OwnBank'],
    direction: 'credit',
    currency: 'YER',
    sentence,
    samples,
    counter_samples: [{ text: 'You sent 10 YER to Ali', why: 'debit' }],
  }
  const drafted = await owner.ask('POST', '/templates/', { body })
  if (drafted.status !== 201) return false
  const published = await owner.ask('POST', `/templates/${drafted.body.id}/publish/`)
  if (published.status >= 500) throw new Error(published.text)
  clock.advance(3_000)
  return published.status < 300
}

/** A template that must not be published. */
const refused = (name: string, sentence: string, ...samples: [string, Record<string, string>][]): Attack =>
  attack(`a template that reads ${name}`, async () => {
    const shop = await ownShop()
    const published = await publish(shop, { sentence, samples: samples.map(([text, expect]) => ({ text, expect })) })
    return published ? 'it was published' : undefined
  })

attacks('templates of an account that read wrongly', [
  refused('the balance as the amount', 'Got {what:any} YER, balance {amount:money} YER.', [
    'Got 1500 YER, balance 90000.00 YER.',
    { amount: '90000.00' },
  ]),
  refused('the balance as the amount, in Arabic', 'وصلك {what:any} ريال رصيدك {amount:money} ريال شكرا', [
    'وصلك 1500 ريال رصيدك 90000 ريال شكرا',
    { amount: '90000.00' },
  ]),
  refused('the available money as the amount', 'In {what:any} available {amount:money} YER.', [
    'In 1500 YER available 90000 YER.',
    { amount: '90000.00' },
  ]),
  refused('the fee as the amount', 'You received {what:any}, fee {amount:money} YER ref {reference:reference}.', [
    'You received 1500 YER, fee 25 YER ref 88001122.',
    { amount: '25.00', reference: '88001122' },
  ]),
  refused(
    'the fee as the amount, in Arabic',
    'استلمت {what:any} رسوم {amount:money} ريال مرجع {reference:reference}.',
    ['استلمت 1500 ريال رسوم 25 ريال مرجع 88001122.', { amount: '25.00', reference: '88001122' }],
  ),
  refused('the commission as the amount', 'In: {what:any} commission {amount:money} YER.', [
    'In: 1500 YER commission 25 YER.',
    { amount: '25.00' },
  ]),
  ...(['2026-11-17', '17-11-2026', '20261117', '17112026'] as const).map((date) =>
    refused(`a date as the reference (${date})`, 'Got {amount:money} YER on {reference:reference} thanks', [
      `Got 1500 YER on ${date} thanks`,
      { amount: '1500.00', reference: date },
    ]),
  ),
  ...(['770000123', '00967770000123', '967733123456', '0551234567'] as const).map((number) =>
    refused(`a phone number as the reference (${number})`, 'Got {amount:money} YER from {reference:reference} thanks', [
      `Got 1500 YER from ${number} thanks`,
      { amount: '1500.00', reference: number },
    ]),
  ),
  refused(
    'the payer’s number as the reference',
    'Got {amount:money} YER from {payer:phone} code {reference:reference} thanks',
    ['Got 1500 YER from 7712345 code 7712345 thanks', { amount: '1500.00', payer: '7712345', reference: '7712345' }],
  ),
  refused(
    'the same number in two payments as the reference',
    'Got {amount:money} YER to {reference:reference} thanks',
    ['Got 1500 YER to 55660011 thanks', { amount: '1500.00', reference: '55660011' }],
    ['Got 2500 YER to 55660011 thanks', { amount: '2500.00', reference: '55660011' }],
  ),
  refused('the amount and the balance exchanged', 'Got {balance:money} YER, now {amount:money} YER.', [
    'Got 1500 YER, now 90000 YER.',
    { amount: '90000.00', balance: '1500.00' },
  ]),
  refused('an amount without a currency', 'Got {amount:money} ref {reference:reference}.', [
    'Got 1500 ref 88001122.',
    { amount: '1500.00', reference: '88001122' },
  ]),
  refused('a reference that may be cut', 'Got {amount:money} YER ref {reference:reference}', [
    'Got 1500 YER ref 88001122',
    { amount: '1500.00', reference: '88001122' },
  ]),
  refused('an amount that may be cut', 'YER got ref {reference:reference} sum {amount:money}', [
    'YER got ref 88001122 sum 1500',
    { amount: '1500.00', reference: '88001122' },
  ]),
  refused('a one-time code', '{what:any} {reference:reference} {rest:any} {amount:money} YER', [
    'code 123456 for 1500 YER',
    { amount: '1500.00', reference: '123456' },
  ]),
  refused('any text', '{any:any} {amount:money} YER {more:any}', ['x 1500 YER y', { amount: '1500.00' }]),
  attack('a template that reads the wallet’s own number as the reference: the number verifies no order', async () => {
    const shop = await ownShop()
    const text = (amount: string, account: string) => `Got ${amount} YER to account ${account} thanks`
    const samples = [{ text: text('1500', '55660012'), expect: { amount: '1500.00', reference: '55660012' } }]
    const published = await publish(shop, {
      sentence: 'Got {amount:money} YER to account {reference:reference} thanks',
      samples,
    })
    if (!published) return undefined
    const intents: string[] = []
    for (const spelled of [shop.account_number, `+967${shop.account_number}`]) {
      const intent = await orderWith(spelled, shop.wallet, '1500.00')
      intents.push(intent.id)
    }
    await shop.sms(text('1500', shop.account_number))
    await shop.sms(text('1500', `00967${shop.account_number}`))
    const stored = await alerts('wallet_id = $1 and amount is not null', [shop.wallet])
    if (stored.some(({ state }) => state === 'duplicate')) return 'a second payment was hidden'
    return atMost(0, intents)
  }),
])

const parts: readonly Attack[] = (() => {
  const whole = (amount: string, number: string) => purchaseText(amount, number, 'علي صالح المثال')
  const cutAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at)]
  const list: Attack[] = []
  for (const arrival of ['head first', 'tail first', 'both in one request', 'interleaved'] as const)
    for (const how of ['before the reference', 'inside the reference', 'after the reference'] as const)
      list.push(
        attack(`parts of two payments mixed: cut ${how}, ${arrival}`, async () => {
          const shop = await newShop()
          const [a, b] = [reference(), reference()]
          const [large, small] = [whole('90000', a), whole('5', b)]
          const at = (text: string, number: string) =>
            text.indexOf(number) +
            (how === 'before the reference' ? 0 : how === 'inside the reference' ? 6 : number.length)
          const [headLarge, tailLarge] = cutAt(large, at(large, a))
          const [headSmall, tailSmall] = cutAt(small, at(small, b))
          const wanted = await orderWith(b, shop.wallet, '90000.00')
          const sent = { sent_at: seconds(), received_at: seconds() }
          // The order has the amount of the large payment and the reference of the small one: no mixture of parts verifies it.
          const mixed = arrival === 'tail first' ? [tailSmall, headLarge] : [headLarge, tailSmall]
          if (arrival === 'both in one request')
            await shop.phone.alerts(mixed.map((text) => shop.phone.report(text, sent)))
          else if (arrival === 'interleaved')
            for (const text of [headLarge, headSmall, tailSmall, tailLarge]) await shop.sms(text, sent)
          else for (const text of mixed) await shop.sms(text, sent)
          return atMost(0, [wanted.id])
        }),
      )
  list.push(
    attack('both halves, then both wholes, each twice: two payments verify two orders', async () => {
      const shop = await newShop()
      const [a, b] = [reference(), reference()]
      const [one, two] = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
      await attach(one.id, a)
      await attach(two.id, b)
      for (const number of [a, b, a, b]) {
        const [head, tail] = cutAt(whole('1500', number), 30)
        await shop.sms(tail)
        await shop.sms(head)
      }
      for (const number of [b, a, a, b]) await shop.sms(whole('1500', number))
      return exactly(2, [one.id, two.id])
    }),
  )
  return list
})()
attacks('parts of messages', parts)

type Post = { readonly body: string; readonly headers?: Record<string, string>; readonly query?: string }
const apps = 'sms-to-url smsgate sms-forwarder text'.split(' ')
/** A payload of a forwarding app. `signs`: it is signed with the phone's key. `pays`: how many orders it must verify. */
const byApp = (
  name: string,
  app: string,
  payload: (text: string) => Post,
  { signs = true, pays = 0 }: { signs?: boolean; pays?: number } = {},
): Attack =>
  attack(`${app}: ${name}`, async () => {
    const shop = await newShop()
    const access = ok(await owner.ask('POST', `/phones/${shop.phone.id}/ingest/`, { body: { app } })).body
    clock.advance(2_000)
    const number = reference()
    const intent = await orderWith(number, shop.wallet, '90000.00')
    const { body, headers = {}, query = '' } = payload(purchaseText('90000', number))
    const stamp = String(seconds())
    const over = app === 'smsgate' ? `${body}${stamp}` : body
    const signature = createHmac('sha256', String(access.signing_key ?? ''))
      .update(over)
      .digest('hex')
    const address = `${origin}${new URL(access.url).pathname}${query}`
    const answer = await askAt(address, 'POST', {
      body: Buffer.from(body),
      headers: { ...(signs ? { 'x-signature': signature, 'x-timestamp': stamp } : {}), ...headers },
    })
    if (answer.status >= 500) return `a fault: ${answer.status}`
    return pays === 0 ? atMost(0, [intent.id]) : exactly(pays, [intent.id])
  })
const json = { 'content-type': 'application/json' }
const smsToUrl = (fields: string) => ({ body: `{${fields}}`, headers: json })
const gate = (payload: string, more = '"id":"e1",') => ({
  body: `{${more}"event":"sms:received","payload":{${payload}}}`,
  headers: json,
})
const quoted = (text: string) => JSON.stringify(text)

attacks('payloads of forwarding apps', [
  byApp('as it is, signed', 'sms-to-url', (t) => smsToUrl(`"from":"Jawali","text":${quoted(t)}`), { pays: 1 }),
  byApp('without its signature', 'sms-to-url', (t) => smsToUrl(`"from":"Jawali","text":${quoted(t)}`), {
    signs: false,
  }),
  byApp('the sender in lower case', 'sms-to-url', (t) => smsToUrl(`"from":"jawali","text":${quoted(t)}`)),
  byApp('the sender in upper case', 'sms-to-url', (t) => smsToUrl(`"from":"JAWALI","text":${quoted(t)}`)),
  byApp('the sender with a space', 'sms-to-url', (t) => smsToUrl(`"from":"Jawali ","text":${quoted(t)}`)),
  byApp('the sender with a Cyrillic letter', 'sms-to-url', (t) => smsToUrl(`"from":"Jаwali","text":${quoted(t)}`)),
  byApp('the sender with an invisible mark', 'sms-to-url', (t) =>
    smsToUrl(`"from":"Jawali\\u200b","text":${quoted(t)}`),
  ),
  byApp('the sender as a list', 'sms-to-url', (t) => smsToUrl(`"from":["Jawali"],"text":${quoted(t)}`)),
  byApp('the sender as an object', 'sms-to-url', (t) => smsToUrl(`"from":{"a":"Jawali"},"text":${quoted(t)}`)),
  byApp('the sender twice, the second is another', 'sms-to-url', (t) =>
    smsToUrl(`"from":"Jawali","from":"Thief","text":${quoted(t)}`),
  ),
  byApp('the text as a list', 'sms-to-url', (t) => smsToUrl(`"from":"Jawali","text":[${quoted(t)}]`)),
  byApp('the text nested', 'sms-to-url', (t) => smsToUrl(`"from":"Jawali","text":{"text":${quoted(t)}}`)),
  byApp('the text twice, the second is another', 'sms-to-url', (t) =>
    smsToUrl(`"from":"Jawali","text":${quoted(t)},"text":"nothing"`),
  ),
  byApp('the whole as a list', 'sms-to-url', (t) => ({
    body: `[{"from":"Jawali","text":${quoted(t)}}]`,
    headers: json,
  })),
  byApp('no sender', 'sms-to-url', (t) => smsToUrl(`"text":${quoted(t)}`)),
  byApp('the sender in __proto__', 'sms-to-url', (t) => smsToUrl(`"__proto__":{"from":"Jawali"},"text":${quoted(t)}`)),
  byApp('as it is, signed', 'smsgate', (t) => gate(`"message":${quoted(t)},"sender":"Jawali","simNumber":1`), {
    pays: 1,
  }),
  byApp('without its signature', 'smsgate', (t) => gate(`"message":${quoted(t)},"sender":"Jawali"`), { signs: false }),
  byApp('a message that the phone sent itself', 'smsgate', (t) => ({
    body: `{"id":"e2","event":"sms:sent","payload":{"message":${quoted(t)},"sender":"Jawali"}}`,
    headers: json,
  })),
  byApp('an event with another case', 'smsgate', (t) => ({
    body: `{"id":"e3","event":"SMS:RECEIVED","payload":{"message":${quoted(t)},"sender":"Jawali"}}`,
    headers: json,
  })),
  byApp('the sender is another, its number is the provider’s', 'smsgate', (t) =>
    gate(`"message":${quoted(t)},"sender":"Thief","phoneNumber":"Jawali"`),
  ),
  byApp('the payload as a text', 'smsgate', (t) => ({
    body: `{"id":"e4","event":"sms:received","payload":${quoted(`{"message":${quoted(t)},"sender":"Jawali"}`)}}`,
    headers: json,
  })),
  byApp('the payload twice', 'smsgate', (t) => ({
    body: `{"event":"sms:received","payload":{"message":${quoted(t)},"sender":"Jawali"},"payload":{"message":"x","sender":"Thief"}}`,
    headers: json,
  })),
  byApp('JSON', 'sms-forwarder', (t) => ({ body: `{"from":"Jawali","text":${quoted(t)}}`, headers: json })),
  byApp('a form', 'sms-forwarder', (t) => ({
    body: new URLSearchParams({ from: 'Jawali', org_content: t }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })),
  byApp('a form with two texts', 'sms-forwarder', (t) => ({
    body: `${new URLSearchParams({ from: 'Jawali', text: 'x' })}&${new URLSearchParams({ org_content: t })}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })),
  byApp('a package that looks like the provider’s', 'sms-forwarder', (t) => ({
    body: `{"from":"Jawali","package":"com.jawali.fake","text":${quoted(t)}}`,
    headers: json,
  })),
  byApp('a text with a sender in the address', 'text', (t) => ({ body: t, query: '?from=Jawali' })),
  byApp('a text with two senders', 'text', (t) => ({ body: t, query: '?from=Thief&from=Jawali' })),
  byApp('a text with a list as sender', 'text', (t) => ({ body: t, query: '?from[]=Jawali' })),
  byApp('a text with the amount in the address', 'text', (t) => ({
    body: t,
    query: '?from=Jawali&amount=90000&trusted=1',
  })),
  ...apps.map((app) => byApp('nothing', app, () => ({ body: '' }))),
  ...apps.map((app) => byApp('deeply nested', app, () => ({ body: '['.repeat(50_000), headers: json }))),
])

/** An order of this amount must be refused; or, with `kept`, be stored with exactly the amount `kept`. */
const amountOf = (amount: unknown, kept?: string): Attack =>
  attack(`an order of ${JSON.stringify(amount)}`, async (): Promise<Breach> => {
    const answer = await ask('POST', '/intents/', { body: { wallet: story.demo.wallets.main, amount } })
    if (answer.status === 400) return kept === undefined ? undefined : `refused: ${answer.text.slice(0, 90)}`
    if (answer.status !== 201) return `${answer.status}`
    return answer.body.payable_amount === kept ? undefined : `kept as ${answer.body.payable_amount}`
  })
attacks('amounts at the edge', [
  ...[0, '0', '0.00', '0.001', '-1', '-0.01', '0x10', ' ', '', null, true, [], {}, ['5'], 'NaN'].map((amount) =>
    amountOf(amount),
  ),
  ...['1.0000000001', '100.005', '0.009', '1000000000000', '999999999999.991', '9'.repeat(40), 'Infinity'].map(
    (amount) => amountOf(amount),
  ),
  ...[
    ['1,500', '1500.00'],
    ['١٥٠٠.٠', '1500.00'],
    ['1 500', '1500.00'],
    ['1_500', '1500.00'],
    ['+5', '5.00'],
    ['٥', '5.00'],
    ['1.5.0', ''],
    ['1٫5', '1.50'],
  ].map(
    ([amount, meant]): Attack =>
      attack(`an order of ${amount}: never another amount`, async () => {
        const answer = await ask('POST', '/intents/', { body: { wallet: story.demo.wallets.main, amount } })
        if (answer.status === 400) return undefined
        return answer.body.payable_amount === meant ? undefined : `kept as ${answer.body.payable_amount}`
      }),
  ),
  amountOf('1e3', '1000.00'),
  amountOf('0.01', '0.01'),
  amountOf('999999999999.99', '999999999999.99'),
  amountOf(0.1, '0.10'),
  ...['0', '0.00', '-1500', '1e3', '1500.001', '01500', '1500.', '.5', '1500.00.00', '999999999999999999'].map(
    (amount): Attack =>
      attack(`a message of ${amount}`, async () => {
        const shop = await newShop()
        const intents = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1000.00')]
        for (const { id } of intents) {
          const number = reference()
          await attach(id, number)
          await shop.sms(purchaseText(amount, number))
        }
        await shop.sms(transferText(amount, '90000.00'))
        return atMost(
          0,
          intents.map(({ id }) => id),
        )
      }),
  ),
])

const alteredReferences: readonly (readonly [string, (number: string) => string])[] = [
  ['the letter O for a zero', (n) => n.replace('0', 'O')],
  ['the letter l for a one', (n) => n.replace('1', 'l')],
  ['a leading zero', (n) => `0${n}`],
  ['a trailing zero', (n) => `${n}0`],
  ['a decimal point', (n) => `${n}.0`],
  ['a plus', (n) => `+${n}`],
  ['a comma inside', (n) => `${n.slice(0, 4)},${n.slice(4)}`],
  ['a dash inside', (n) => `${n.slice(0, 4)}-${n.slice(4)}`],
  ['a combining mark', (n) => `${n}\u0301`],
  ['an enclosing circle', (n) => `${n}\u20dd`],
  ['a Roman numeral', (n) => n.replace('6', 'Ⅵ')],
  ['a percent sign', (n) => `${n.slice(0, -1)}%`],
  ['an underscore, which means any character in SQL', (n) => `${n.slice(0, -1)}_`],
  ['a star', (n) => `${n.slice(0, -1)}*`],
  ['a null character', (n) => `${n}\u0000`],
  ['an unpaired surrogate', (n) => `${n}\ud800`],
  ['the number reversed by a mark', (n) => `\u202e${[...n].reverse().join('')}\u202c`],
  ['a tag character at the end', (n) => `${n}\u{e0031}`],
]
attacks(
  'references that are almost the same',
  alteredReferences.map(
    ([how, spell]): Attack => [
      how,
      async () => {
        const shop = await newShop()
        const number = `1${reference().slice(1)}`
        if (spell(number) === number) return 'the attack changes nothing'
        await shop.sms(purchaseText('1500', number))
        const thief = await order(shop.wallet, '1500.00')
        const answer = await attach(thief.id, spell(number))
        if (answer.status >= 500) return `a fault: ${answer.status}`
        // An invisible mark makes no difference: then the thief's order is verified, and the honest one is refused.
        const buyer = await orderWith(number, shop.wallet, '1500.00')
        return exactly(1, [thief.id, buyer.id])
      },
    ],
  ),
)
