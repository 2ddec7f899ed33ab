/**
 * The outcome of a payment, read from Sanad's API. Money of the test wallet is no money: unless the shop is in test mode, it counts for
 * nothing here, and so nowhere in the plugin.
 */
import { toMinor, toText } from './money.js'

/** @import { Intent, Sanad } from '@sanad/sdk' */
/** @import { Payment } from '@vendure/core' */

/**
 * `paid` when the whole amount has arrived, `part` when it ended with a part of it, `wrong` when it ended and only another amount
 * arrived, `test` when only test money arrived, `over` when it ended without money, `open` otherwise.
 * `besides`: money on Sanad's page that counts for neither, because its amount was another one. `test`: test money that was not counted.
 *
 * @typedef {'paid' | 'part' | 'wrong' | 'test' | 'over' | 'open'} Outcome
 * @typedef {{
 *   outcome: Outcome,
 *   arrived: number,
 *   besides: number,
 *   test: number,
 *   facts: Record<string, unknown>,
 * }} Reading
 */

/** The status that the plugin shows where only test money arrived. */
export const testStatus = 'TEST'

/** @type {(intent: Pick<Intent, 'wallet'>, testMode: boolean) => boolean} */
export const isUncounted = ({ wallet }, testMode) => wallet.is_test && !testMode

/**
 * @param {Sanad} sanad
 * @param {Payment} payment
 * @param {boolean} testMode
 * @returns {Promise<Reading>}
 */
export const readOutcome = (sanad, { transactionId, metadata }, testMode) =>
  metadata.sanad === 'intent'
    ? readIntent(sanad, transactionId, metadata.booked === true, testMode)
    : readCheckout(sanad, transactionId, testMode)

/** @type {(sanad: Sanad, id: string, isBooked: boolean, testMode: boolean) => Promise<Reading>} */
const readIntent = async (sanad, id, isBooked, testMode) => {
  const intent = await sanad.intents.retrieve(id)
  const { status, reference, paid_amount, payable_amount, base_amount } = intent
  const none = { arrived: 0, besides: 0, test: 0 }
  const facts = { status, reference, ...(paid_amount === null ? {} : { arrived: paid_amount }) }
  const hasMoney = status === 'VERIFIED' || status === 'WRONG_AMOUNT'
  if (hasMoney && isUncounted(intent, testMode)) {
    const test = toMinor(paid_amount ?? payable_amount)
    return { outcome: 'test', ...none, test, facts: { status: testStatus, reference, test: toText(test) } }
  }
  // A wallet with unique amounts asks for a little more or less than the order; what counts is the amount of the order.
  if (status === 'VERIFIED')
    return { outcome: 'paid', ...none, arrived: toMinor(isBooked ? payable_amount : base_amount), facts }
  if (status === 'WRONG_AMOUNT') return { outcome: 'wrong', ...none, arrived: toMinor(paid_amount ?? '0.00'), facts }
  return { outcome: status === 'PENDING' ? 'open' : 'over', ...none, facts }
}

/** @type {(sanad: Sanad, id: string, testMode: boolean) => Promise<Reading>} */
const readCheckout = async (sanad, id, testMode) => {
  const checkout = await sanad.checkouts.retrieve(id)
  const whole = toMinor(checkout.amount)
  const known = checkout.is_test && !testMode ? await readIntents(sanad, checkout.intents) : []
  const uncounted = known.filter((intent) => isUncounted(intent, testMode))
  const counted = checkout.intents.filter((intent) => !uncounted.some((other) => other.id === intent.id))
  const test = verifiedOf(uncounted) + unbookedOf(uncounted)
  // Some of the page's money may be real: it counts for what it is.
  const paid =
    uncounted.length === 0
      ? checkout.paid
      : toText(verifiedOf(known.filter((intent) => !isUncounted(intent, testMode))))
  // `paid` is what arrived: a little more than the order with unique amounts, less if a member has accepted less.
  const arrived = Math.min(toMinor(paid), whole)
  const besides = unbookedOf(counted)
  const facts = {
    status: checkout.status,
    arrived: paid,
    intents: checkout.intents.map((intent) => intent.id),
    references: counted.filter(({ status }) => status === 'VERIFIED').map(({ reference }) => reference),
    ...(test === 0 ? {} : { test: toText(test) }),
  }
  const reading = { arrived, besides, test, facts }
  if (checkout.status === 'OPEN') return { outcome: 'open', ...reading }
  if (arrived > 0) return { outcome: checkout.status === 'COMPLETE' && arrived === whole ? 'paid' : 'part', ...reading }
  if (besides > 0)
    return { outcome: 'wrong', arrived: besides, besides: 0, test, facts: { ...facts, arrived: toText(besides) } }
  if (test > 0) return { outcome: 'test', ...reading, facts: { ...facts, status: testStatus } }
  return { outcome: 'over', ...reading }
}

/**
 * The intents with money, as the merchant API has them: only there a wallet says whether it is the test wallet. A checkout has 20 at most.
 *
 * @type {(sanad: Sanad, intents: readonly { id: string, status: string }[]) => Promise<Intent[]>}
 */
const readIntents = async (sanad, intents) => {
  const found = []
  for (const { id, status } of intents)
    if (status === 'VERIFIED' || status === 'WRONG_AMOUNT') found.push(await sanad.intents.retrieve(id))
  return found
}

/** @param {readonly Intent[]} intents */
const verifiedOf = (intents) =>
  intents
    .filter(({ status }) => status === 'VERIFIED')
    .reduce((sum, intent) => sum + toMinor(intent.manual_override ? intent.payable_amount : intent.base_amount), 0)

/**
 * The money of a page that arrived in another amount and was not booked. A booking is a later intent of what arrived, of the same wallet and
 * without a reference of its own.
 *
 * @param {readonly {
 *   status: string,
 *   reference: string,
 *   wallet: { id: string },
 *   payable_amount: string,
 *   paid_amount: string | null,
 * }[]} intents
 */
const unbookedOf = (intents) => {
  const bookings = intents.filter(({ status, reference }) => status === 'VERIFIED' && reference === '')
  let sum = 0
  for (const { status, wallet, paid_amount } of intents) {
    if (status !== 'WRONG_AMOUNT' || paid_amount === null) continue
    const booking = bookings.findIndex((one) => one.wallet.id === wallet.id && one.payable_amount === paid_amount)
    if (booking === -1) sum += toMinor(paid_amount)
    else bookings.splice(booking, 1)
  }
  return sum
}
