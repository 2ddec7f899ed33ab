/** `sanad.checkouts` and `sanad.links`: pages of Sanad on which buyers pay. Amounts are texts all the way. */
import { adviceOf, keyHeader, pathOf, requireTextAmounts } from './arguments.js'
import { SanadError } from './errors.js'
import { everyPage, queryOf } from './pages.js'

/** @import { Checkout, CheckoutPage, Checkouts, Links, PaymentLink, PaymentLinkPage } from '../types/sdk.d.ts' */
/** @import { Call } from './calls.js' */

/**
 * @param {Call} call
 * @returns {Checkouts}
 */
export const checkoutsOf = (call) => {
  /** @param {string} id */
  const pathTo = (id) => pathOf('/sessions/', id, 'a checkout')

  /** @type {Checkouts['retrieve']} */
  const retrieve = async (id, { signal } = {}) =>
    /** @type {Checkout} */ ((await call('GET', pathTo(id), { signal })).body)

  return {
    retrieve,

    async create(body, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
      requireTextAmounts(body, ['amount'])
      const headers = keyHeader(idempotencyKey)
      const advice = adviceOf('checkout', idempotencyKey)
      const { body: created, header } = await call('POST', '/sessions/', { body, headers, signal, advice })
      const checkout = /** @type {Checkout} */ (created)
      // A replay is the stored answer: meanwhile the checkout may be paid or expired.
      return header('idempotent-replayed') === null ? checkout : retrieve(checkout.id, { signal })
    },

    list: (filter = {}, { signal } = {}) => everyPage(call, '/sessions/', filter, { byTime: true, signal }),

    page: async (filter = {}, { signal } = {}) =>
      /** @type {CheckoutPage} */ ((await call('GET', `/sessions/${queryOf(filter)}`, { signal })).body),

    async cancel(id, { signal } = {}) {
      try {
        return /** @type {Checkout} */ ((await call('POST', `${pathTo(id)}cancel/`, { signal })).body)
      } catch (fault) {
        if (!(fault instanceof SanadError) || !fault.has('checkout_not_open')) throw fault
        // The answer of an earlier attempt may have been lost.
        const checkout = await retrieve(id, { signal })
        if (checkout.status === 'CANCELLED') return checkout
        throw fault
      }
    },
  }
}

const linkAdvice =
  'The payment link may exist all the same: before you create it again, look for it with links.list(), newest first. ' +
  'If it is there twice, switch one off with links.update(id, { active: false }).'

/**
 * @param {Call} call
 * @returns {Links}
 */
export const linksOf = (call) => {
  /** @param {string} id */
  const pathTo = (id) => pathOf('/links/', id, 'a payment link')
  return {
    async create(body, { signal } = {}) {
      requireTextAmounts(body, ['amount', 'min_amount', 'max_amount'])
      // The service keeps no key for links: if it were sent again after a lost answer, there would be two links.
      const { body: created } = await call('POST', '/links/', { body, signal, isRepeatable: false, advice: linkAdvice })
      return /** @type {PaymentLink} */ (created)
    },

    retrieve: async (id, { signal } = {}) =>
      /** @type {PaymentLink} */ ((await call('GET', pathTo(id), { signal })).body),

    // An account has 1000 links at most: all ids are remembered.
    list: (options = {}, { signal } = {}) => everyPage(call, '/links/', options, { byTime: false, signal }),

    page: async (options = {}, { signal } = {}) =>
      /** @type {PaymentLinkPage} */ ((await call('GET', `/links/${queryOf(options)}`, { signal })).body),

    update: async (id, changes, { signal } = {}) =>
      /** @type {PaymentLink} */ ((await call('PATCH', pathTo(id), { body: changes, signal })).body),
  }
}
