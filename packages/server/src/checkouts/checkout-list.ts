/** The filters and the order of a list of checkouts. Pure. */
import { checkoutOrders as fields, type CheckoutOrder as OrderField } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { Scope } from '../core/scope.ts'
import type { CheckoutStatus } from './checkout.ts'

export type CheckoutFilter = {
  readonly scope: Scope
  /** Undefined: every status. */
  readonly statuses: ReadonlySet<CheckoutStatus> | undefined
  readonly externalOrderId: string | undefined
  /** One intent of the checkout has this wallet and this reference. */
  readonly walletId: string | undefined
  readonly reference: string | undefined
  /** Created at or after `from`, and before `until`. */
  readonly from: Instant | undefined
  readonly until: Instant | undefined
  /** Folded words. Each must occur in the order number, the description or the customer. */
  readonly terms: readonly string[]
}

export type CheckoutOrder = OrderField | `-${OrderField}`
export const checkoutOrders: readonly CheckoutOrder[] = fields.flatMap((field) => [field, `-${field}` as const])
