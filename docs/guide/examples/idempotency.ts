/** One live payment request for each order, without `checkout.start`: what to store, and when a new attempt begins. */
import { randomUUID } from 'node:crypto'
import { type Intent, Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** In your shop: a row. `key` is stored before the request is sent, `intentId` when its answer is there. */
export type Order = { id: string; amount: string; attempt?: { key: string; intentId?: string } }
type Save = (order: Order) => Promise<void>

const hasEndedUnpaid = ({ status }: Intent): boolean => status === 'EXPIRED' || status === 'CANCELLED'

/** The payment request to show for this order. Safe to call on every visit of the page. */
export const openPayment = async (order: Order, wallet: string, save: Save): Promise<Intent> => {
  if (order.attempt?.intentId !== undefined) {
    const known = await sanad.intents.retrieve(order.attempt.intentId)
    if (!hasEndedUnpaid(known)) return known // PENDING, VERIFIED or WRONG_AMOUNT: no second request.
    delete order.attempt
  }
  if (order.attempt === undefined) {
    order.attempt = { key: randomUUID() } // A new key for each attempt, never one for the whole order.
    await save(order)
  }
  const body = { wallet, amount: order.amount, external_order_id: order.id }
  const intent = await sanad.intents.create(body, { idempotencyKey: order.attempt.key })
  order.attempt.intentId = intent.id
  await save(order)
  // The answer to an old attempt was lost, and meanwhile its hour has passed: begin the next.
  return hasEndedUnpaid(intent) ? openPayment(order, wallet, save) : intent
}
