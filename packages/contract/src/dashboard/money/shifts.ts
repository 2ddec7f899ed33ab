/** Shifts at the counter: a member starts and ends one, and its report says what the member took. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, orNull, text } from '../../schema.ts'
import { fileName } from '../answer-headers.ts'
import { pageOf, pageQuery } from '../page.ts'
import { MoneySums, WalletSums } from './money-sums.ts'
import { HandedOver } from './sales.ts'

const operation = operationsOf({ tag: 'Counter' })

export const Shift = closed({
  id: id('Identifier of the shift.'),
  by: text('The member whose shift it is.'),
  own: flag('Whether it is yours.'),
  started_at: timestamp('When it began.'),
  latest_end: timestamp('24 hours after its start: a shift that nobody ended is over then.'),
  ended_at: orNull(timestamp('When it ended.'), 'Null: it is open.'),
  ended_by: text('Who ended it; `""`: it is open, or nobody ended it and its 24 hours are over.'),
})
export type Shift = Static<typeof Shift>

export const ShiftLine = closed({
  alert: id('The message of the money.'),
  received_at: timestamp('When the message arrived.'),
  taken: flag('Whether the member of the shift took it; `false`: no member did.'),
  wallet: text('The name of the wallet.'),
  kind: oneOf(['matched', 'sale', 'booked'], 'What became of it.'),
  amount: amount('What arrived.'),
  currency: text('In which currency.'),
  payer: text('Who paid, as far as the message shows it.'),
  reference: text('The reference in the message; `""` if none.'),
  intent: orNull(id('The paid intent.'), 'Null: a sale that can still be undone.'),
  code: text('Its payment code; `""` if none.'),
  external_order_id: text('Its order number; `""` if none.'),
  handed_over: orNull(HandedOver, 'Null: not handed over.'),
})
export type ShiftLine = Static<typeof ShiftLine>

export const ShiftReport = closed(
  'What the member took: sales, bookings, and payments that nobody had taken and the member handed over first, in the time of the ' +
    'shift. A payment belongs to one shift at most.',
  {
    shift: Shift,
    wallets: Type.Array(WalletSums, { description: 'What the member took, by wallet and currency.' }),
    totals: Type.Array(MoneySums, { description: 'What the member took, by currency.' }),
    earlier: Type.Array(MoneySums, {
      description:
        'The part of `totals` whose money had arrived before the shift: it counts for the day on which it arrived.',
    }),
    nobody: Type.Array(WalletSums, {
      description:
        'What arrived in the time of the shift and no member took, by wallet and currency. It is in the sums of no shift, and in this ' +
        'list of every shift of that time.',
    }),
    not_handed_over: Type.Array(ShiftLine, {
      maxItems: 100,
      description:
        'Paid orders that nobody has handed over, the oldest first, at most 100: what the member booked, and what arrived in the time ' +
        'of the shift. `not_handed_over` of the sums counts all.',
    }),
  },
)
export type ShiftReport = Static<typeof ShiftReport>

export const startShift = operation({
  id: 'startShift',
  method: 'POST',
  path: '/shifts/',
  access: 'shifts.write',
  summary: 'Start your shift',
  description: 'Refused with `shift_open` if yours is open. A shift that nobody ends is over after 24 hours.',
  status: 201,
  answer: Shift,
})

export const listShifts = operation({
  id: 'listShifts',
  method: 'GET',
  path: '/shifts/',
  access: 'all_shifts.read',
  summary: 'The shifts of all members, newest first',
  query: pageQuery(),
  answer: pageOf(Shift, 'Shifts, newest first.'),
})

export const listOwnShifts = operation({
  id: 'listOwnShifts',
  method: 'GET',
  path: '/own-shifts/',
  access: 'shifts.read',
  summary: 'Your shifts, newest first',
  query: pageQuery(),
  answer: pageOf(Shift, 'Shifts, newest first.'),
})

export const showShift = operation({
  id: 'showShift',
  method: 'GET',
  path: '/shifts/{id}/',
  access: 'shifts.read',
  summary: 'The report of a shift',
  description:
    'Of your own; of any member for who may list the shifts of all (`all_shifts.read`). Another one is not found.',
  answer: ShiftReport,
})

export const endShift = operation({
  id: 'endShift',
  method: 'POST',
  path: '/shifts/{id}/end/',
  access: 'shifts.write',
  summary: 'End your shift',
  description: 'Refused with `shift_over` if it has ended. The shift of another member is not found.',
  answer: ShiftReport,
})

export const endShiftOfMember = operation({
  id: 'endShiftOfMember',
  method: 'POST',
  path: '/shifts/{id}/end-for-member/',
  access: 'all_shifts.end',
  summary: 'End the shift of any member',
  description: 'For a shift that a member forgot. Refused with `shift_over` if it has ended.',
  answer: ShiftReport,
})

export const downloadShift = operation({
  id: 'downloadShift',
  method: 'GET',
  path: '/shifts/{id}/csv/',
  access: 'shifts.read',
  summary: 'The payments of a shift and its sums as a table',
  answerTypes: ['text/csv'],
  answerHeaders: fileName,
})

export const shiftOperations = operation.described
