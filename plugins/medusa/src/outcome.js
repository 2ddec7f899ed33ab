/** What Sanad knows of a payment session, read from its API. Nothing is decided by the fields of a webhook. */

/** @import { Sanad } from '@sanad/sdk' */

/**
 * `paid`: all of it is here. `part`: its time ended with a part of it. `wrong`: another amount arrived. `over`: it ended without
 * money. `open`: none of these yet.
 *
 * @typedef {'paid' | 'part' | 'wrong' | 'over' | 'open'} Outcome
 */

/** @typedef {{ outcome: Outcome, arrived: string, status: string, intents: string[], references: string[] }} Reading */

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
    // A wallet with unique amounts asks for a little more or less than the order: the order is paid all the same.
    const whole = data.booked === true ? payable_amount : base_amount
    if (status === 'VERIFIED') return { outcome: 'paid', arrived: whole, ...facts }
    if (status === 'WRONG_AMOUNT') return { outcome: 'wrong', arrived: paid_amount ?? '0.00', ...facts }
    return { outcome: status === 'PENDING' ? 'open' : 'over', arrived: '0.00', ...facts }
  }
  const { status, paid, intents } = await sanad.checkouts.retrieve(id)
  const facts = {
    arrived: paid,
    status,
    intents: intents.map((one) => one.id),
    references: intents.filter((one) => one.status === 'VERIFIED').map((one) => one.reference),
  }
  if (status === 'COMPLETE') return { outcome: 'paid', ...facts }
  if (status === 'OPEN') return { outcome: 'open', ...facts }
  if (paid !== '0.00') return { outcome: 'part', ...facts }
  return { outcome: intents.some((one) => one.status === 'WRONG_AMOUNT') ? 'wrong' : 'over', ...facts }
}
