/**
 * How far an order falls short if money is booked for it: judged on all of the order, so that several steps, or a smaller intent
 * with the same order number, do not get around a limit. The caller holds the locks of the booking.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { firstIdAt } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { sumsOfOrder } from './book-sql.ts'

/** Shops use an order number again on another day. */
export const orderSpan_ms = day_ms

/** `forgiven`: what the booking itself forgives of its intent. `amount`: what arrives with it. */
export const orderShortfall = async (
  tx: Tx,
  scope: Scope,
  order: { readonly externalOrderId: string; readonly currency: string },
  booking: { readonly forgiven: Minor; readonly amount: Minor },
  now: Instant,
): Promise<Minor> => {
  const { forgiven, amount } = booking
  if (order.externalOrderId === '') return forgiven
  const [sums] = await sumsOfOrder(
    tx,
    wholeAccount(scope.accountId),
    order.externalOrderId,
    order.currency,
    firstIdAt(now - orderSpan_ms),
  )
  const short = sums!.asked - sums!.arrived - amount
  return minor(short > forgiven ? short : forgiven)
}
