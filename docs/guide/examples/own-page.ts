/** Your own payment page with `checkout.start`: what to show for an order, and what to do with the reference that the buyer types. */
import { type CheckoutRecord, type CheckoutStore, type Intent, memoryStore, Sanad, SanadError } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** Runs a statement on your database and returns its rows: `async (text, values) => (await pool.query(text, values)).rows`. */
type Query = (text: string, values: unknown[]) => Promise<{ record: CheckoutRecord }[]>

/** `create table sanad_checkouts (order_id text primary key, version int not null, record jsonb not null)` */
export const tableStore = (query: Query): CheckoutStore => ({
  get: async (orderId) =>
    (await query('select record from sanad_checkouts where order_id = $1', [orderId]))[0]?.record ?? null,
  // True if the row was written: of two servers at the same moment, one writes it.
  set: async (orderId, record) => {
    const statement =
      record.version === 1
        ? 'insert into sanad_checkouts values ($1, $2, $3) on conflict do nothing returning record'
        : 'update sanad_checkouts set version = $2, record = $3 where order_id = $1 and version = $2 - 1 returning record'
    return (await query(statement, [orderId, record.version, JSON.stringify(record)])).length === 1
  },
})

const store = memoryStore() // For a first try. In your shop: tableStore(...).

export type Order = { id: string; amount: string; wallet: string }

const startPayment = ({ id, amount, wallet }: Order) => sanad.checkout.start({ orderId: id, wallet, amount, store })

/** The buyer opens the payment page. Safe on every visit; after `EXPIRED` or `CANCELLED` it begins a new attempt. */
export const textFor = async (order: Order, markPaid: (order: Order, intent: Intent) => void): Promise<string> => {
  const { state, intent, asked, paid } = await startPayment(order)
  switch (state) {
    case 'pay':
      return `Send exactly ${intent.payable_amount} ${intent.currency} to ${intent.wallet.account_number}.`
    case 'checking': // The reference is attached, the payment was not seen yet.
      return `We are looking for your payment ${intent.reference}.`
    case 'paid':
      // The order was changed while the buyer paid, or a user accepted another amount: a user of the shop decides.
      if (paid !== asked) return `${paid} of ${asked} ${intent.currency} is paid. We will contact you.`
      markPaid(order, intent) // The webhook calls it too.
      return 'Paid. Thank you!'
    case 'wrong_amount': // A user of the shop decides. `again: true` asks for the whole amount once more.
      return `${intent.paid_amount} arrived instead of ${intent.payable_amount}. We will contact you.`
  }
}

/** The buyer has typed the reference. Returns what is wrong with it, or null: then show the page again. */
export const takeReference = async (order: Order, reference: string): Promise<string | null> => {
  const { intent } = await startPayment(order)
  try {
    await sanad.intents.attachReference(intent.id, reference)
    return null
  } catch (fault) {
    if (!(fault instanceof SanadError) || fault.status !== 400) throw fault
    if (fault.has('intent_not_pending')) return null // It has ended meanwhile: the page shows how.
    return fault.has('reference_limit') ? 'Please contact us.' : 'Please check the number.'
  }
}
