/** The calls of the merchant API of the fake. testing.js finds the call, checks the token and parses the body before. */
import { answer, errorOf, invalid, Keys, notFound } from './answers.js'
import { calls, limits } from './described.js'
import { referenceKey } from './ledger.js'
import { listAnswer, readQuery } from './list.js'
import { orderErrors, readBody, readOrder } from './read-body.js'

/** @import { FakeRequest } from './answers.js' */
/** @import { Draft, Ledger } from './ledger.js' */

/** @param {{ ledger: Ledger, origin: string }} fake */
export const merchantCalls = ({ ledger, origin }) => {
  const keys = new Keys(ledger.now)

  return {
    /** @param {FakeRequest} request */
    listWallets({ query }) {
      const { include_test } = readQuery(calls.listWallets, query).values
      const offered = ledger.wallets.filter(({ state, is_test }) => state === undefined && (include_test || !is_test))
      const sorted = offered.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return answer(
        200,
        sorted.map(({ state: _, sim_slot: __, ...answered }) => answered),
      )
    },

    /** @param {FakeRequest} request */
    createIntent(request) {
      const reading = readOrder(calls.createIntent.body, request.body)
      const id = reading.values.wallet
      const wallet = ledger.wallet(id)
      const isUnknown = id !== undefined && (wallet === undefined || wallet.state === 'closed')
      const unknown = isUnknown ? [errorOf('wallet', 'does_not_exist', { id })] : []
      const keyErrors = keys.errors(request)
      const errors = [...unknown, ...orderErrors(reading, [...unknown, ...keyErrors]), ...keyErrors]
      if (errors.length === 0 && wallet?.state === 'off') errors.push(errorOf('wallet', 'wallet_not_monitored'))
      return keys.answer(request, errors, () => {
        const intent = ledger.create(/** @type {Draft} */ (reading.values))
        return { shown: intent, location: origin + calls.retrieveIntent.path.replace('{id}', intent.id) }
      })
    },

    /** @param {FakeRequest} request */
    listIntents({ query }) {
      const rows = ledger.all().map(({ at, intent }) => {
        const texts = [intent.reference, intent.code, intent.external_order_id]
        return { at, shown: intent, intents: [intent], texts }
      })
      return listAnswer(calls.listIntents, { origin, query, rows })
    },

    /** @param {FakeRequest} request */
    retrieveIntent({ id }) {
      const row = ledger.find(id)
      return row === undefined ? notFound() : answer(200, row.intent)
    },

    /** @param {FakeRequest} request */
    attachReference({ id, body }) {
      const row = ledger.find(id)
      if (row === undefined) return notFound()
      const { values, errors } = readBody(calls.attachReference.body, body)
      if (errors.length > 0) return invalid(errors)
      if (referenceKey(values.reference) === '') return invalid([errorOf('reference', 'blank')])
      const refusal = ledger.attach(row, values.reference)
      if (refusal !== undefined) return invalid([errorOf('reference', refusal, { most: limits.references })])
      return answer(200, row.intent)
    },
  }
}
