/** Reads the outcome of a payment session from Sanad's API. The fields of a webhook decide nothing. */

/** @import { Sanad } from '@sanad/sdk' */

/**
 * `paid`: the whole amount has arrived. `part`: the session ended with a part of it. `wrong`: another amount arrived.
 * `over`: the session ended without money. `open`: none of these yet.
 *
 * @typedef {'paid' | 'part' | 'wrong' | 'over' | 'open'} Outcome
 */

/** @typedef {{ outcome: Outcome, arrived: string, status: string, intents: string[], references: string[] }} Reading */

/**
 * Adds amounts with two decimals, exactly.
 *
 * @param {readonly string[]} amounts
 */
const sumOf = (amounts) => {
  const minor = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n)
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * @param {Sanad} sanad
 * @param {Record<string, unknown>} data The `data` of the session or of its payment.
 * @returns {Promise<Reading>}
 */
export const readOutcome = async (sanad, data) => {
  const id = String(data.sanad_id)
  if (data.sanad === 'intent') {
    const { status, reference, base_amount, payable_amount, paid_amount } = await sanad.intents.retrieve(id)
    const references = reference === '' ? [] : [reference]
    const facts = { status, intents: [id], references }
    // A wallet with unique amounts asks for a little more or less than the order; what counts is the amount of the order.
    const orderAmount = data.booked === true ? payable_amount : base_amount
    if (status === 'VERIFIED') return { outcome: 'paid', arrived: orderAmount, ...facts }
    if (status === 'WRONG_AMOUNT') return { outcome: 'wrong', arrived: paid_amount ?? '0.00', ...facts }
    return { outcome: status === 'PENDING' ? 'open' : 'over', arrived: '0.00', ...facts }
  }
  const { status, paid, intents } = await sanad.checkouts.retrieve(id)
  const facts = {
    arrived: paid,
    status,
    intents: intents.map((intent) => intent.id),
    references: intents.filter((intent) => intent.status === 'VERIFIED').map((intent) => intent.reference),
  }
  if (status === 'COMPLETE') return { outcome: 'paid', ...facts }
  if (status === 'OPEN') return { outcome: 'open', ...facts }
  if (paid !== '0.00') return { outcome: 'part', ...facts }
  const wrong = intents.filter((intent) => intent.status === 'WRONG_AMOUNT')
  if (wrong.length === 0) return { outcome: 'over', ...facts }
  // `paid` counts only what was asked for. Nothing of this was booked: then a part would be paid.
  return { outcome: 'wrong', ...facts, arrived: sumOf(wrong.map((intent) => intent.paid_amount ?? '0.00')) }
}
