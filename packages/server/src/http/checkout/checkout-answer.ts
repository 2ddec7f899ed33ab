/** A checkout as the JSON that merchants get. Pure; a test compares every answer with the published schema. */
import type { Checkout as CheckoutAnswer } from '@sanad/contract/checkout'
import type { Currency } from '@sanad/contract/currency'
import { type CheckoutIntent, isTestCheckout, receivedOf, stateAt, type WithIntents } from '../../checkouts/checkout.ts'
import type { CheckoutTokens } from '../../checkouts/checkout-token.ts'
import type { Instant } from '../../core/clock.ts'
import { formatMinor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import { statusAt as intentStatusAt } from '../../intents/intent.ts'

/** The path of the buyers' pages. */
export const payBase = '/pay'

const timeIn =
  (zone: Zone) =>
  (at: Instant): string =>
    zone.format(new Date(at))

const intentAnswer = (intent: CheckoutIntent, zone: Zone, now: Instant): CheckoutAnswer['intents'][number] => {
  const time = timeIn(zone)
  return {
    id: intent.id,
    code: intent.code,
    status: intentStatusAt(intent, now),
    wallet: { id: intent.walletId, name: intent.walletName },
    payable_amount: formatMinor(intent.payable),
    paid_amount: intent.paid === null ? null : formatMinor(intent.paid),
    reference: intent.reference,
    created_at: time(intent.createdAt),
    expires_at: time(intent.expiresAt),
    verified_at: intent.verifiedAt === null ? null : time(intent.verifiedAt),
  }
}

export const checkoutAnswer = (
  { checkout, intents }: WithIntents,
  context: { readonly tokens: CheckoutTokens; readonly zone: Zone; readonly origin: string },
  now: Instant,
): CheckoutAnswer => {
  const time = timeIn(context.zone)
  const { status, endedAt } = stateAt(checkout, intents, now)
  return {
    id: checkout.id,
    url: `${context.origin}${payBase}/${context.tokens.of(checkout.accountId, checkout.id)}`,
    status,
    amount: formatMinor(checkout.amount),
    paid: formatMinor(receivedOf(intents).arrived),
    currency: checkout.currency as Currency,
    external_order_id: checkout.externalOrderId,
    description: checkout.description,
    items: JSON.parse(checkout.items),
    wallets: [...checkout.wallets],
    return_url: checkout.returnUrl,
    cancel_url: checkout.cancelUrl,
    metadata: JSON.parse(checkout.metadata),
    customer: { name: checkout.customerName, phone: checkout.customerPhone },
    locale: checkout.locale,
    allow_remaining: checkout.allowRemaining,
    link: checkout.linkId,
    is_test: isTestCheckout(checkout, intents),
    intents: intents.map((intent) => intentAnswer(intent, context.zone, now)),
    expires_at: time(checkout.expiresAt),
    created_at: time(checkout.createdAt),
    ended_at: endedAt === null ? null : time(endedAt),
  }
}
