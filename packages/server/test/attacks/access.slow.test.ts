/** Attacks with references, phones, roles and webhook addresses, and races between everything that can resolve an intent. */
import { randomUUID } from 'node:crypto'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Answer, askAt } from '../support/story.ts'
import { type Attack, attack, openAttacks } from './attack-story.ts'

const story = await openAttacks()
const { alerts, atMost, attach, attacks, book, cashier, clock, demo, exactly, manager, newPhone, newShop, ok } = story
const { order, orderWith, origin, owner, reference, seconds, uniqueAmounts, viewer } = story

const shop = await newShop()
const stranger = await newPhone('Not of this wallet')

/** Another spelling of a reference means the same payment: it must not verify a second order. */
const respelled = (spelling: string, spell: (number: string) => string): Attack =>
  attack(`reference: ${spelling}`, async () => {
    const number = `AB${reference()}`
    const [first, second] = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
    await attach(first.id, number)
    await shop.sms(purchaseText('1500', number))
    await attach(second.id, spell(number))
    await shop.sms(purchaseText('1500', number))
    return exactly(1, [first.id, second.id])
  })
const digitsFrom = (zero: number) => (number: string) =>
  number.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)))
attacks('another spelling of a used reference', [
  respelled('unchanged', (number) => number),
  respelled('lower case', (number) => number.toLowerCase()),
  respelled('Arabic digits', digitsFrom(0x660)),
  respelled('Persian digits', digitsFrom(0x6f0)),
  respelled('full-width digits', digitsFrom(0xff10)),
  respelled('mathematical digits', digitsFrom(0x1d7ce)),
  respelled('full-width letters', (number) => number.replace('A', 'Ａ')),
  respelled('spaces', (number) => number.split('').join(' ')),
  respelled('no-break spaces', (number) => number.split('').join('\u00a0')),
  respelled('direction marks', (number) => `\u202e${number}\u202c`),
  respelled('zero-width marks', (number) => number.split('').join('\u200d')),
  respelled('variation selectors', (number) => number.split('').join('\ufe0f')),
  respelled('a byte order mark', (number) => `\ufeff${number}`),
  respelled('a soft hyphen', (number) => `${number.slice(0, 4)}\u00ad${number.slice(4)}`),
  respelled('a Cyrillic letter', (number) => number.replace('A', '\u0410')),
  respelled('a leading zero', (number) => `0${number}`),
  respelled('without the last digit', (number) => number.slice(0, -1)),
])

const malformed = (value: unknown): Attack =>
  attack(`a reference ${JSON.stringify(value)?.slice(0, 40)}`, async () => {
    const intent = await order(shop.wallet, '1500.00')
    const answer = await attach(intent.id, value)
    return answer.status === 500 ? 'a fault' : atMost(0, [intent.id])
  })
attacks(
  'malformed references',
  [
    '',
    ' ',
    '\u200b',
    '\u3164',
    null,
    true,
    [],
    {},
    1e20,
    1.5,
    -1,
    'x'.repeat(129),
    '%',
    '\0',
    '\ud800',
    "' or 1=1 --",
  ].map(malformed),
)

/** A report that is not signed by the wallet's phone, or is sent while the phone is off, must not pay an order. */
const asPhone = (forgery: string, send: (text: string) => Promise<unknown>): Attack =>
  attack(`phone: ${forgery}`, async () => {
    const number = reference()
    const intent = await orderWith(number, shop.wallet, '1500.00')
    await send(purchaseText('1500', number))
    return atMost(0, [intent.id])
  })
const ingest = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(`${origin}/ingest/${path}`, 'POST', { body, headers })
attacks('reports that the wallet’s phone did not sign, or sent while it was off', [
  asPhone('no signature', (text) => shop.sms(text, {}, { signature: '' })),
  asPhone('a signature of zeros', (text) => shop.sms(text, {}, { signature: `v1=${'0'.repeat(64)}` })),
  asPhone('another secret', (text) => shop.sms(text, {}, { secret: 'guess' })),
  asPhone('an empty secret', (text) => shop.sms(text, {}, { secret: '' })),
  asPhone('the secret of another phone', (text) => shop.sms(text, {}, { secret: stranger.secret })),
  asPhone('another phone of the account', (text) => stranger.sms(text)),
  asPhone('the id of another phone', (text) => shop.sms(text, {}, { device: stranger.id })),
  asPhone('another body than the signed one', (text) => shop.sms(text, {}, { signedBody: '{"alerts":[]}' })),
  asPhone('another path', (text) => shop.sms(text, {}, { path: '/api/v1/device/heartbeat' })),
  asPhone('another method', (text) => shop.sms(text, {}, { method: 'GET' })),
  asPhone('a clock ten minutes behind', (text) => shop.sms(text, {}, { timestamp: String(seconds() - 600) })),
  asPhone('a clock ten minutes ahead', (text) => shop.sms(text, {}, { timestamp: String(seconds() + 600) })),
  asPhone('a timestamp that is no number', (text) => shop.sms(text, {}, { timestamp: 'now' })),
  asPhone('a guessed token of an app', (text) =>
    ingest(`text/${'x'.repeat(43)}`, text, { 'content-type': 'text/plain' }),
  ),
  asPhone('the secret as the token of an app', (text) => ingest(`text/${shop.phone.secret}`, text)),
  asPhone('the id as the token of an app', (text) => ingest(`sms-to-url/${shop.phone.id}`, { from: 'Jawali', text })),
  asPhone('a request id that was used before, with another body', async (text) => {
    const requestId = randomUUID()
    await shop.sms('first', { sender: 'Jawali' }, { requestId })
    await shop.sms(text, {}, { requestId })
  }),
  asPhone('a phone that is switched off', async (text) => {
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: false } }))
    clock.advance(2_000)
    await shop.sms(text)
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: true } }))
    clock.advance(2_000)
  }),
])

const forbidden = (role: string, as: typeof owner, method: string, path: string, body: unknown): Attack =>
  attack(`${role}: ${method} ${path}`, async () => {
    const answer = await as.ask(method, path, { body })
    return answer.status === 403 || answer.status === 404 ? undefined : `${answer.status} ${answer.text.slice(0, 80)}`
  })
const ownersOnly: readonly (readonly [string, string, unknown])[] = [
  ['POST', '/phones/', { name: 'Mine' }],
  ['POST', `/phones/${demo.device.id}/pairing/`, undefined],
  ['POST', `/phones/${demo.device.id}/ingest/`, { app: 'sms-to-url' }],
  ['PUT', `/phones/${demo.device.id}/signing-key/`, { signing_key: 'mine' }],
  ['PUT', `/wallets/${demo.wallets.main}/unique-amounts/`, { unique_amounts: 'more', unique_amounts_most: 99 }],
  ['POST', '/webhooks/', { url: 'https://thief.example/', kinds: ['payment.verified'] }],
  ['POST', '/keys/', { name: 'Mine' }],
  ['GET', '/keys/', undefined],
  ['GET', '/members/', undefined],
]
attacks(
  'what only an owner may do',
  ownersOnly
    .flatMap(([method, path, body]) => [
      forbidden('manager', manager, method, path, body),
      forbidden('cashier', cashier, method, path, body),
      forbidden('viewer', viewer, method, path, body),
      // A path without an id would reach the other account's own objects: it reads an unknown intent instead, and writes nothing.
      forbidden(
        'another account',
        story.stranger,
        method,
        path.includes('-') ? path : `/intents/${randomUUID()}/`,
        body,
      ),
    ])
    .filter(([name]) => !/another account: (POST|PUT) \/intents/.test(name)),
)

const webhookTo = (address: string): Attack =>
  attack(`a webhook to ${address}`, async () => {
    const answer = await owner.ask('POST', '/webhooks/', { body: { url: address, kinds: ['payment.verified'] } })
    return answer.status === 400 ? undefined : `${answer.status}`
  })
attacks(
  'webhooks to private addresses',
  [
    ...[
      'http://127.0.0.1/',
      'http://localhost/',
      'http://[::1]/',
      'http://0.0.0.0/',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
    ],
    ...[
      'http://2130706433/',
      'http://0x7f.1/',
      'http://017700000001/',
      'http://[::ffff:127.0.0.1]/',
      'http://192.168.1.1/',
    ],
    ...[
      'http://[fd00::1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://100.64.0.1/',
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'http://①②⑦.0.0.1/',
    ],
  ].map(webhookTo),
)

type Resolver = (intent: { id: string; payable_amount: string }, number: string) => Promise<unknown>
const resolvers: Readonly<Record<string, Resolver>> = {
  alert: ({ payable_amount }, number) => shop.sms(purchaseText(payable_amount, number)),
  reference: ({ id }, number) => attach(id, number),
  booking: async ({ id, payable_amount }, number) => {
    for (const alert of await alerts('reference_key = $1', [number]))
      await book(alert.id, id, { alert_amount: payable_amount, intent_amount: payable_amount })
  },
  cancel: ({ id }) => cashier.ask('POST', `/intents/${id}/cancel/`),
  'another order': async (_, number) => attach((await order(shop.wallet, '1500.00')).id, number),
}
const names = Object.keys(resolvers)
const races = names.flatMap((first, i) =>
  names.slice(i).map(
    (second): Attack =>
      attack(`twenty at once: ${first} and ${second}`, async () => {
        const number = reference()
        const intent = await order(shop.wallet, '1500.00')
        await shop.sms(purchaseText('1500', number))
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => resolvers[n % 2 === 0 ? first : second]!(intent, number)),
        )
        const paid = await story.sql(`select count(*) from intents where reference_key = $1 and status = 'VERIFIED'`, [
          number,
        ])
        const used = await story.sql(
          `select count(*) from intents i join alerts a on a.id = i.alert_id
        where a.reference_key = $1 and i.status = 'VERIFIED'`,
          [number],
        )
        return Number(paid[0]![0]) <= 1 && Number(used[0]![0]) <= 1 ? undefined : `${paid[0]![0]} and ${used[0]![0]}`
      }),
  ),
)
attacks('races', [
  ...races,
  attack('twenty orders for one amount that was paid once', async () => {
    const unique = await newShop()
    await uniqueAmounts(unique.wallet)
    const orders = await Promise.all(Array.from({ length: 20 }, () => order(unique.wallet, '6000.00')))
    const text = transferText(orders[0]!.payable_amount, '90000.00', '770000777')
    await Promise.all(Array.from({ length: 20 }, () => unique.sms(text)))
    return exactly(
      1,
      orders.map(({ id }) => id),
    )
  }),
])
