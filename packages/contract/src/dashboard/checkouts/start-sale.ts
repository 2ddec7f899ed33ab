/** Sales at the counter: a checkout whose intent is made at once, in the wallet that the cashier chose. */
import { Type } from 'typebox'
import { sentAmount, withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id } from '../../scalars.ts'
import { body } from '../../schema.ts'
import { replayed } from '../answer-headers.ts'
import { ShownCheckout } from './checkouts.ts'

const wallet = id('The wallet that the buyer pays into.')

export const NewSale = body('A sale to start.', {
  amount: sentAmount('What to collect, from 0.01 to 999999999999.99.', '0.01'),
  external_order_id: withDefault(
    Type.String({ maxLength: 128, description: 'The order number, if there is one.' }),
    '',
  ),
  wallet: Type.Optional(wallet),
})

const operation = operationsOf({ tag: 'Checkouts', access: 'checkouts.write' })

const walletRefused =
  '`does_not_exist` (`wallet`): the wallet is unknown, inactive or of another account. `wallet_not_monitored` (`wallet`): it has no ' +
  'phone that reports, or its phone is switched off.'
const monthUsed = '`quota_exceeded`: the intents that the account may make in this month are used up.'

export const startSale = operation({
  id: 'startSale',
  method: 'POST',
  path: '/counter/sales/',
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
  refusals: {
    400:
      'The request is not valid (an amount below 0.01 or above 999999999999.99 among others), or: `required` (`wallet`): several real ' +
      `wallets can collect, and none is named. ${walletRefused} The last one also where no wallet is named and none can collect. ` +
      `${monthUsed} \`idempotency_key_reused\`: the key was used with another body. Nothing was made.`,
    409: 'A call with the same key is under way (`idempotency_in_progress`). Repeat it in a moment.',
  },
  answer: ShownCheckout,
  answerHeaders: replayed,
})

export const chooseSaleWallet = operation({
  id: 'chooseSaleWallet',
  method: 'POST',
  path: '/checkouts/{id}/wallet/',
  summary: 'Choose the wallet of an open checkout for its buyer',
  description:
    'As if the buyer chose it on the page: the intent of the earlier wallet is cancelled and one in this wallet is made. If the ' +
    'intent already has a reference it stays, because its money may be on the way.',
  body: Type.Object({ wallet }),
  example: { wallet: '{wallet}' },
  refusals: {
    400:
      `The request is not valid, or: ${walletRefused} \`checkout_wallet_refused\`: the checkout cannot be paid into this wallet. ` +
      '`checkout_not_open`: it is paid, expired or cancelled. `checkout_intent_limit`: its wallet was chosen too often. ' +
      monthUsed,
  },
  answer: ShownCheckout,
})

export const startSaleOperations = operation.described
