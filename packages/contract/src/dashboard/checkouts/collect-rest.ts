/** Collecting the rest after a payment that was too small: a checkout for what is missing, to share with the buyer. */
import { Type } from 'typebox'
import { sentAmount } from '../../body.ts'
import { operation } from '../../operation.ts'
import { flag } from '../../schema.ts'
import { ShownCheckout } from './checkouts.ts'

export const collectRest = operation({
  id: 'collectRest',
  method: 'POST',
  path: '/intents/{id}/collect-rest/',
  access: 'checkouts.write',
  tag: 'Intents',
  summary: 'Collect the remaining amount',
  description:
    'For an intent that ended as `WRONG_AMOUNT` because too little arrived. What arrived counts as a part: a new intent of exactly that ' +
    'amount is made and VERIFIED by the same money, as when the buyer pays the rest. The answer is the checkout on which the rest is ' +
    'paid: that of the intent while it is open, otherwise a new one over the whole order, which can be paid for a day. 400 ' +
    '`alert_not_open` if the money was spent meanwhile, `checkout_rest_refused` if nothing is missing or the buyer has already sent ' +
    'another reference, and `may_be_same_payment` if it may be a payment that is spent already. Send the amount that you saw.',
  body: Type.Object({
    paid_amount: sentAmount('What arrived, as you saw it.'),
    another_payment: Type.Optional(
      flag(
        '`true`: you saw that it may be a payment that is spent already (the doubt `same_payment`), and it is another one.',
      ),
    ),
  }),
  example: { paid_amount: '1400.00' },
  answer: ShownCheckout,
})

export const collectRestOperations = [collectRest]
