/**
 * An intent, a wallet and a provider as the JSON text that merchants get, field by field in the order of the
 * specification. The text is not built by `JSON.stringify`, because most of it is known beforehand: the part of the wallet
 * is cached until the wallet changes, and the order lines are stored as the text that is sent. A test compares every
 * answer with the published schemas.
 */
import type { Instant } from '../../core/clock.ts'
import { formatMinor, lineTotal, minor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import { type Intent, type Item, type Matched, statusAt } from '../../intents/intent.ts'
import type { Provider, Wallet } from '../../wallets/wallet.ts'

const json = JSON.stringify

/** Every text in which JSON escapes something has one of these: a quotation mark, a backslash, a control character, a single surrogate. */
const maybeEscaped = /["\\\p{Cc}\p{Cs}]/u

/** As `JSON.stringify`, which costs several times as much for a text in which nothing is escaped. */
const text = (value: string): string => (maybeEscaped.test(value) ? json(value) : `"${value}"`)

export const providerAnswer = (provider: Provider) => ({
  id: provider.id,
  name: provider.name,
  display_name: provider.displayName,
  theme_color: provider.themeColor,
  logo_url: provider.logoUrl,
  provider_status: provider.status,
})

export const walletText = (wallet: Wallet): string =>
  json({
    id: wallet.id,
    name: wallet.name,
    account_number: wallet.accountNumber,
    sender_name: wallet.senderName,
    currency: wallet.currency,
    provider: providerAnswer(wallet.provider),
    is_test: wallet.isTest,
  })

/** The part of an answer that is the same for every intent of a wallet. Cached, because an answer then costs about a third. */
const walletParts = new WeakMap<Wallet, string>()

const walletPart = (wallet: Wallet): string => {
  const cached = walletParts.get(wallet)
  if (cached !== undefined) return cached
  const inIntent = {
    id: wallet.id,
    name: wallet.name,
    sender_name: wallet.senderName,
    is_test: wallet.isTest,
    sim_slot: wallet.simSlot,
    account_number: wallet.accountNumber,
  }
  const part = `"wallet":${json(inIntent)},"provider":${json(providerAnswer(wallet.provider))}`
  walletParts.set(wallet, part)
  return part
}

export const itemsText = (items: readonly Item[]): string =>
  json(
    items.map(({ name, description, price, quantity }) => ({
      name,
      description,
      price: formatMinor(price),
      quantity,
      total_price: formatMinor(lineTotal(price, quantity)),
    })),
  )

const time = (zone: Zone, at: Instant): string => `"${zone.format(new Date(at))}"`

export const intentText = (intent: Intent, wallet: Wallet, zone: Zone, now: Instant): string => {
  const payable = formatMinor(intent.payable)
  return (
    `{"id":"${intent.id}","code":"${intent.code}","external_order_id":${text(intent.externalOrderId)},` +
    `"reference":${text(intent.reference)},"status":"${statusAt(intent, now)}",` +
    `"base_amount":"${intent.base === intent.payable ? payable : formatMinor(intent.base)}",` +
    `"payable_amount":"${payable}",` +
    `"paid_amount":${intent.paid === null ? 'null' : `"${formatMinor(intent.paid)}"`},` +
    `"currency":"${intent.currency}","items":${intent.items},"notes":${text(intent.notes)},${walletPart(wallet)},` +
    `"expires_at":${time(zone, intent.expiresAt)},"created_at":${time(zone, intent.createdAt)},` +
    `"verified_at":${intent.verifiedAt === null ? 'null' : time(zone, intent.verifiedAt)},` +
    `"manual_override":${intent.manual},"collected_manually":${intent.manual},` +
    `${matchedPart(intent.matched, zone)},"subscription":null}`
  )
}

const matchedPart = (matched: Matched | null, zone: Zone): string =>
  matched === null
    ? '"matched_event":null,"device":null'
    : `"matched_event":{"id":"${matched.id}","amount":"${formatMinor(matched.amount ?? minor(0n))}",` +
      `"sender":${text(matched.sender)},"reference":${text(matched.reference ?? '')},` +
      `"created_at":${time(zone, matched.receivedAt)}},` +
      `"device":{"id":"${matched.phone.id}","name":${text(matched.phone.name)}}`
