/**
 * `node bench/kept-values.ts`: what caching a computed value in memory saves. Every such cache has its figure here; a cache that
 * saves too little is removed. Printed: microseconds of processor time for one use with the cached value and with the computed one,
 * and their ratio. No database, no network; about ten seconds.
 */
import { randomFillSync } from 'node:crypto'
import { encode } from 'uqr'
import { v7 } from 'uuid'
import { openTokens } from '../packages/server/src/accounts/sessions/token.ts'
import { systemClock } from '../packages/server/src/core/clock.ts'
import {
  type AccountId,
  type ClientId,
  type IntentId,
  type PhoneId,
  type ProviderId,
  timeOrderedId,
  type WalletId,
  type WalletIdentity,
} from '../packages/server/src/core/ids.ts'
import { minor } from '../packages/server/src/core/money.ts'
import { zoneOf } from '../packages/server/src/core/zone.ts'
import { intentText } from '../packages/server/src/http/merchant/intent-answer.ts'
import { pageWords } from '../packages/server/src/http/pay/page-words.ts'
import { accountCode } from '../packages/server/src/http/pay/pay-help.ts'
import { newIntent } from '../packages/server/src/intents/intent.ts'
import { phoneSecrets } from '../packages/server/src/wallets/phones/phone-secrets.ts'
import type { Wallet } from '../packages/server/src/wallets/wallets/wallet.ts'

const key = new Uint8Array(32).fill(7)
const now = systemClock.now()

const microseconds = async (work: (turn: number) => unknown): Promise<number> => {
  for (let turn = 0; turn < 500; turn++) await work(turn)
  const begun = process.cpuUsage()
  let turns = 0
  for (let spent = 0; spent < 700_000; ) {
    for (let more = 0; more < 200; more++) await work(turns++)
    const { user, system } = process.cpuUsage(begun)
    spent = user + system
  }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / turns
}

const compare = async (what: string, known: (turn: number) => unknown, computed: (turn: number) => unknown) => {
  const [less, more] = [await microseconds(known), await microseconds(computed)]
  console.log(
    `${what.padEnd(44)} ${less.toFixed(2).padStart(8)} ${more.toFixed(2).padStart(8)}   ${(more / less).toFixed(1)}`,
  )
}

console.log(`${''.padEnd(44)} ${'known'.padStart(8)} ${'computed'.padStart(8)}   times`)

const bearer = { typ: 'client', sub: 'client' as ClientId, acc: 'account' as AccountId, generation: 1 } as const
const tokens = openTokens(key)
const token = await tokens.issue(bearer, 3600, now)
const otherTokens = await Promise.all(Array.from({ length: 400 }, () => tokens.issue(bearer, 3600, now)))
const newTokens = () => openTokens(key)
let emptyTokens = newTokens()
await compare(
  'access token (accounts/sessions/token.ts)',
  () => tokens.check(token, now),
  (turn) => {
    if (turn % otherTokens.length === 0) emptyTokens = newTokens()
    return emptyTokens.check(otherTokens[turn % otherTokens.length]!, now)
  },
)

await compare(
  'id of a row (core/ids.ts)',
  () => timeOrderedId<IntentId>(now),
  (turn) => v7({ msecs: now, seq: turn, random: randomFillSync(new Uint8Array(16)) }),
)

const wallet: Wallet = {
  id: '018f0000-0000-7000-8000-000000000001' as WalletId,
  identity: '018f0000-0000-7000-8000-000000000001' as WalletIdentity,
  accountId: 'account' as AccountId,
  name: 'Example wallet',
  accountNumber: '771000001',
  senderName: 'Example',
  currency: 'YER',
  simSlot: '',
  active: true,
  isTest: false,
  phoneId: null,
  phoneOn: true,
  readable: true,
  uniqueAmounts: null,
  version: 1,
  provider: {
    id: '018f0000-0000-7000-8000-000000000002' as ProviderId,
    name: 'example',
    displayName: 'Example',
    themeColor: '#0F5C63',
    logoUrl: '',
    status: 'ACTIVE',
    version: 1,
  },
}
const draft = {
  walletId: wallet.id,
  total: minor(150_000n),
  currency: 'YER',
  externalOrderId: 'order-1',
  notes: '',
  items: '[]',
}
const intent = newIntent(wallet.accountId, draft, 3_600_000, now)
const zone = zoneOf('Asia/Aden')
await compare(
  'answer of an intent (merchant/intent-answer.ts)',
  () => intentText(intent, wallet, zone, now),
  () => intentText(intent, { ...wallet }, zone, now),
)

const secrets = phoneSecrets(key)
const phone = 'phone' as PhoneId
const sealed = secrets.sealSecret(phone, 'x'.repeat(43))
const unsealed = new WeakMap([[sealed, secrets.unsealSecret(phone, sealed)]])
await compare(
  'secret of a phone (device/signed-request.ts)',
  () => unsealed.get(sealed),
  () => secrets.unsealSecret(phone, sealed),
)

await compare(
  'QR code of an account number (pay/pay-help.ts)',
  () => accountCode('771000001', 'Example', pageWords.en),
  () => encode('771000001', { ecc: 'M', border: 4 }),
)
