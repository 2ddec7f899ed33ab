/** What the intents of one order say about it: is it paid, is a payment being looked for, did another amount arrive. Pure. */
import { decimal, minorOf } from './amounts.js'

/** @import { CreateIntent, Intent } from '../types/sdk.d.ts' */

/**
 * Whether the intent can say anything about its order. One that ended without money cannot.
 *
 * @param {Intent} intent
 */
export const isRelevant = ({ status }) => status !== 'EXPIRED' && status !== 'CANCELLED'

/**
 * The payments of the order, the earliest first, so that repeated calls name the same one.
 *
 * @param {readonly Intent[]} intents
 */
export const paymentsOf = (intents) =>
  intents
    .filter(({ status }) => status === 'VERIFIED')
    .toSorted((a, b) => {
      const [first, second] = [Date.parse(a.verified_at ?? ''), Date.parse(b.verified_at ?? '')]
      return first - second || (a.id < b.id ? -1 : 1)
    })

/**
 * What the payments add up to, in the amounts of the order: on a wallet with unique amounts `payable_amount` differs from them.
 *
 * @param {readonly Intent[]} payments
 */
export const sumOf = (payments) =>
  decimal(payments.reduce((sum, intent) => sum + (minorOf(intent.base_amount) ?? 0n), 0n))

/**
 * An intent whose reference is attached: its payment is being looked for.
 *
 * @param {Intent} intent
 */
export const isChecking = ({ status, reference }) => status === 'PENDING' && reference !== ''

/**
 * Whether two requests ask for the same money in the same wallet. Notes do not matter, nor how an amount is written.
 *
 * @param {CreateIntent} a
 * @param {CreateIntent} b
 */
export const isSameRequest = (a, b) => {
  if (String(a.wallet).toLowerCase() !== String(b.wallet).toLowerCase()) return false
  if ((a.items ?? []).length > 0 || (b.items ?? []).length > 0) return isSame(a.items, b.items)
  return (minorOf(a.amount) ?? a.amount) === (minorOf(b.amount) ?? b.amount)
}

/**
 * Compares two JSON values. The order of fields does not matter: a database may change it.
 *
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
const isSame = (a, b) => {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return left.length === right.length && left.every(([name, value]) => isSame(value, Reflect.get(b, name)))
}
