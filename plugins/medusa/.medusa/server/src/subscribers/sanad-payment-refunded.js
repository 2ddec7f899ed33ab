/** Medusa records a refund at once, but Sanad moves no money: a message asks the administration to send it from the wallet. */
import { Modules } from '@medusajs/framework/utils'
import { notifyAdmin } from '../../../../src/refresh.js'

/** @param {{ event: { data: { id: string } }, container: any }} input */
export default async function sanadPaymentRefunded({ event, container }) {
  const payment = await container
    .resolve(Modules.PAYMENT)
    .retrievePayment(event.data.id, { relations: ['payment_session'] })
  if (!payment.provider_id.startsWith('pp_sanad_')) return
  const last = payment.data?.refunds?.at(-1)
  if (last === undefined) return
  const session = { id: payment.payment_session?.id, data: payment.data }
  await notifyAdmin(container, 'Send a refund by hand', `${last.amount} YER, from the wallet to the buyer.`, session)
}

export const config = { event: 'payment.refunded', context: { subscriberId: 'sanad-payment-refunded' } }
