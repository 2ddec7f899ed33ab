/** When, and by which phone, a message was reported; and a credit as it is compared with others. Pure. */
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'

export type Moment = {
  readonly sentAt: Instant | null
  readonly phoneReceivedAt: Instant | null
  readonly receivedAt: Instant
}

/** The phone and the app on it that reported a message. */
export type Source = { readonly phoneId: string; readonly adapter: string }

export type CreditReport = Moment & {
  readonly id: string
  /** The entry of the wallet. Entries that were merged had a balance chain each. */
  readonly walletId: string | null
  readonly referenceKey: string | null
  readonly currency: string | null
  readonly payer: string | null
  readonly text: string
  /** The text and the payer were erased after their time: nothing can be compared with them. */
  readonly erased?: boolean
  /** The balance that it shows; null: none. */
  readonly balance: Minor | null
  /** How its balance followed from the one before, when it came. */
  readonly link: Link['kind'] | null
  /** The phone, the app on it, and whether the message came as SMS or as notification. */
  readonly source: Source & { readonly kind: string }
}
