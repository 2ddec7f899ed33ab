/** Sanad's payment page for one order: make it, send the buyer there, and read what became of it. */
import { randomUUID } from 'node:crypto'
import { type Checkout, Sanad, SanadError } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '', SANAD_TEST_MODE = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/**
 * In your shop: a row. `key` and `asked` are stored before the call, `checkoutId` after it. If two servers can open the page of one order
 * at the same moment, lock the row first (`select ... for update`).
 */
export type Order = { id: string; amount: string; key?: string; asked?: string; checkoutId?: string }
type Save = (order: Order) => Promise<void>

/** Where to send the buyer. An order has one page at a time, whatever answers get lost: called again, it gives the same. */
export const paymentPage = async (order: Order, save: Save): Promise<string> => {
  order.asked ??= order.amount
  if (order.checkoutId !== undefined) {
    const known = await sanad.checkouts.retrieve(order.checkoutId)
    // Open or paid, or money has arrived in another amount: then a user decides.
    const isStillRight =
      known.status === 'COMPLETE' || hasMoney(known) || (isOpen(known) && order.asked === order.amount)
    if (isStillRight || isBeingPaid(known) || !(await hasEnded(known))) return known.url
    if ((await paidFor(order)) > 0n) return known.url // Late money, which a user has booked to the order.
    // A new page needs a new key. The old page is forgotten with the old key, before anything is sent: otherwise each lost answer would be
    // followed by another page.
    delete order.checkoutId
    delete order.key
  }
  if (order.key === undefined) {
    order.key = randomUUID()
    order.asked = order.amount
    await save(order)
  }
  const checkout = await sanad.checkouts.create(
    { amount: order.asked, external_order_id: order.id, return_url: 'https://shop.example.com/thanks' },
    { idempotencyKey: order.key },
  )
  order.checkoutId = checkout.id
  await save(order)
  // A lost answer can be so old that its page has ended, or that the order has another amount now: begin the next.
  const isRight = checkout.status === 'COMPLETE' || (isOpen(checkout) && order.asked === order.amount)
  return isRight ? checkout.url : paymentPage(order, save)
}

/** The buyer came back to `return_url?checkout=...`. Anybody can open that address: only this answer is proof. */
export const isPaid = async (order: Order): Promise<boolean> => {
  if (order.checkoutId === undefined) return false
  const { status, amount, is_test } = await sanad.checkouts.retrieve(order.checkoutId)
  // Money of the test wallet is no money: it counts in test mode only.
  if (is_test && SANAD_TEST_MODE !== '1') return false
  if (status === 'COMPLETE' && minor(amount) === minor(order.amount)) return true
  return (await paidFor(order)) >= minor(order.amount)
}

const isOpen = ({ status }: Checkout): boolean => status === 'OPEN'
const hasMoney = ({ intents }: Checkout): boolean =>
  intents.some(({ status }) => status === 'VERIFIED' || status === 'WRONG_AMOUNT')
const isBeingPaid = ({ status, intents }: Checkout): boolean =>
  status === 'OPEN' && intents.some((intent) => intent.status === 'PENDING' && intent.reference !== '')

/** Ends a page that asks for an amount of yesterday. False: it was paid meanwhile. */
const hasEnded = async ({ id, status }: Checkout): Promise<boolean> => {
  if (status !== 'OPEN') return true
  try {
    await sanad.checkouts.cancel(id)
    return true
  } catch (fault) {
    if (!(fault instanceof SanadError) || !fault.has('checkout_not_open')) throw fault
    return (await sanad.checkouts.retrieve(id)).status !== 'COMPLETE'
  }
}

/** What was paid for the order, on whatever page: late money that a user books is an intent of its own. */
const paidFor = async ({ id }: Order): Promise<bigint> => {
  let sum = 0n
  for await (const intent of sanad.intents.list({ external_order_id: id, status: 'VERIFIED', page_size: 100 }))
    if (!intent.wallet.is_test) sum += minor(intent.base_amount)
  return sum
}

/** An amount as a whole number of its hundredths: 1500.00 is 150000n. */
const minor = (amount: string): bigint => {
  const [whole, part = ''] = amount.split('.')
  return BigInt(`${whole}${part.padEnd(2, '0')}`)
}
