/** Walk-in money at the counter: taking it as a sale, undoing that, and marking paid intents as handed over. */
import { Type } from 'typebox'
import { sentAmount, withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id, timestamp } from '../../scalars.ts'
import { body, closed, flag, text } from '../../schema.ts'
import { Alert } from './alert.ts'

const operation = operationsOf({ tag: 'Counter', access: 'sales.write' })

/** The errors of a call by code, as one sentence each. */
const codes = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([code, when]) => `\`${code}\`: ${when}`)
    .join(' ')

const notValid = 'The request is not valid, or:'

export const HandedOver = closed('The mark that the goods of a paid intent were handed over.', {
  by: text('Who handed the goods over.'),
  at: timestamp('When.'),
})

/** The mark with the intent that has it. */
export const Handover = closed({
  intent: id('The paid intent.'),
  ...HandedOver.properties,
  first: flag('Whether this call made the mark. `false`: it was made before, by `by`.'),
})

export const Sale = body('The amount, so that a member takes only what they have seen; and what the intent gets.', {
  amount: sentAmount('What arrived, as you saw it.'),
  external_order_id: withDefault(
    Type.String({ maxLength: 128, description: 'The order number of the sale. Left out: none.' }),
    '',
  ),
  note: withDefault(Type.String({ maxLength: 300, description: 'A note for the intent. Left out: none.' }), ''),
  looked: Type.Optional(flag('`true`: you have looked at the message and at the doubts about it.')),
  another_payment: Type.Optional(
    flag(
      '`true`: you saw that it may be a payment that is spent already (the doubt `same_payment`), and it is another one.',
    ),
  ),
  not_for_order: Type.Optional(
    flag('`true`: you saw that an order of this amount waits in this wallet, and the money is not for it.'),
  ),
})

export const takeSale = operation({
  id: 'takeSale',
  method: 'POST',
  path: '/unmatched/{id}/take-sale/',
  summary: 'Take unmatched money as a sale',
  description:
    'The money is spent at once: nothing else gets it. For ten seconds it can be undone (`undo-sale`), and nothing is sent. Then ' +
    'an intent of exactly this amount is made and booked by it, `payment.verified` is sent, and the intent is marked as ' +
    'handed over. If two members act at once, one wins; the other gets `alert_not_open`.',
  body: Sale,
  example: { amount: '1500.00' },
  refusals: {
    400: `${notValid} ${codes({
      alert_not_open:
        'the money was booked, taken, put aside or matched meanwhile; `facts` says by whom, and what became of it.',
      sale_of_test_money: 'it is money of the testing wallet.',
      sale_amount: 'an intent cannot have this amount, because it is zero or has too many digits.',
      sale_amount_changed: 'another amount arrived than the one that you saw; `facts` has it.',
      sale_needs_look: 'there is a doubt about the money. Look at its message, then send `looked`.',
      may_be_same_payment:
        'it may be a payment that is spent already; `facts` names it. If it is another one, send `another_payment`.',
      reference_taken: 'another message has its reference already; `facts` names it.',
      sale_order_waits:
        'an order of exactly this amount waits in this wallet; `facts` names it. Book the money onto it, or send `not_for_order`.',
    })}`,
    403: `Your role or the account does not allow it (as for every call), or: ${codes({
      over_limit: 'it is over the limits of your role; `ask/` below this path asks a manager to confirm it.',
    })}`,
  },
  answer: Alert,
})

export const undoSale = operation({
  id: 'undoSale',
  method: 'POST',
  path: '/unmatched/{id}/undo-sale/',
  summary: 'Undo a sale within ten seconds',
  description:
    'By anyone who may take sales. The money is unmatched again: an intent with its reference, or the first one that claimed it ' +
    'meanwhile, is resolved at once. The history of the alert keeps both.',
  refusals: {
    400: `${notValid} ${codes({
      sale_final: 'the ten seconds are over; `facts` says who took the money.',
      sale_unknown: 'the money was not taken as a sale.',
      alert_not_open: 'the message was read again meanwhile. Look at it, and repeat.',
    })}`,
  },
  answer: Alert,
})

export const handOver = operation({
  id: 'handOver',
  method: 'POST',
  path: '/intents/{id}/hand-over/',
  summary: 'Mark a paid intent as handed over',
  description: 'Once for each intent: a second call changes nothing, and its answer names who made the mark.',
  refusals: { 400: codes({ intent_not_paid: 'only a paid intent is handed over.' }) },
  answer: Handover,
})

export const saleOperations = operation.described
