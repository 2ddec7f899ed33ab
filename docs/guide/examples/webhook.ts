/** Receives webhooks with @sanad/sdk. `SANAD_WEBHOOK_SECRET=... PORT=3000 node webhook.ts` */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verifyWebhook, WebhookError } from '@sanad/sdk'

const { SANAD_WEBHOOK_SECRET = '', PORT = '3000' } = process.env

/** In your shop this is a column of the orders: `update orders set paid_by = $2 where id = $1 and paid_by is null`. */
const paidBy = new Map<string, string>()

const markPaid = (order: string, intent: string, amount: string): void => {
  const before = paidBy.get(order)
  if (before === undefined) {
    paidBy.set(order, intent)
    console.log(`Order ${order} is paid: ${amount}`)
  } else if (before !== intent) {
    // Otherwise it is the same payment, reported once more.
    console.log(`Order ${order} was paid twice: ${before} and ${intent}`)
  }
}

const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = await verifyWebhook(
      Buffer.concat(chunks),
      request.headers['x-service-signature'],
      SANAD_WEBHOOK_SECRET,
    )
    // A test send from the dashboard is signed as well, but no money arrived. Kinds that you do not know: answer 2xx.
    const isTest = request.headers['x-service-test'] !== undefined
    if (event.event === 'payment.verified' && !isTest) markPaid(event.order_id, event.intent_id, event.amount)
    response.writeHead(204).end()
  } catch (fault) {
    console.error(String(fault))
    response.writeHead(fault instanceof WebhookError ? 400 : 500).end()
  }
}

createServer(receive).listen(Number(PORT), '127.0.0.1', () => console.log('Listening'))
