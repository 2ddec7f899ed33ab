/** A payment on the testing wallet, as if the simulated phone had reported it: for trying everything without money. */
import { type Static, Type } from 'typebox'
import { sentAmount } from '../../body.ts'
import { operation } from '../../operation.ts'
import { id } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'
import { AlertState } from './alert.ts'

export const TestPayment = closed({
  wallet: id('The testing wallet of the account; any other is refused.'),
  amount: sentAmount('How much “arrives”, above zero.', '0.01'),
  reference: Type.String({
    format: 'test-reference',
    minLength: 1,
    maxLength: 64,
    description: 'The reference in the message: letters, digits and hyphens, 4 to 64 of them, one digit at least.',
    examples: ['TEST-0001'],
  }),
})

export const TestPaid = closed('The result of the test payment.', {
  alert: id('Identifier of the alert that was recorded.'),
  text: text('The message, as the simulated phone sent it.'),
  reference: text('The reference in the message: attach it to an intent.'),
  state: AlertState,
  intent: orNull(id('The intent that it resolved.'), 'Null: no intent holds the reference yet.'),
})
export type TestPaid = Static<typeof TestPaid>

export const makeTestPayment = operation({
  id: 'makeTestPayment',
  method: 'POST',
  path: '/test-payment/',
  access: 'intents.write',
  tag: 'Intents',
  summary: 'Pay on the testing wallet, without money',
  description:
    'A message in the wording of the testing wallet is recorded like the report of a phone: it is matched by its reference, now or ' +
    'when the reference is attached, and `payment.received` is sent. If the testing wallet has no phone, the first payment ' +
    'creates a simulated one. At most 20 a minute and 1,000 a day.',
  body: TestPayment,
  example: { wallet: '{wallet}', amount: '1500.00', reference: 'TEST-0001' },
  status: 201,
  answer: TestPaid,
})

export const testPaymentOperations = [makeTestPayment]
