/** Sales at the counter: a checkout whose intent is made at once, in the wallet that the cashier chose. */
import { Type } from 'typebox'
import { sentAmount, withDefault } from '../../body.ts'
import { operation } from '../../operation.ts'
import { id } from '../../scalars.ts'
import { replayed } from '../answer-headers.ts'
import { ShownCheckout } from './checkouts.ts'

const wallet = id('The wallet that the buyer pays into.')

export const NewSale = Type.Object(
  {
    amount: sentAmount('What to collect, from 0.01 to 999999999999.99.', '0.01'),
    external_order_id: withDefault(
      Type.String({ maxLength: 128, description: 'The order number, if there is one.' }),
      '',
    ),
    wallet: Type.Optional(wallet),
  },
  { description: 'A sale to start.' },
)

const tag = 'Checkouts'

export const startSale = operation({
  id: 'startSale',
  method: 'POST',
  path: '/counter/sales/',
  access: 'checkouts.write',
  tag,
  summary: 'Start a sale at the counter',
  description:
    'Makes a checkout and its intent together: the exact amount to pay is known at once, and the page of the checkout shows the ' +
    'same intent. Without `wallet` the only real wallet that can collect is taken; where there are several, or none, the answer ' +
    'is 400, and the testing wallet is never taken by itself. The header `SERVICE-IDEMPOTENCY-KEY` makes repeating safe ' +
    '(`Idempotent-Replayed: true` says that it was a repetition); the answer is the sale as it is now.',
  headers: {
    'SERVICE-IDEMPOTENCY-KEY': {
      description: 'Chosen by you, one for each sale: a repeated call with it gets the first sale.',
      schema: Type.String({ minLength: 1, maxLength: 128 }),
    },
  },
  body: NewSale,
  example: { amount: '1500.00', wallet: '{wallet}' },
  status: 201,
  refusals: { 409: 'A call with the same key is under way. Repeat it in a moment.' },
  answer: ShownCheckout,
  answerHeaders: replayed,
})

export const chooseSaleWallet = operation({
  id: 'chooseSaleWallet',
  method: 'POST',
  path: '/checkouts/{id}/wallet/',
  access: 'checkouts.write',
  tag,
  summary: 'Choose the wallet of an open checkout for its buyer',
  description:
    'As if the buyer chose it on the page: the intent of the earlier wallet is cancelled and one in this wallet is made. If the ' +
    'intent already has a reference it stays, because its money may be on the way.',
  body: Type.Object({ wallet }),
  example: { wallet: '{wallet}' },
  status: 200,
  answer: ShownCheckout,
})

export const startSaleOperations = [startSale, chooseSaleWallet]
