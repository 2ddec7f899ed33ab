/** When one touch books money to a sale, and when the cashier is asked first. Pure. */
import { isPlainBooking } from '../answer.ts'

type Money = Parameters<typeof isPlainBooking>[0] & {
  readonly id: string
  readonly state: string
  readonly likely: readonly (Parameters<typeof isPlainBooking>[1] & { readonly id: string })[]
}

/**
 * `equal`: how many messages of this amount fit the sale. One touch is enough only if nothing else fits: one message of exactly
 * this amount, no doubt about it, and no other order that may claim it.
 */
export const booksSaleAtOnce = (money: Money, intentId: string, equal: number): boolean => {
  const [only, ...others] = money.likely
  return (
    equal === 1 &&
    money.state === 'waiting' &&
    only?.id === intentId &&
    others.length === 0 &&
    isPlainBooking(money, only)
  )
}
