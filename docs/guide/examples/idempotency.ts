/** One live payment request for each order, without `checkout.start`: what to store, and when a new attempt begins. */
import { randomUUID } from 'node:crypto'
import { type Intent, Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** What is sent, and its key. */
type Attempt = { key: string; wallet?: string; amount?: string; intentId?: string }
/** In your shop: a row. The attempt is stored before the request is sent, its `intentId` when the answer is there. */
export type Order = { id: string; amount: string; attempt?: Attempt }
type Save = (order: Order) => Promise<void>

const hasEndedUnpaid = ({ status }: Intent): boolean => status === 'EXPIRED' || status === 'CANCELLED'

/** The payment request to show for this order. Safe to call on every visit of the page. */
export const openPayment = async (order: Order, wallet: string, save: Save): Promise<Intent> => {
  if (order.attempt?.intentId !== undefined) {
    const known = await sanad.intents.retrieve(order.attempt.intentId)
    if (known.status === 'PENDING' || known.status === 'VERIFIED') return known // No second request.
    // Late or wrong money that a user has booked is an intent of its own.
    const paid = await paymentOf(order, wallet)
    if (paid !== undefined) return paid
    if (!hasEndedUnpaid(known)) return known // WRONG_AMOUNT: a user decides.
    delete order.attempt
  }
  if (order.attempt === undefined) {
    // A new key for each attempt, never one for the whole order.
    order.attempt = { key: randomUUID(), wallet, amount: order.amount }
    await save(order)
  }
  // The stored request: another wallet or amount with the same key would be refused.
  const { key, wallet: chosen = wallet, amount = order.amount } = order.attempt
  const body = { wallet: chosen, amount, external_order_id: order.id }
  const intent = await sanad.intents.create(body, { idempotencyKey: key })
  order.attempt.intentId = intent.id
  await save(order)
  // The answer to an old attempt was lost, and meanwhile its hour has passed: begin the next.
  return hasEndedUnpaid(intent) ? openPayment(order, wallet, save) : intent
}

/** The first intent that paid the order. Test money does not, unless the order is for the test wallet. */
const paymentOf = async (order: Order, wallet: string): Promise<Intent | undefined> => {
  const verified = { external_order_id: order.id, status: 'VERIFIED', ordering: 'created_at' } as const
  for await (const intent of sanad.intents.list(verified))
    if (!intent.wallet.is_test || intent.wallet.id === wallet) return intent
  return undefined
}
