/** What everybody with the address of a voucher may see. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Status } from '../../intents/intent.ts'

export type PublicVoucher = {
  readonly accountId: AccountId
  readonly shop: { readonly name: string; readonly active: boolean; readonly timeZone: string }
  readonly state: Status
  /** What arrived; null: nothing. */
  readonly arrived: Minor | null
  /** What was asked for. */
  readonly asked: Minor
  readonly currency: string
  readonly order: string
  /** When it got its state. */
  readonly at: Instant
  readonly isTest: boolean
  /** Empty: the message shows none. */
  readonly payer: string
}
