/** Reads what became of payment requests that are still open in the shop's database. Run it every few minutes. */
import { type Intent, Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

export type Shop = {
  /** The ids of intents that are PENDING as far as the shop knows. */
  openIntents(): Promise<readonly string[]>
  /**
   * The one place where an order becomes paid. Webhooks call it too. It compares `base_amount` and `currency` with the order; outside of tests
   * it refuses `wallet.is_test`.
   */
  markPaid(intent: Intent): Promise<void>
  /** Tells a user of the shop: another amount arrived than was asked for. */
  askUser(intent: Intent): Promise<void>
  /** The buyer may try again. */
  release(intent: Intent): Promise<void>
}

export const readOutcomes = async (shop: Shop): Promise<void> => {
  for (const id of await shop.openIntents()) {
    const intent = await sanad.intents.retrieve(id)
    if (intent.status === 'VERIFIED') await shop.markPaid(intent)
    if (intent.status === 'WRONG_AMOUNT') await shop.askUser(intent)
    if (intent.status === 'EXPIRED' || intent.status === 'CANCELLED') await shop.release(intent)
  }
}
