/** Closes the open payment pages of a cancelled order. */
import { cancelOrderSessions } from '../../../../src/refresh.js'

/** @param {{ event: { data: { id: string } }, container: any }} input */
export default async function sanadOrderCanceled({ event, container }) {
  await cancelOrderSessions(container, event.data.id)
}

export const config = { event: 'order.canceled', context: { subscriberId: 'sanad-order-canceled' } }
