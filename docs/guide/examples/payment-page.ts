/** Sanad's payment page for one order: make it, send the buyer there, and read what became of it. */
import { randomUUID } from 'node:crypto'
import { Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '', SANAD_TEST_MODE = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** In your shop: a row. `key` is stored before the call, `checkoutId` after it. */
export type Order = { id: string; amount: string; key?: string; checkoutId?: string }
type Save = (order: Order) => Promise<void>

/** Where to send the buyer. Called again, it gives the same page while that is open. */
export const paymentPage = async (order: Order, save: Save): Promise<string> => {
  if (order.checkoutId !== undefined) {
    const known = await sanad.checkouts.retrieve(order.checkoutId)
    if (known.status === 'OPEN' || known.status === 'COMPLETE') return known.url
    delete order.key // EXPIRED or CANCELLED: a new page, with a new key.
  }
  order.key ??= randomUUID()
  await save(order)
  const checkout = await sanad.checkouts.create(
    { amount: order.amount, external_order_id: order.id, return_url: 'https://shop.example.com/thanks' },
    { idempotencyKey: order.key },
  )
  order.checkoutId = checkout.id
  await save(order)
  return checkout.url
}

/** The buyer came back to `return_url?checkout=...`. Anybody can open that address: only this answer is proof. */
export const isPaid = async (order: Order): Promise<boolean> => {
  if (order.checkoutId === undefined) return false
  const { status, is_test } = await sanad.checkouts.retrieve(order.checkoutId)
  // Money of the test wallet is no money: it counts in test mode only.
  return status === 'COMPLETE' && (!is_test || SANAD_TEST_MODE === '1')
}
