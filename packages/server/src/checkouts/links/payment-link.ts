/** A payment link, which a merchant shares. It creates a checkout for each buyer who goes on to pay. Pure. */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'
import type { AccountId, PaymentLinkId, WalletId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Locale } from '../checkout.ts'

export type PaymentLink = {
  readonly accountId: AccountId
  readonly id: PaymentLinkId
  readonly active: boolean
  /** The amount of each payment, or the bounds of the amount that a buyer may pay. */
  readonly price: FixedPrice | OpenPrice
  readonly currency: string
  readonly externalOrderId: string
  readonly description: string
  readonly wallets: readonly WalletId[]
  readonly returnUrl: string
  /** As JSON text. */
  readonly metadata: string
  readonly locale: '' | Locale
  readonly allowRemaining: boolean
  readonly once: boolean
  readonly life_s: number
  readonly createdBy: string
  readonly createdAt: Instant
  readonly funnel: Funnel
}

/** How many buyers reached each step. From `started` on each checkout counts once at each step. */
export type Funnel = {
  /** How many browsers have opened the link. */
  readonly opened: number
  /** How many checkouts the link has created. */
  readonly started: number
  readonly chosen: number
  readonly sent: number
  readonly paid: number
}

export const emptyFunnel: Funnel = { opened: 0, started: 0, chosen: 0, sent: 0, paid: 0 }

export type FixedPrice = { readonly kind: 'fixed'; readonly amount: Minor }
export type OpenPrice = { readonly kind: 'open'; readonly least: Minor; readonly most: Minor }

/** Views are counted by the quarter of an hour: no day of any time zone begins within one. */
export const quarterOf = (at: Instant): Instant => at - (at % (15 * minute_ms))
/** How long these counts are kept. The funnel over days shows at most 31 days. */
export const viewsLife_ms = 40 * day_ms

/** An account has at most so many links. */
export const mostLinks = 1_000

/** The amount that the buyer pays. Undefined: it is not allowed. With a fixed price the amount that was sent is ignored. */
export const priceOf = (link: Pick<PaymentLink, 'price'>, sent: Minor | undefined): Minor | undefined => {
  const { price } = link
  if (price.kind === 'fixed') return price.amount
  return sent !== undefined && sent >= price.least && sent <= price.most ? sent : undefined
}
