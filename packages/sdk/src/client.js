/** `Sanad`: the merchant API and the checkout API for one API key. */
import { merchantPath, openCalls } from './calls.js'
import { startCheckout } from './checkout.js'
import { checkoutsOf, linksOf } from './checkouts.js'
import { intentsOf } from './intents.js'
import { sleep } from './send.js'

/** @import { SanadOptions, Wallet, Wallets, Intents, OrderCheckout, Checkouts, Links } from '../types/sdk.d.ts' */

const checkoutPath = '/api/v1/checkout'

export class Sanad {
  /** @type {Wallets} */
  wallets
  /** @type {Intents} */
  intents
  /** @type {OrderCheckout} */
  checkout
  /** @type {Checkouts} */
  checkouts
  /** @type {Links} */
  links

  /** @param {SanadOptions} options */
  constructor(options) {
    const callsTo = openCalls(options)
    const call = callsTo(merchantPath)
    this.wallets = {
      async list({ includeTest = false, signal } = {}) {
        const { body } = await call('GET', `/wallets/${includeTest ? '?include_test=1' : ''}`, { signal })
        return /** @type {Wallet[]} */ (body)
      },
    }
    this.intents = intentsOf(call, { now: options.now ?? Date.now, sleep: options.sleep ?? sleep })
    this.checkout = { start: (order) => startCheckout(this, order) }
    this.checkouts = checkoutsOf(callsTo(checkoutPath))
    this.links = linksOf(callsTo(checkoutPath))
  }
}
