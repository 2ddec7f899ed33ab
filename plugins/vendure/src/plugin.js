/**
 * `SanadPlugin`: payments into mobile wallets for Vendure.
 *
 *     plugins: [SanadPlugin.init({ baseUrl, clientId, clientSecret, webhookSecret })]
 *
 * It adds the payment method handler `sanad`, a payment state, a route for webhooks, a scheduled task and two operations of the Shop
 * API. The secrets
 * stay in the configuration: none is stored in the database or shown in the administration.
 */

import { Inject } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import { Sanad, webhooks } from '@sanad/sdk'
import {
  ActiveOrderService,
  EventBus,
  Injector,
  Logger,
  OrderStateTransitionEvent,
  PluginCommonModule,
  ScheduledTask,
  VendurePlugin,
} from '@vendure/core'
import { sanadHandler } from './handler.js'
import { SanadPayments } from './payments.js'
import { sanadPaymentProcess } from './process.js'
import { schema, shopResolver } from './shop-api.js'

/**
 * @typedef {{
 *   baseUrl: string,
 *   clientId: string,
 *   clientSecret: string,
 *   webhookSecret: string | readonly string[],
 *   route?: string,
 *   testMode?: boolean,
 *   sanad?: Sanad,
 * }} SanadPluginOptions `route`: where webhooks arrive. `testMode`: money of the test wallet pays orders.
 */

/** An intent is open for an hour. A payment that waits for longer has probably ended, and its event may have been lost. */
const staleAfter_ms = 65 * 60_000

/** @param {SanadPluginOptions} options */
const pluginOf = (options) => {
  const { webhookSecret, route = '/sanad/webhooks', testMode = false } = options
  // A text from the environment, such as "0", would count as true.
  if (typeof testMode !== 'boolean') throw new TypeError('The option testMode must be true or false.')
  const sanad = options.sanad ?? new Sanad(options)
  const origin = new URL(options.baseUrl).origin
  /** @type {SanadPayments | undefined} */
  let payments
  /** @type {Injector | undefined} */
  let injector
  const ready = () => {
    if (payments === undefined) throw new Error('Vendure is still starting.')
    return payments
  }
  const receive = webhooks.express({
    secret: webhookSecret,
    onEvent: (event) => ready().onEvent(event),
    onError: (fault) => Logger.error(`A webhook was refused: ${fault}`, 'SanadPlugin'),
  })
  const refreshTask = new ScheduledTask({
    id: 'sanad-refresh-payments',
    description: 'Reads payments again from Sanad whose webhook may have been lost.',
    schedule: (cron) => cron.every(10).minutes(),
    timeout: 5 * 60_000,
    execute: () => ready().refreshWaiting(staleAfter_ms),
  })
  const resolver = shopResolver({
    sanad,
    testMode,
    payments: ready,
    orders: () => /** @type {Injector} */ (injector).get(ActiveOrderService),
  })

  class SanadPlugin {
    /** @type {{ unsubscribe(): void } | undefined} */
    #cancelled

    /** @param {ModuleRef} moduleRef */
    constructor(moduleRef) {
      this.moduleRef = moduleRef
    }

    onApplicationBootstrap() {
      injector = new Injector(this.moduleRef)
      const sanadPayments = new SanadPayments(injector, sanad, testMode)
      payments = sanadPayments
      const events = injector.get(EventBus).ofType(OrderStateTransitionEvent)
      this.#cancelled = events.subscribe(({ ctx, order, toState }) => {
        if (toState !== 'Cancelled') return
        sanadPayments.cancelWaiting(ctx, order.id).catch((fault) => Logger.error(String(fault), 'SanadPlugin'))
      })
    }

    onApplicationShutdown() {
      this.#cancelled?.unsubscribe()
    }
  }
  Inject(ModuleRef)(SanadPlugin, undefined, 0)
  VendurePlugin({
    imports: [PluginCommonModule],
    compatibility: '^3.7.0',
    shopApiExtensions: { schema, resolvers: [resolver] },
    configuration: (config) => {
      config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), refreshTask]
      config.paymentOptions.paymentMethodHandlers.push(sanadHandler({ sanad, origin, testMode }))
      config.paymentOptions.process = [...(config.paymentOptions.process ?? []), sanadPaymentProcess]
      // Before Vendure's own parser: the signature covers the bytes as they arrived.
      config.apiOptions.middleware.push({
        route,
        handler: /** @type {any} */ (receive),
        beforeListen: true,
      })
      return config
    },
  })(SanadPlugin)
  return { plugin: SanadPlugin, payments: ready }
}

export const SanadPlugin = {
  /** For the list `plugins` of the configuration. @param {SanadPluginOptions} options */
  init: (options) => pluginOf(options).plugin,
  /** The plugin and its payments, for tests and scripts. @param {SanadPluginOptions} options */
  open: pluginOf,
}
