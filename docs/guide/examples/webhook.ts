/** Receives webhooks with @sanad/sdk. `SANAD_WEBHOOK_SECRET=... PORT=3000 node webhook.ts` */
import { createServer } from 'node:http'
import { type PaymentVerified, webhooks } from '@sanad/sdk'

const { SANAD_WEBHOOK_SECRET = '', SANAD_TEST_MODE = '', PORT = '3000' } = process.env

/** What an order costs. In your shop: `select amount from orders where id = $1`, with two decimals, as Sanad writes amounts. */
const amounts = new Map([
  ['طلبية-1', '1500.00'],
  ['ORDER-1042', '9500.00'],
])
// quick-start.ts makes orders named TRY-...
const amountOf = (order: string): string | undefined => (/^TRY-/.test(order) ? '1500.00' : amounts.get(order))

/** In your shop: `update orders set paid_by = $2 where id = $1 and paid_by is null and amount = $3 and currency = $4`. */
const paidBy = new Map<string, string>()

const markPaid = ({ order_id: order, intent_id: intent, base_amount: amount, currency }: PaymentVerified): void => {
  const due = amountOf(order)
  const before = paidBy.get(order)
  if (due === undefined) {
    console.log(`Order ${order} is not known: ask a user`)
  } else if (amount !== due || currency !== 'YER') {
    console.log(`Order ${order} is not paid: ${amount} ${currency} for ${due} YER, ask a user`)
  } else if (before === undefined) {
    paidBy.set(order, intent)
    console.log(`Order ${order} is paid: ${amount}`)
  } else if (before !== intent) {
    // Otherwise it is the same payment, reported once more.
    console.log(`Order ${order} was paid twice: ${before} and ${intent}`)
  }
}

// It reads the bytes, checks the signature and answers: 204, 400 for a forged request, 500 if `onEvent` throws (it is sent again).
const receive = webhooks.express({
  secret: SANAD_WEBHOOK_SECRET,
  onEvent: (event, { isTest }) => {
    // Events of the test wallet and test sends are signed as well, but no money arrived: they count in test mode only.
    // Kinds that you do not know need no code: they are answered with 204.
    if (isTest && SANAD_TEST_MODE !== '1') return
    if (event.event === 'payment.verified') markPaid(event)
  },
})

// With Express: app.post('/webhooks/sanad', receive), before app.use(express.json()).
createServer(receive).listen(Number(PORT), '127.0.0.1', () => console.log('Listening'))
