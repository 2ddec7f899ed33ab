/**
 * Updates payments of Vendure from Sanad's API. Webhooks, the storefront's reference and the scheduled task all call `refresh`,
 * which reads the object from the API: an event that is repeated, lost or late changes nothing. Work on one order waits for
 * its turn: in this process by a queue, across processes by a lock on the order's row.
 */
import { SanadError } from '@sanad/sdk'
import {
  HistoryService,
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  Payment,
  RequestContextService,
  TransactionalConnection,
} from '@vendure/core'
import { Between, In, LessThan, MoreThan } from 'typeorm'
import { collectedCurrency } from './currency.js'
import { isOnPage } from './handler.js'
import { lockOrder, lockPayment } from './locks.js'
import { toMinor, toText } from './money.js'
import { isUncounted, readOutcome, testStatus } from './outcome.js'
import { awaiting } from './process.js'

/** @import { Sanad, WebhookEvent } from '@sanad/sdk' */
/** @import { ID, Injector, RequestContext } from '@vendure/core' */
/** @import { Reading } from './outcome.js' */

const context = 'SanadPlugin'
/** How many payments the task reads from the database at a time. */
const batch = 50
/**
 * How long after the money could no longer arrive a cancelled payment is read again: the task runs several times in it, so a webhook
 * that was lost is noticed although the service or the shop was down for an hour.
 */
const cancelledFor_ms = 120 * 60_000

export class SanadPayments {
  /** @type {Map<ID, Promise<unknown>>} */
  #running = new Map()

  /**
   * @param {Injector} injector
   * @param {Sanad} sanad
   * @param {boolean} testMode
   */
  constructor(injector, sanad, testMode) {
    this.sanad = sanad
    this.testMode = testMode
    this.connection = injector.get(TransactionalConnection)
    this.orders = injector.get(OrderService)
    this.history = injector.get(HistoryService)
    this.contexts = injector.get(RequestContextService)
  }

  /** @param {WebhookEvent} event */
  async onEvent(event) {
    if (event.event === 'checkout.completed' || event.event === 'checkout.expired') {
      await this.#refreshTransaction(event.checkout_id)
      return
    }
    // All events of an intent: verified, another amount, expired or cancelled.
    if (!('intent_id' in event)) return
    const isKnown = await this.#refreshTransaction(event.intent_id)
    if (isKnown || event.event !== 'payment.verified') return
    if (event.manual_override && event.order_id !== '') await this.#addBooked(event.order_id, event.intent_id)
  }

  /**
   * Reads the payment from Sanad and updates it if something has happened. A payment that was cancelled or declined stays so:
   * if its money arrived, the order gets a note. Returns the state.
   *
   * @param {ID} paymentId
   */
  async refresh(paymentId) {
    const found = await this.#find({ id: paymentId })
    if (found === null) throw new Error(`There is no payment ${paymentId}.`)
    const { order } = found
    return this.#inTurn(order.id, async () => {
      const payment = await this.#find({ id: paymentId })
      if (payment === null || payment.state === 'Settled') return payment?.state
      const isWaiting = /** @type {string} */ (payment.state) === awaiting
      const reading = await readOutcome(this.sanad, payment, this.testMode)
      if (reading.outcome === 'open' || (reading.outcome === 'over' && !isWaiting)) return payment.state
      const ctx = await this.#contextOf(order.id)
      return this.connection.withTransaction(ctx, async (inside) => {
        await lockOrder(this.connection, inside, order.id)
        const locked = await this.connection
          .getRepository(inside, Payment)
          .findOneOrFail({ where: { id: paymentId }, relations: ['order'] })
        if (/** @type {string} */ (locked.state) === awaiting) return this.#move(inside, locked, reading)
        // If the payment waited before, another process was faster: it settled the payment, or cancelled it without money.
        if (locked.state !== 'Settled' && reading.outcome !== 'over') await this.#noteEnded(inside, locked, reading)
        return locked.state
      })
    })
  }

  /**
   * Reads payments again whose webhook may have been lost, or not subscribed to: those that have waited for longer than `age_ms`, and
   * those that were cancelled or declined and whose intent has ended since. Money for a cancelled payment is noted in the order.
   * Returns how many of each were read.
   *
   * @param {number} age_ms
   */
  async refreshWaiting(age_ms) {
    const now = Date.now()
    const due = new Date(now - age_ms)
    const waiting = await this.#refreshAll([awaiting], LessThan(due))
    const ended = await this.#refreshAll(['Cancelled', 'Declined'], Between(new Date(+due - cancelledFor_ms), due))
    return { waiting, ended }
  }

  /** @type {(states: readonly string[], createdAt: import('typeorm').FindOperator<Date>) => Promise<number>} */
  async #refreshAll(states, createdAt) {
    const repository = this.connection.rawConnection.getRepository(Payment)
    let read = 0
    for (let last; ; ) {
      const found = await repository.find({
        where: {
          state: In(/** @type {any} */ (states)),
          createdAt,
          ...(last === undefined ? {} : { id: MoreThan(last) }),
        },
        order: { id: 'ASC' },
        take: batch,
      })
      for (const { id, metadata } of found) {
        last = id
        if (metadata.sanad === undefined) continue
        read++
        await this.refresh(id).catch((fault) => Logger.error(`Payment ${id} could not be read: ${fault}`, context))
      }
      if (found.length < batch) return read
    }
  }

  /**
   * Closes the open pages of a cancelled order, so that nobody pays for it. A payment whose money has arrived is not
   * cancelled but updated, with its note.
   *
   * @type {(ctx: RequestContext, orderId: ID) => Promise<void>}
   */
  async cancelWaiting(ctx, orderId) {
    const payments = await this.orders.getOrderPayments(ctx, orderId)
    for (const { id, state } of payments) {
      if (/** @type {any} */ (state) !== awaiting) continue
      const result = await this.connection.withTransaction(ctx, (inside) => this.orders.cancelPayment(inside, id))
      if (isGraphQlErrorResult(result)) await this.refresh(id)
    }
  }

  /**
   * Attaches a reference to the open payment of an order, for the storefront's own payment page.
   *
   * @type {(orderId: ID, reference: string) => Promise<{ status: string, message: string }>}
   */
  async attachReference(orderId, reference) {
    const payments = await this.connection.rawConnection.getRepository(Payment).find({
      where: { order: { id: orderId } },
    })
    const open = payments.find(
      ({ state, metadata }) => /** @type {any} */ (state) === awaiting && metadata.sanad === 'intent',
    )
    if (open === undefined) return { status: 'NONE', message: 'No payment of this order waits for a reference.' }
    try {
      const intent = await this.sanad.intents.attachReference(open.transactionId, reference)
      if (intent.status !== 'PENDING') await this.refresh(open.id)
      if (intent.status !== 'PENDING' && isUncounted(intent, this.testMode))
        return { status: testStatus, message: 'This is test money: it pays no order.' }
      const arrived =
        intent.paid_amount === null ? '' : `${intent.paid_amount} arrived instead of ${intent.payable_amount}.`
      return { status: intent.status, message: arrived }
    } catch (fault) {
      if (!(fault instanceof SanadError)) throw fault
      if (fault.has('intent_not_pending')) await this.refresh(open.id)
      return { status: 'REFUSED', message: fault.errors[0]?.detail ?? '' }
    }
  }

  /**
   * Returns whether there is such a payment.
   *
   * @param {string} transactionId
   */
  async #refreshTransaction(transactionId) {
    const payment = await this.#find({ transactionId })
    if (payment === null) return false
    await this.refresh(payment.id)
    return true
  }

  /** @type {(ctx: RequestContext, payment: Payment, reading: Reading) => Promise<string>} */
  async #move(ctx, payment, { outcome, arrived, besides, test, facts }) {
    const { order } = payment
    if (test > 0) await this.#noteTest(ctx, order.id, test, payment.metadata.voucher)
    if (outcome === 'paid' || outcome === 'part') {
      // The buyer may have gone back to the basket meanwhile: an order is placed from ArrangingPayment only.
      if (order.state === 'AddingItems') await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment')
      if (outcome === 'part') {
        // The payment is reduced to the amount that arrived; the order asks for the rest.
        await this.connection.getRepository(ctx, Payment).update(payment.id, { amount: arrived })
        await this.#note(
          ctx,
          order.id,
          `${toText(arrived)} of ${toText(payment.amount)} ${collectedCurrency} arrived before the page ended.`,
        )
      }
      const state = this.#stateAfter(await this.orders.settlePayment(ctx, payment.id), payment)
      // The administration hides metadata behind a click; a note is always visible.
      await this.#note(
        ctx,
        order.id,
        `${toText(arrived)} ${collectedCurrency} arrived. Voucher: ${payment.metadata.voucher}`,
      )
      if (besides > 0) {
        await this.#note(
          ctx,
          order.id,
          `${toText(besides)} ${collectedCurrency} arrived besides, in another amount than asked for. Accept or return it in Sanad: ${payment.metadata.voucher}`,
        )
      }
      return state
    }
    if (outcome === 'wrong' || outcome === 'test') {
      const metadata = { ...payment.metadata, ...facts }
      await this.connection.getRepository(ctx, Payment).update(payment.id, { metadata })
      if (outcome === 'wrong') {
        await this.#note(
          ctx,
          order.id,
          `${toText(arrived)} ${collectedCurrency} arrived instead of ${toText(payment.amount)}. Accept or return it in Sanad: ${metadata.voucher}`,
        )
      }
      return this.#stateAfter(await this.orders.transitionPaymentToState(ctx, payment.id, 'Declined'), payment)
    }
    return this.#stateAfter(await this.orders.cancelPayment(ctx, payment.id), payment)
  }

  /**
   * Reports money of a payment that has been cancelled or declined, once: the facts that were noted are in its metadata.
   *
   * @type {(ctx: RequestContext, payment: Payment, reading: Reading) => Promise<void>}
   */
  async #noteEnded(ctx, payment, { outcome, arrived, test, facts }) {
    const { id, state, order } = payment
    const noted = ['status', 'arrived', 'test'].every((name) => payment.metadata[name] === facts[name])
    if (noted) return
    const metadata = { ...payment.metadata, ...facts }
    await this.connection.getRepository(ctx, Payment).update(id, { metadata })
    if (test > 0 && payment.metadata.test !== facts.test) await this.#noteTest(ctx, order.id, test, metadata.voucher)
    if (outcome === 'test') return
    await this.#note(
      ctx,
      order.id,
      `${toText(arrived)} ${collectedCurrency} arrived although the payment is ${state}. Return it, or add a payment by hand: ${metadata.voucher}`,
    )
  }

  /** @type {(result: any, payment: Payment) => string} */
  #stateAfter(result, payment) {
    if (!isGraphQlErrorResult(result)) return result.state
    throw new Error(`Payment ${payment.id} stays ${payment.state}: ${JSON.stringify(result)}`)
  }

  /**
   * Money that a member booked in Sanad's dashboard becomes a settled payment of the order, or a note if the order takes none.
   *
   * @type {(code: string, intentId: string) => Promise<void>}
   */
  async #addBooked(code, intentId) {
    const repository = this.connection.rawConnection.getRepository(Order)
    const order = await repository.findOne({ where: { code }, relations: ['payments'] })
    if (order === null) return
    const intent = await this.#findIntent(intentId)
    // An event that was made up for a test names an intent that does not exist.
    if (intent === undefined) return
    await this.#inTurn(order.id, async () => {
      if ((await this.#find({ transactionId: intentId })) !== null) return
      // The checkout of a page has events of its own.
      if (await isOnPage(this.sanad, order.payments, intentId)) return
      const method = order.payments.find(({ metadata }) => metadata.sanad !== undefined)?.method
      const ctx = await this.#contextOf(order.id)
      await this.connection.withTransaction(ctx, async (inside) => {
        await lockOrder(this.connection, inside, order.id)
        if ((await lockPayment(this.connection, inside, { transactionId: intentId })) !== null) return
        if (isUncounted(intent, this.testMode)) {
          await this.#noteTest(inside, order.id, toMinor(intent.payable_amount), `intent ${intentId}`)
          return
        }
        if (method !== undefined) {
          if (order.state === 'AddingItems') await this.orders.transitionToState(inside, order.id, 'ArrangingPayment')
          const metadata = { sanadIntent: intentId }
          const added = await this.orders.addPaymentToOrder(inside, order.id, { method, metadata })
          if (!isGraphQlErrorResult(added)) return
        }
        await this.#note(
          inside,
          order.id,
          `Money was booked to this order in Sanad, but the order takes no payment in the state ${order.state}: intent ${intentId}.`,
        )
      })
    })
  }

  /** Undefined: the account has no such intent. @param {string} id */
  async #findIntent(id) {
    try {
      return await this.sanad.intents.retrieve(id)
    } catch (fault) {
      if (fault instanceof SanadError && fault.status === 404) return undefined
      throw fault
    }
  }

  /** @param {{ id: ID } | { transactionId: string }} where */
  #find(where) {
    return this.connection.rawConnection.getRepository(Payment).findOne({ where, relations: ['order'] })
  }

  /**
   * A request context of the order's channel with the rights of the administration.
   *
   * @param {ID} orderId
   */
  async #contextOf(orderId) {
    const repository = this.connection.rawConnection.getRepository(Order)
    const order = await repository.findOneOrFail({ where: { id: orderId }, relations: ['channels'] })
    const channel = order.channels.find(({ code }) => code !== '__default_channel__') ?? order.channels[0]
    return this.contexts.create({
      apiType: 'admin',
      ...(channel === undefined ? {} : { channelOrToken: channel.token }),
    })
  }

  /**
   * Reports test money that was not counted, in the log and in the order. An event that is repeated writes no second note: `where` names
   * the page or the intent.
   *
   * @type {(ctx: RequestContext, orderId: ID, amount: number, where: string) => Promise<void>}
   */
  async #noteTest(ctx, orderId, amount, where) {
    const note = `${toText(amount)} ${collectedCurrency} of test money arrived and was not counted, because the option testMode is off: ${where}`
    Logger.warn(`Order ${orderId}: ${note}`, context)
    const { items } = await this.history.getHistoryForOrder(ctx, orderId, false, {
      sort: { createdAt: /** @type {any} */ ('DESC') },
    })
    if (items.every(({ data }) => data.note !== note)) await this.#note(ctx, orderId, note)
  }

  /** @type {(ctx: RequestContext, orderId: ID, note: string) => Promise<void>} */
  async #note(ctx, orderId, note) {
    await this.history.createHistoryEntryForOrder(
      { ctx, orderId, type: /** @type {any} */ ('ORDER_NOTE'), data: { note } },
      false,
    )
  }

  /**
   * Runs the work after all earlier work on the same order.
   *
   * @template T
   * @param {ID} orderId
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #inTurn(orderId, work) {
    const previous = this.#running.get(orderId) ?? Promise.resolve()
    const result = previous.then(work, work)
    const ended = result.catch(() => {})
    this.#running.set(orderId, ended)
    try {
      return await result
    } finally {
      if (this.#running.get(orderId) === ended) this.#running.delete(orderId)
    }
  }
}
