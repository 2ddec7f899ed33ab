/** Compares the shop's orders with Sanad, in both directions, and finds what was paid twice. Run it once a day. */
import { type Intent, Sanad, SanadError } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** `paidBy`: for each order that is paid in the shop's database since then, the id of the intent that paid it. */
export const reconcile = async (since: Date, paidBy: ReadonlyMap<string, string>): Promise<string[]> => {
  const findings: string[] = []
  const verified = new Map<string, string>() // The first intent that paid an order.
  const orderOf = new Map<string, string>() // The order that an intent paid.
  for await (const intent of sanad.intents.list({ created_after: since, ordering: 'created_at', page_size: 100 })) {
    const { id, status, external_order_id: order, payable_amount: amount } = intent
    if (intent.wallet.is_test || order === '') continue // Test money is no money, and a sale without a number is no order of the shop.
    if (status === 'WRONG_AMOUNT') findings.push(`${order}: ${intent.paid_amount} arrived instead of ${amount}`)
    if (status !== 'VERIFIED') continue
    const first = verified.get(order)
    if (first === undefined) verified.set(order, id)
    else findings.push(`${order}: paid twice, by ${first} and ${id}`)
    if (!paidBy.has(order)) findings.push(`${order}: paid by ${id}, and the shop does not know`)
    orderOf.set(id, order)
  }
  for (const [order, id] of paidBy) {
    if (orderOf.get(id) === order) continue
    const why = whyUnpaid(order, await findIntent(id)) // It may be older than `since`.
    if (why !== undefined) findings.push(`${order}: paid in the shop, not in Sanad: ${id} ${why}`)
  }
  return findings
}

const whyUnpaid = (order: string, intent: Intent | undefined): string | undefined => {
  if (intent === undefined) return 'is no intent of this account'
  if (intent.external_order_id !== order) return `is an intent of the order "${intent.external_order_id}"`
  if (intent.wallet.is_test) return 'is on the test wallet'
  return intent.status === 'VERIFIED' ? undefined : `is ${intent.status}`
}

const findIntent = async (id: string): Promise<Intent | undefined> => {
  try {
    return await sanad.intents.retrieve(id)
  } catch (fault) {
    if (fault instanceof SanadError && fault.status === 404) return undefined
    throw fault
  }
}
