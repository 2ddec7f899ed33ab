/** Compares the shop's orders with Sanad: what was paid and not noticed, and what was paid twice. Run it once a day. */
import { Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** `paidBy`: for each order that is paid in the shop's database, the id of the intent that paid it. */
export const reconcile = async (since: Date, paidBy: ReadonlyMap<string, string>): Promise<string[]> => {
  const findings: string[] = []
  const verified = new Map<string, string>()
  // Every status: an intent that changes its status while you page would move the others to another page.
  for await (const intent of sanad.intents.list({ created_after: since, ordering: 'created_at', page_size: 100 })) {
    const { id, status, external_order_id: order, payable_amount: amount } = intent
    if (status === 'WRONG_AMOUNT') findings.push(`${order}: ${intent.paid_amount} arrived instead of ${amount}`)
    if (status !== 'VERIFIED') continue
    const first = verified.get(order)
    if (first === undefined) verified.set(order, id)
    else findings.push(`${order}: paid twice, by ${first} and ${id}`)
    if (!paidBy.has(order)) findings.push(`${order}: paid by ${id}, and the shop does not know`)
  }
  return findings
}
