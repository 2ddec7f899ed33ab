/**
 * Moves payment sessions of Medusa by what Sanad says. Webhooks, the storefront's reference, a cancelled order and the job all end in
 * `refreshSession`, which reads the session from Sanad's API: an event that is repeated, lost or late changes nothing. Work on one
 * session is done one after another by Medusa's locks, and Medusa's database takes one payment for each session.
 */
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils'

/** @typedef {Record<string, any>} Data */

const processPayment = 'process-payment-workflow'
/** Seconds to wait for another process that works on the same session. */
const patience_s = 30
/** The job looks at so many sessions at a time, the oldest first: a page ends after an hour, so that none is passed over for long. */
const mostAtOnce = 500
/** Older sessions are left alone. */
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
    const { outcome, arrived, amount } = after.data
    // What arrived is what was paid: the order asks for the rest.
    if (outcome === 'part') await update(container, after, arrived, {})
    if (outcome === 'paid' || outcome === 'part') {
      await capture(container, id)
      if (await isCancelled(container, before))
        await tell(container, 'Money for a cancelled order', `${arrived} YER arrived: refund it.`, after)
    }
    if (outcome === 'part') await tell(container, 'A part was paid', `${arrived} of ${amount} YER arrived.`, after)
    if (outcome === 'wrong' && before.status !== after.status)
      await tell(container, 'Another amount arrived', `${arrived} YER instead of ${amount}. Decide in Sanad.`, after)
  }
  const session = await findSession(container, id)
  if (session !== undefined) await addBooked(container, session)
  return findSession(container, id)
}

/**
 * Sessions without a payment that are older than `age_ms` are read again: the webhook may have been lost.
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
 * An order was cancelled: its open pages are closed, so that nobody pays for nothing.
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
 * A message in the administration. Never a reason to fail: what it says is also in the log.
 *
 * @type {(container: any, title: string, text: string, session: Data) => Promise<void>}
 */
export const tell = async (container, title, text, { id, data }) => {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const description = `${text} Session ${id}. ${data?.voucher ?? ''}`.trim()
  logger.warn(`Sanad: ${title}. ${description}`)
  try {
    const message = { to: '', channel: 'feed', template: 'admin-ui', data: { title, description } }
    await container.resolve(Modules.NOTIFICATION).createNotifications(message)
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
  return data.some((/** @type {Data} */ one) => one.order?.status === 'canceled')
}

/** @type {(container: any, session: Data, amount: any, context: Data) => Promise<Data>} */
const update = ({ resolve }, { id, currency_code, data }, amount, context) =>
  resolve(Modules.PAYMENT).updatePaymentSession({ id, amount, currency_code, data, context })

/** Makes the payment, places the order if the cart is not one yet, and writes the order's transaction. @type {(container: any, session_id: string) => Promise<void>} */
const capture = async (container, session_id) => {
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  await engine.run(processPayment, { input: { action: 'captured', data: { session_id } } })
}

/**
 * Money that a member booked in Sanad, after the session's time or with another amount, becomes a payment of its own.
 *
 * @type {(container: any, session: Data) => Promise<void>}
 */
const addBooked = async (container, session) => {
  const { provider_id, currency_code, payment_collection } = session
  const payments = container.resolve(Modules.PAYMENT)
  const found = await payments.listPaymentMethods({ provider_id, context: { sanad_booked_to: session.id } })
  const collection = payment_collection?.id ?? session.payment_collection_id
  for (const { id, data } of found) {
    const others = await payments.listPaymentSessions({ payment_collection_id: collection }, { relations: ['payment'] })
    if (session.data.intents?.includes(id)) continue
    const known = others.find((/** @type {Data} */ one) => one.data.sanad_id === id)
    if (known?.payment) continue
    const amount = data.amount
    const context = { sanad_booked: id }
    const made =
      known ?? (await payments.createPaymentSession(collection, { provider_id, amount, currency_code, context }))
    await capture(container, made.id)
    await tell(container, 'Late money was booked', `${amount} YER.`, made)
  }
}
