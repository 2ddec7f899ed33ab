/** The counter: its roll of the money that arrived, and whether the wallets' phones report. One call fills the cashier's screen. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, orNull, text } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'
import { Alert } from './alert.ts'
import { WalletHealth } from './overview.ts'
import { HandedOver } from './sales.ts'
import { Shift } from './shifts.ts'

export const rollStates = ['unmatched', 'look', 'paid', 'sale', 'aside'] as const

export const RollEntry = closed('Money that arrived in a real wallet, whatever became of it.', {
  id: id('The alert.'),
  received_at: timestamp('When its message reached this service.'),
  amount: amount('What arrived.'),
  currency: text('In which currency.'),
  payer: text('Who paid, as far as the message shows it; `""`: it does not.'),
  company: closed('The company of the wallet.', {
    name: text('The name of the company.'),
    name_ar: text('Its name in Arabic; `""`: none is known.'),
  }),
  wallet: closed({ id: id('Identifier of the wallet.'), name: text('Its name.') }),
  reference: text('The reference in the message; `""` if none.'),
  state: oneOf(
    [...rollStates],
    '`unmatched`: no order, and no doubt: it can be taken as a sale by one touch. `look`: no order, and a member must look at it ' +
      'first. `paid`: it paid an order. `sale`: it was taken as a sale. `aside`: a member dismissed it.',
  ),
  arrived: flag(
    'Whether it counts as money that arrived, in the figures of the day and in the day close. It does not if a member ' +
      'dismissed it, or while a message says, or may say, that the money did not arrive.',
  ),
  alert_state: Alert.properties.state,
  reason: Alert.properties.reason,
  doubts: Alert.properties.doubts,
  intent: Alert.properties.intent,
  sale: Alert.properties.sale,
  handed_over: orNull(HandedOver, 'Whether the goods were handed over. Null: not yet.'),
  repeats: Type.Array(Type.String(), {
    maxItems: 20,
    description: 'Messages that reported the same payment, by their ids. They are no entries of the roll.',
  }),
})
export type RollEntry = Static<typeof RollEntry>

export const Roll = pageOf(RollEntry, 'The money that arrived in real wallets, newest first.')
export type Roll = Static<typeof Roll>

/** A counter takes a few sales in ten seconds, never so many. */
export const mostUndoable = 50

export const Counter = closed({
  at: timestamp('When this was true.'),
  roll: Roll,
  undoable: Type.Array(RollEntry, {
    maxItems: mostUndoable,
    description:
      'Money that was taken as a sale and can still be undone, the last taken first. It may be older than the first page of the roll.',
  }),
  shift: orNull(Shift, 'Your open shift. Null: you have none.'),
  wallets: Type.Array(WalletHealth, { description: 'By name.' }),
})
export type Counter = Static<typeof Counter>

const operation = operationsOf({ tag: 'Counter', access: 'intents.read' })

export const showCounter = operation({
  id: 'showCounter',
  method: 'GET',
  path: '/counter/',
  summary: 'The newest money that arrived, and whether the phones of the wallets report',
  answer: Counter,
})

export const listRoll = operation({
  id: 'listRoll',
  method: 'GET',
  path: '/counter/roll/',
  summary: 'The money that arrived in real wallets, matched or not',
  query: pageQuery(),
  answer: Roll,
})

export const counterOperations = operation.described
