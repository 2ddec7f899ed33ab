/**
 * The text of an intent is put together by hand; here it is compared with what `JSON.stringify` makes of the same answer as an object,
 * over generated intents: any text, amount, state and time zone. The times are those of `Intl`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountId, AlertId, IntentId, PhoneId, ProviderId, WalletId, WalletIdentity } from '../../core/ids.ts'
import { LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'
import { sharedZone, zoneOf } from '../../core/zone.ts'
import { type Intent, type Item, statuses } from '../../intents/intent.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { intentText, itemsText } from './intent-answer.ts'

const amountText = (amount: Minor): string => {
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than all else here. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
      timeZone: zone,
      timeZoneName: 'longOffset',
    })
  formats.set(zone, format)
  return format
}

/** `2026-01-02T06:04:05.678000+03:00`, part by part as Intl says it. */
const timeText = (zone: string, at: number): string => {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const offset = part.timeZoneName!.replace('GMT', '').replace('\u2212', '-') || '+00:00'
  const date = `${part.year!.padStart(4, '0')}-${part.month}-${part.day}`
  return `${date}T${part.hour}:${part.minute}:${part.second}.${part.fractionalSecond}000${offset}`
}

const answerAsObject = (intent: Intent, wallet: Wallet, items: readonly Item[], zone: string, now: number): object => {
  const { provider } = wallet
  const time = (at: number | null): string | null => (at === null ? null : timeText(zone, at))
  const isOver = intent.status === 'PENDING' && now >= intent.expiresAt
  return {
    id: intent.id,
    code: intent.code,
    external_order_id: intent.externalOrderId,
    reference: intent.reference,
    status: isOver ? 'EXPIRED' : intent.status,
    base_amount: amountText(intent.base),
    payable_amount: amountText(intent.payable),
    paid_amount: intent.paid === null ? null : amountText(intent.paid),
    currency: intent.currency,
    items: items.map(({ name, description, price, quantity }) => ({
      name,
      description,
      price: amountText(price),
      quantity,
      total_price: amountText(minor(price * BigInt(quantity))),
    })),
    notes: intent.notes,
    wallet: {
      id: wallet.id,
      name: wallet.name,
      sender_name: wallet.senderName,
      is_test: wallet.isTest,
      sim_slot: wallet.simSlot,
      account_number: wallet.accountNumber,
    },
    provider: {
      id: provider.id,
      name: provider.name,
      display_name: provider.displayName,
      theme_color: provider.themeColor,
      logo_url: provider.logoUrl,
      provider_status: provider.status,
    },
    expires_at: time(intent.expiresAt),
    created_at: time(intent.createdAt),
    verified_at: time(intent.verifiedAt),
    manual_override: intent.manual,
    collected_manually: intent.manual,
    matched_event:
      intent.matched === null
        ? null
        : {
            id: intent.matched.id,
            amount: amountText(intent.matched.amount ?? minor(0n)),
            sender: intent.matched.sender,
            reference: intent.matched.reference ?? '',
            created_at: time(intent.matched.receivedAt),
          },
    device: intent.matched === null ? null : { id: intent.matched.phone.id, name: intent.matched.phone.name },
    subscription: null,
  }
}

const utc = zoneOf('UTC')

const uuid = <Id extends string>() => fc.uuid() as fc.Arbitrary<unknown> as fc.Arbitrary<Id>
const amount = fc
  .oneof(fc.bigInt({ min: 0n, max: 20_000n }), fc.bigInt({ min: 0n, max: LARGEST_AMOUNT }), fc.constant(LARGEST_AMOUNT))
  .map(minor)
/** Letters of any script, signs that JSON escapes and signs that it does not, marks of direction, halves of surrogate pairs. */
const text = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '/',
      '\b',
      '\f',
      '\n',
      '\r',
      '\t',
      '\u0000',
      '\u001f',
      '\u007f',
      '\u2028',
      '\u2029',
    ),
  }),
  fc.string({
    unit: fc.constantFrom('ط', '١', '\u200f', '\u200e', '\u202b', '\u{1F600}', '\ud83d', '\ude00', '\uffff', '<', 'é'),
  }),
)
/** Zones with summer time, with offsets of half and quarter hours, with offsets of seconds once. */
const zone = fc.constantFrom(
  'Asia/Aden',
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Monrovia',
  'Africa/Casablanca',
  'Pacific/Apia',
)
const instant = fc.oneof(
  fc.integer({ min: Date.parse('1900-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') }),
  // Around the changes of summer time of a year.
  fc
    .constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z')
    .chain((change) => fc.integer({ min: -7_200_000, max: 7_200_000 }).map((beside) => Date.parse(change) + beside)),
)
const item: fc.Arbitrary<Item> = fc.record({
  name: text,
  description: text,
  price: fc.bigInt({ min: 1n, max: 99_999_999n }).map(minor),
  quantity: fc.integer({ min: 1, max: 1_000 }),
})
const wallet: fc.Arbitrary<Wallet> = fc.record({
  id: uuid<WalletId>(),
  identity: uuid<WalletIdentity>(),
  accountId: uuid<AccountId>(),
  name: text,
  accountNumber: text,
  senderName: text,
  currency: fc.constant('YER'),
  simSlot: fc.constantFrom('SIM1' as Wallet['simSlot'], 'SIM2' as Wallet['simSlot']),
  active: fc.boolean(),
  isTest: fc.boolean(),
  phoneId: fc.constant(null),
  phoneOn: fc.boolean(),
  readable: fc.boolean(),
  uniqueAmounts: fc.constant(null),
  version: fc.nat(),
  provider: fc.record({
    id: uuid<ProviderId>(),
    name: text,
    displayName: text,
    themeColor: text,
    logoUrl: text,
    status: fc.constantFrom('ACTIVE', 'INACTIVE', 'MAINTENANCE'),
    version: fc.nat(),
  }),
})
const intent = fc.record({ items: fc.array(item, { maxLength: 3 }), wallet }).chain(({ items, wallet }) =>
  fc
    .record({
      accountId: fc.constant(wallet.accountId),
      id: uuid<IntentId>(),
      walletId: fc.constant(wallet.id),
      code: fc.stringMatching(/^[0-9A-Z]{10}$/),
      status: fc.constantFrom(...statuses),
      base: amount,
      payable: amount,
      paid: fc.option(amount),
      arrival: fc.constant(null),
      currency: fc.constant('YER'),
      externalOrderId: text,
      notes: text,
      items: fc.constant(itemsText(items)),
      reference: text,
      manual: fc.boolean(),
      createdAt: instant,
      expiresAt: instant,
      verifiedAt: fc.option(instant),
      matched: fc.option(
        fc.record({
          id: uuid<AlertId>(),
          amount: fc.option(amount),
          sender: text,
          reference: fc.option(text),
          receivedAt: instant,
          phone: fc.record({ id: uuid<PhoneId>(), name: text }),
        }),
      ),
    })
    .map((made: Intent) => ({ items, wallet, made })),
)

test('property: an intent is written as JSON.stringify writes the same answer, byte by byte', () => {
  fc.assert(
    fc.property(intent, zone, instant, ({ made, items, wallet }, zoneName, now) => {
      const written = intentText(made, wallet, sharedZone(zoneName, utc), now)
      assert.equal(written, JSON.stringify(answerAsObject(made, wallet, items, zoneName, now)))
    }),
    { numRuns: 400 },
  )
})

test('property: two intents of one wallet and one zone do not take over texts of each other', () => {
  const zones = new Map(['Asia/Aden', 'Europe/Berlin'].map((name) => [name, zoneOf(name)]))
  fc.assert(
    fc.property(
      intent,
      fc.array(instant, { minLength: 2, maxLength: 5 }),
      instant,
      ({ made, items, wallet }, times, now) => {
        for (const [name, shared] of zones)
          for (const at of times) {
            const one = { ...made, createdAt: at, expiresAt: at + 3_600_000 }
            assert.equal(
              intentText(one, wallet, shared, now),
              JSON.stringify(answerAsObject(one, wallet, items, name, now)),
            )
          }
      },
    ),
    { numRuns: 100 },
  )
})
