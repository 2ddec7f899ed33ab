/** The calls of the checkout API of the fake. testing.js finds the call, checks the token and parses the body before. */
import { decimal } from '../amounts.js'
import { answer, errorOf, invalid, Keys, notFound } from './answers.js'
import { calls, limits } from './described.js'
import { listAnswer } from './list.js'
import { orderErrors, outermostFirst, readBody, readOrder } from './read-body.js'

/** @import { Entry, FakeRequest } from './answers.js' */
/** @import { CheckoutDraft, Checkouts, LinkDraft } from './checkouts.js' */

/** @param {{ checkouts: Checkouts, origin: string }} fake */
export const checkoutCalls = ({ checkouts, origin }) => {
  const { ledger } = checkouts
  const keys = new Keys(ledger.now)

  /**
   * @param {readonly string[]} ids
   * @returns {Entry[]}
   */
  const walletErrors = (ids) => {
    if (ids.length === 0) {
      const isOffered = ledger.wallets.some(({ state, is_test }) => state === undefined && !is_test)
      return isOffered ? [] : [errorOf('wallets', 'no_wallet_monitored')]
    }
    return ids.flatMap((id, n) => {
      const wallet = ledger.wallet(id)
      if (wallet === undefined || wallet.state === 'closed') return [errorOf(`wallets.${n}`, 'does_not_exist', { id })]
      return wallet.state === 'off' ? [errorOf(`wallets.${n}`, 'wallet_not_monitored')] : []
    })
  }

  return {
    /** @param {FakeRequest} request */
    createCheckout(request) {
      const reading = readOrder(calls.createCheckout.body, request.body)
      const { wallets = [] } = reading.values
      const [wrongKey, wrongWallets] = [keys.errors(request), walletErrors(wallets)]
      const wrongFields = orderErrors(reading, [...wrongWallets, ...wrongKey])
      const errors = [...outermostFirst([...wrongFields, ...wrongWallets]), ...wrongKey]
      return keys.answer(request, errors, () => {
        const draft = { ...reading.values, wallets: [...new Set(wallets)] }
        const row = checkouts.create(/** @type {CheckoutDraft} */ (draft))
        return { shown: checkouts.show(row), location: origin + calls.retrieveCheckout.path.replace('{id}', row.id) }
      })
    },

    /** @param {FakeRequest} request */
    listCheckouts({ query }) {
      const rows = [...checkouts.rows.values()].map((row) => {
        const shown = checkouts.show(row)
        const texts = [shown.external_order_id, shown.description, shown.customer.name, shown.customer.phone]
        return { at: row.at, shown, intents: shown.intents, texts }
      })
      return listAnswer(calls.listCheckouts, { origin, query, rows, byFirst: true })
    },

    /** @param {FakeRequest} request */
    retrieveCheckout({ id }) {
      const row = checkouts.rows.get(id)
      return row === undefined ? notFound() : answer(200, checkouts.show(row))
    },

    /** @param {FakeRequest} request */
    cancelCheckout({ id }) {
      const row = checkouts.rows.get(id)
      if (row === undefined) return notFound()
      if (checkouts.cancel(row)) return answer(200, checkouts.show(row))
      return invalid([errorOf('non_field_errors', 'checkout_not_open', { status: row.status })])
    },

    /** @param {FakeRequest} request */
    createLink({ body }) {
      const { values, errors } = readBody(calls.createLink.body, body)
      const { amount = null, min_amount, max_amount, wallets = [] } = values
      if (errors.length === 0 && amount === null && min_amount > max_amount)
        errors.push(errorOf('max_amount', 'min_value', { min: decimal(min_amount) }))
      const all = outermostFirst([...errors, ...walletErrors(wallets)])
      if (all.length > 0) return invalid(all)
      const price = amount === null ? { amount } : { amount, min_amount: null, max_amount: null }
      const draft = { ...values, ...price, wallets: [...new Set(wallets)] }
      const row = checkouts.createLink(/** @type {LinkDraft} */ (draft))
      if (row === undefined) return invalid([errorOf('non_field_errors', 'link_limit', { most: limits.links })])
      return answer(201, checkouts.showLink(row))
    },

    /** @param {FakeRequest} request */
    listLinks({ query }) {
      const rows = [...checkouts.links.values()].map((row) => ({ at: row.at, shown: checkouts.showLink(row) }))
      return listAnswer(calls.listLinks, { origin, query, rows: rows.reverse() })
    },

    /** @param {FakeRequest} request */
    retrieveLink({ id }) {
      const row = checkouts.links.get(id)
      return row === undefined ? notFound() : answer(200, checkouts.showLink(row))
    },

    /** @param {FakeRequest} request */
    changeLink({ id, body }) {
      const row = checkouts.links.get(id)
      if (row === undefined) return notFound()
      const { values, errors } = readBody(calls.changeLink.body, body)
      if (errors.length > 0) return invalid(errors)
      row.active = values.active
      return answer(200, checkouts.showLink(row))
    },
  }
}
