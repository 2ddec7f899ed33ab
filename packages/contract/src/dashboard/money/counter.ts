/** The counter: the last payments, and whether the wallets' phones report. One call fills the cashier's screen. */
import { type Static, Type } from 'typebox'
import { operation } from '../../operation.ts'
import { amount, id, timestamp } from '../../scalars.ts'
import { arrivalFields } from './arrival.ts'
import { WalletHealth } from './overview.ts'

export const CounterPayment = Type.Object(
  {
    intent: id('The intent that was paid.'),
    code: Type.String({ description: 'Its payment code.' }),
    external_order_id: Type.String({ description: 'The order it is for; `""` if none was given.' }),
    amount: amount('What arrived.'),
    ...arrivalFields,
    currency: Type.String({ description: 'In which currency.' }),
    payer: Type.String({ description: 'Who paid, as far as the message shows it; `""`: it does not.' }),
    wallet: Type.Object(
      {
        id: id('Identifier of the wallet.'),
        name: Type.String({ description: 'Its name.' }),
        is_test: Type.Boolean({ description: 'Whether it is the testing wallet: then it is no money.' }),
      },
      { additionalProperties: false },
    ),
    verified_at: timestamp('When it was verified.'),
    manual_override: Type.Boolean({ description: 'Whether a member booked it.' }),
  },
  { additionalProperties: false, description: 'A payment that was verified.' },
)
export type CounterPayment = Static<typeof CounterPayment>

export const Counter = Type.Object(
  {
    at: timestamp('When this was true.'),
    payments: Type.Array(CounterPayment, { maxItems: 20, description: 'The last ones, newest first, at most 20.' }),
    wallets: Type.Array(WalletHealth, { description: 'By name.' }),
  },
  { additionalProperties: false },
)
export type Counter = Static<typeof Counter>

export const showCounter = operation({
  id: 'showCounter',
  method: 'GET',
  path: '/counter/',
  access: 'intents.read',
  tag: 'Intents',
  summary: 'The last payments, and whether the phones of the wallets report',
  status: 200,
  answer: Counter,
})

export const counterOperations = [showCounter]
