/** Receives webhooks with @sanad/sdk. `SANAD_WEBHOOK_SECRET=... PORT=3000 node webhook.ts` */
import { createServer } from 'node:http'
import { type PaymentVerified, webhooks } from '@sanad/sdk'

const { SANAD_WEBHOOK_SECRET = '', PORT = '3000' } = process.env

/** In your shop this is the table of orders. Amounts with two decimals, as Sanad writes them. */
const orders = new Map([
  ['طلبية-1', { amount: '1500.00', currency: 'YER', paidBy: '' }],
  ['ORDER-1042', { amount: '9500.00', currency: 'YER', paidBy: '' }],
])

/** In your shop: `update orders set paid_by = $2 where id = $1 and paid_by is null and amount = $3 and currency = $4`. */
const markPaid = ({ order_id: id, intent_id: intent, base_amount: amount, currency }: PaymentVerified): void => {
  const order = orders.get(id)
  if (order === undefined) {
    console.log(`Order ${id} is not known: ask a user`)
  } else if (order.amount !== amount || order.currency !== currency) {
    console.log(`Order ${id} is not paid: ${amount} ${currency} for ${order.amount} ${order.currency}, ask a user`)
  } else if (order.paidBy === '') {
    order.paidBy = intent
    console.log(`Order ${id} is paid: ${amount}`)
  } else if (order.paidBy !== intent) {
    // Otherwise it is the same payment, reported once more.
    console.log(`Order ${id} was paid twice: ${order.paidBy} and ${intent}`)
  }
}

// It reads the bytes, checks the signature and answers: 204, 400 for a forged request, 500 if `onEvent` throws (it is sent again).
const receive = webhooks.express({
  secret: SANAD_WEBHOOK_SECRET,
  onEvent: (event, { isTest }) => {
    // A test send is signed as well, but no money arrived. Kinds that you do not know need no code: they are answered with 204.
    if (event.event === 'payment.verified' && !isTest) markPaid(event)
  },
})

// With Express: app.post('/webhooks/sanad', receive), before app.use(express.json()).
createServer(receive).listen(Number(PORT), '127.0.0.1', () => console.log('Listening'))
