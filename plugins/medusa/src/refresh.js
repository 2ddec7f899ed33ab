/**
 * Updates payment sessions of Medusa from Sanad's API. Webhooks, the storefront's reference, a cancelled order and the job
 * all call `refreshSession`, which reads the session from the API: an event that is repeated, lost or late changes nothing.
 * Medusa's locks make work on one session wait for its turn, and Medusa's database takes one payment for each session.
 */
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils'
import { collectedCurrency } from './currency.js'

/** @typedef {Record<string, any>} Data */

const processPayment = 'process-payment-workflow'
/** Seconds to wait for another process that works on the same session. */
const patience_s = 30
/**
 * The job reads at most this many sessions at a time, the oldest first. A page ends after one or two hours, so none waits
 * for long.
 */
const mostAtOnce = 500
/** Older sessions are not read. */
const oldest_ms = 3 * 86_400_000

/** @type {(provider: string) => boolean} */
const isOurs = (provider) => provider.startsWith('pp_sanad_')

/**
 * Reads a session from Sanad and records what has happened. Returns the session; undefined if Medusa has none with this id.
 *
 * @type {(container: any, id: string, context?: Data) => Promise<Data | undefined>}
 */
export const refreshSession = (container, id, context = {}) =>
  container
    .resolve(Modules.LOCKING)
    .execute(`sanad:${id}`, () => refreshLocked(container, id, context), { timeout: patience_s })

/** @type {(container: any, id: string, context: Data) => Promise<Data | undefined>} */
const refreshLocked = async (container, id, context) => {
  const before = await findSession(container, id)
  if (before === undefined) return undefined
  if (!before.payment) {
    const after = await update(container, before, before.amount, context)
    const { outcome, arrived, amount, besides = '0.00', test = '0.00', sanad_id } = after.data
    if (Number(test) > 0) await notifyTest(container, test, `${sanad_id} ${test}`, after)
    // The session is reduced to the amount that arrived; the order asks for the rest.
    if (outcome === 'part') await update(container, after, arrived, {})
    if (outcome === 'paid' || outcome === 'part') {
      await capture(container, id)
      if (await isCancelled(container, before))
        await notifyAdmin(
          container,
          'Money for a cancelled order',
          `${arrived} ${collectedCurrency} arrived: refund it.`,
          after,
        )
    }
    if (outcome === 'part')
      await notifyAdmin(container, 'A part was paid', `${arrived} of ${amount} ${collectedCurrency} arrived.`, after)
    if ((outcome === 'paid' || outcome === 'part') && Number(besides) > 0)
      await notifyAdmin(
        container,
        'Another amount arrived besides',
        `${besides} ${collectedCurrency} arrived besides, in another amount than asked for. Accept or return it in Sanad.`,
        after,
        `sanad besides ${sanad_id} ${besides}`,
      )
    if (outcome === 'wrong' && before.status !== after.status)
      await notifyAdmin(
        container,
        'Another amount arrived',
        `${arrived} ${collectedCurrency} instead of ${amount}. Decide in Sanad.`,
        after,
      )
  }
  const session = await findSession(container, id)
  if (session !== undefined) await addBooked(container, session)
  return findSession(container, id)
}

/**
 * Reads pending sessions again that were created more than `age_ms` ago: the webhook may have been lost. Returns how many.
 *
 * @type {(container: any, age_ms: number, now: number) => Promise<number>}
 */
export const refreshWaiting = async (container, age_ms, now) => {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const payments = container.resolve(Modules.PAYMENT)
  const waiting = await payments.listPaymentSessions(
    {
      status: ['pending', 'pending_authorization'],
      created_at: { $lt: new Date(now - age_ms), $gt: new Date(now - oldest_ms) },
      provider_id: { $like: 'pp_sanad_%' },
    },
    { select: ['id', 'provider_id'], order: { created_at: 'ASC' }, take: mostAtOnce },
  )
  for (const { id } of waiting) {
    await refreshSession(container, id).catch((fault) =>
      logger.error(`The payment session ${id} could not be read: ${fault}`),
    )
  }
  return waiting.length
}

/**
 * Closes the open pages of a cancelled order, so that nobody pays for it.
 *
 * @type {(container: any, orderId: string) => Promise<void>}
 */
export const cancelOrderSessions = async (container, orderId) => {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: 'order',
    fields: ['id', 'payment_collections.payment_sessions.id', 'payment_collections.payment_sessions.provider_id'],
    filters: { id: orderId },
  })
  for (const collection of data[0]?.payment_collections ?? []) {
    for (const { id, provider_id } of collection.payment_sessions ?? []) {
      if (isOurs(provider_id)) await refreshSession(container, id, { sanad_cancel: true })
    }
  }
}

/**
 * Reports test money that was not counted. `key` names it: it is shown once, however often it is read.
 *
 * @type {(container: any, amount: string, key: string, session: Data) => Promise<void>}
 */
export const notifyTest = (container, amount, key, session) => {
  const text = `${amount} ${collectedCurrency} of test money arrived and was not counted, because the option testMode is off.`
  return notifyAdmin(container, 'Test money', text, session, `sanad test ${key}`)
}

/**
 * Shows a message in the administration. A failure is only logged: the log contains the message too. A message with a key is shown once.
 *
 * @type {(container: any, title: string, text: string, session: Data, key?: string) => Promise<void>}
 */
export const notifyAdmin = async (container, title, text, { id, data }, key) => {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const description = `${text} Session ${id}. ${data?.voucher ?? ''}`.trim()
  logger.warn(`Sanad: ${title}. ${description}`)
  try {
    const message = { to: '', channel: 'feed', template: 'admin-ui', data: { title, description } }
    const once = key === undefined ? {} : { idempotency_key: key }
    await container.resolve(Modules.NOTIFICATION).createNotifications({ ...message, ...once })
  } catch (fault) {
    logger.error(`The message could not be shown in the administration: ${fault}`)
  }
}

/** @type {(container: any, id: string) => Promise<Data | undefined>} */
const findSession = async (container, id) => {
  const payments = container.resolve(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions({ id }, { relations: ['payment', 'payment_collection'] })
  return session !== undefined && isOurs(session.provider_id) ? session : undefined
}

/** @type {(container: any, session: Data) => Promise<boolean>} */
const isCancelled = async (container, { payment_collection, payment_collection_id }) => {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: 'order_payment_collection',
    fields: ['order.status'],
    filters: { payment_collection_id: payment_collection?.id ?? payment_collection_id },
  })
  return data.some((/** @type {Data} */ { order }) => order?.status === 'canceled')
}

/** @type {(container: any, session: Data, amount: any, context: Data) => Promise<Data>} */
const update = ({ resolve }, { id, currency_code, data }, amount, context) =>
  resolve(Modules.PAYMENT).updatePaymentSession({ id, amount, currency_code, data, context })

/**
 * Makes the payment, places the order if the cart is not yet an order, and writes the order's transaction.
 *
 * @type {(container: any, session_id: string) => Promise<void>}
 */
const capture = async (container, session_id) => {
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  await engine.run(processPayment, { input: { action: 'captured', data: { session_id } } })
}

/**
 * Money that a member booked in Sanad, after the session's time or with another amount, becomes a payment of its own. So does
 * money for an earlier page or intent of the session.
 *
 * @type {(container: any, session: Data) => Promise<void>}
 */
const addBooked = async (container, session) => {
  const { provider_id, currency_code, payment_collection } = session
  const payments = container.resolve(Modules.PAYMENT)
  const context = { sanad_payments_of: { id: session.id, data: session.data } }
  const found = await payments.listPaymentMethods({ provider_id, context })
  const collection = payment_collection?.id ?? session.payment_collection_id
  for (const { id, data } of found) {
    const others = await payments.listPaymentSessions({ payment_collection_id: collection }, { relations: ['payment'] })
    if (session.data.intents?.includes(id)) continue
    const existing = others.find((/** @type {Data} */ other) => other.data.sanad_id === id)
    if (existing?.payment) continue
    const amount = data.amount
    if (data.test) {
      await notifyTest(container, amount, id, { ...session, data: { voucher: `Intent ${id}.` } })
      continue
    }
    const input = { provider_id, amount, currency_code, context: { sanad_booked: id } }
    const booked = existing ?? (await payments.createPaymentSession(collection, input))
    await capture(container, booked.id)
    await notifyAdmin(container, 'Late money was recorded', `${amount} ${collectedCurrency}.`, booked)
  }
}
