/**
 * Reads the outcome of a payment session from Sanad's API. The fields of a webhook decide nothing. Money of the test wallet is no money:
 * unless the shop is in test mode, it counts for nothing here, and so nowhere in the plugin.
 */

/** @import { Intent, Sanad } from '@sanad/sdk' */

/**
 * `paid`: the whole amount has arrived. `part`: the session ended with a part of it. `wrong`: another amount arrived. `test`: only test
 * money arrived. `over`: the session ended without money. `open`: none of these yet.
 *
 * @typedef {'paid' | 'part' | 'wrong' | 'test' | 'over' | 'open'} Outcome
 */

/**
 * `besides`: money on Sanad's page that does not count, because its amount was another one. `test`: test money that was not counted.
 *
 * @typedef {{
 *   outcome: Outcome,
 *   arrived: string,
 *   besides: string,
 *   test: string,
 *   status: string,
 *   intents: string[],
 *   references: string[],
 * }} Reading
 */

/** The status that the plugin shows where only test money arrived. */
const testStatus = 'TEST'

const nothing = '0.00'

/** @param {string} amount */
const toMinor = (amount) => BigInt(amount.replace('.', ''))

/** @param {bigint} minor */
const toText = (minor) => {
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Adds amounts with two decimals, exactly.
 *
 * @param {readonly string[]} amounts
 */
const sumOf = (amounts) => toText(amounts.reduce((sum, amount) => sum + toMinor(amount), 0n))

/** @type {(intent: Pick<Intent, 'wallet'>, testMode: boolean) => boolean} */
export const isUncounted = ({ wallet }, testMode) => wallet.is_test && !testMode

/**
 * What an intent counts for. A wallet with unique amounts asks for a little more or less than the order; what counts then is
 * the amount of the order.
 *
 * @param {{ manual_override: boolean, payable_amount: string, base_amount: string }} intent
 */
export const countedAmount = ({ manual_override, payable_amount, base_amount }) =>
  manual_override ? payable_amount : base_amount

/**
 * @param {Sanad} sanad
 * @param {Record<string, unknown>} data The `data` of the session or of its payment.
 * @param {boolean} testMode
 * @returns {Promise<Reading>}
 */
export const readOutcome = (sanad, data, testMode) =>
  data.sanad === 'intent'
    ? readIntent(sanad, String(data.sanad_id), data.booked === true, testMode)
    : readCheckout(sanad, String(data.sanad_id), testMode)

/** @type {(sanad: Sanad, id: string, isBooked: boolean, testMode: boolean) => Promise<Reading>} */
const readIntent = async (sanad, id, isBooked, testMode) => {
  const intent = await sanad.intents.retrieve(id)
  const { status, reference, base_amount, payable_amount, paid_amount } = intent
  const facts = {
    status,
    besides: nothing,
    test: nothing,
    intents: [id],
    references: reference === '' ? [] : [reference],
  }
  const hasMoney = status === 'VERIFIED' || status === 'WRONG_AMOUNT'
  if (hasMoney && isUncounted(intent, testMode))
    return { outcome: 'test', arrived: nothing, ...facts, status: testStatus, test: paid_amount ?? payable_amount }
  if (status === 'VERIFIED') return { outcome: 'paid', arrived: isBooked ? payable_amount : base_amount, ...facts }
  if (status === 'WRONG_AMOUNT') return { outcome: 'wrong', arrived: paid_amount ?? nothing, ...facts }
  return { outcome: status === 'PENDING' ? 'open' : 'over', arrived: nothing, ...facts }
}

/** @type {(sanad: Sanad, id: string, testMode: boolean) => Promise<Reading>} */
const readCheckout = async (sanad, id, testMode) => {
  const { status, amount, paid, is_test, intents } = await sanad.checkouts.retrieve(id)
  const known = is_test && !testMode ? await readIntents(sanad, intents) : []
  const uncounted = known.filter((intent) => isUncounted(intent, testMode))
  const counted = intents.filter((intent) => !uncounted.some((other) => other.id === intent.id))
  // Some of the page's money may be real: it counts for what it is.
  const real = known.filter((intent) => !isUncounted(intent, testMode))
  const received = uncounted.length === 0 ? paid : sumOf(verifiedOf(real).map(countedAmount))
  // What arrived is a little more than the order with unique amounts, and less if a member has accepted less.
  const arrived = toMinor(received) > toMinor(amount) ? amount : received
  // `paid` counts only what was asked for. Of this nothing was booked: then a part would be paid.
  const besides = sumOf(unbookedOf(counted))
  const facts = {
    arrived,
    besides,
    test: sumOf([...verifiedOf(uncounted).map(countedAmount), ...unbookedOf(uncounted)]),
    status,
    intents: intents.map((intent) => intent.id),
    references: verifiedOf(counted).map((intent) => intent.reference),
  }
  if (status === 'OPEN') return { outcome: 'open', ...facts }
  if (arrived !== nothing) return { outcome: status === 'COMPLETE' && arrived === amount ? 'paid' : 'part', ...facts }
  if (besides !== nothing) return { outcome: 'wrong', ...facts, arrived: besides, besides: nothing }
  if (facts.test !== nothing) return { outcome: 'test', ...facts, status: testStatus }
  return { outcome: 'over', ...facts }
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

/**
 * @template {{ status: string }} T
 * @param {readonly T[]} intents
 */
const verifiedOf = (intents) => intents.filter(({ status }) => status === 'VERIFIED')

/**
 * The amounts that arrived in place of what was asked for and were not booked. A booking is a later intent of what arrived, of the same
 * wallet and without a reference of its own.
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
  const bookings = verifiedOf(intents).filter(({ reference }) => reference === '')
  const amounts = []
  for (const { status, wallet, paid_amount } of intents) {
    if (status !== 'WRONG_AMOUNT' || paid_amount === null) continue
    const booking = bookings.findIndex((one) => one.wallet.id === wallet.id && one.payable_amount === paid_amount)
    if (booking === -1) amounts.push(paid_amount)
    else bookings.splice(booking, 1)
  }
  return amounts
}
