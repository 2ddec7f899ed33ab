/**
 * What the shop does with each event. An event can come twice, and an old one can come after a newer one: so every function changes the
 * order only if the event's intent is still the one that the order waits for.
 */
import type { WebhookEvent } from '@sanad/sdk'

export type Shop = {
  /**
   * `update orders set paid_by = $intent where id = $order and paid_by is null and amount = $amount`: another amount than that of the order
   * pays nothing, it is a question to a user. The reading and the PATCH call it too.
   */
  markPaid(order: string, intent: string, amount: string): Promise<void>
  /** Tells a user. `insert into questions (intent, paid) values ($intent, $paid) on conflict (intent) do nothing` */
  askUser(order: string, intent: string, paid: string | null): Promise<void>
  /** The buyer may try again. `update orders set open_intent = null where id = $order and open_intent = $intent` */
  release(order: string, intent: string): Promise<void>
}

export const handleEvent = async (shop: Shop, event: WebhookEvent): Promise<void> => {
  switch (event.event) {
    case 'payment.verified':
      // Sanad collects in one currency. If that ever changes, a shop that does not know it must not deliver.
      if (event.currency !== 'YER') return shop.askUser(event.order_id, event.intent_id, null)
      return shop.markPaid(event.order_id, event.intent_id, event.base_amount)
    case 'payment.wrong_amount':
      return shop.askUser(event.order_id, event.intent_id, event.paid_amount)
    case 'payment.expired':
    case 'payment.cancelled':
      return shop.release(event.order_id, event.intent_id)
    default:
    // A kind that this shop does not know, or does not need: it is answered with 2xx like the others.
  }
}
