/** A wallet's day: what its balance was, what moved it, and what is missing, from the chain of its alerts. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { afterField, cursorPages, dayFilter, neededId, pageSizeField, wholeNumber } from '../../query.ts'
import { amount, id, oneOf, signedAmount, timestamp } from '../../scalars.ts'
import { closed, closedOrNull, flag, listOf, orNull, text } from '../../schema.ts'
import { fileName } from '../answer-headers.ts'
import { AlertState } from './alert.ts'
import { MoneySums, WalletSums } from './money-sums.ts'

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-01-02'] })
const sumOf = (description: string) =>
  closed(description, { count: Type.Integer({ minimum: 0 }), amount: signedAmount('Their sum.') })

export const DayClose = closed('A wallet’s day.', {
  wallet: closed({
    id: id('Identifier of the wallet.'),
    name: text('Its name.'),
    currency: text('What it collects.'),
  }),
  day: day('Which day.'),
  time_zone: text('The time zone in which the day begins and ends.'),
  from: timestamp('Its first instant.'),
  until: timestamp('The first instant after it.'),
  closed: flag('Whether the day is over; if not, the figures are those of now.'),
  opening: closedOrNull('Null: no alert has shown a balance.', {
    balance: signedAmount('The balance when the day began.'),
    known: oneOf(['shown', 'derived'], '`derived`: worked out backwards from the first balance that the day showed.'),
  }),
  closing: orNull(signedAmount('The balance when it ended.'), 'Null: no alert has shown a balance.'),
  credits: sumOf('Money that came, as alerts say.'),
  debits: sumOf('Money that left, as alerts say.'),
  fees: sumOf('What providers took beside an amount, as their balances show.'),
  missing: sumOf(
    'What balances show and no alert reported: opening + credits - debits - fees + missing = closing. Below zero: more ' +
      'left unseen than came.',
  ),
  gaps: Type.Array(
    closed({
      since: orNull(timestamp('When the alert before the gap came; null: before the day.')),
      until: timestamp('When the alert came that showed the gap.'),
      missing: signedAmount('How much.'),
    }),
    { maxItems: 200, description: 'Between which times something is missing; at most 200.' },
  ),
  verified: closed('Credits of the day that verified an intent, and those just taken as a sale.', {
    count: Type.Integer({ minimum: 0 }),
    amount: signedAmount('What their alerts say was paid.'),
    payable: signedAmount('What the intents asked for.'),
    forgiven_amount: signedAmount('What was asked for their orders and did not arrive.'),
    excess_amount: signedAmount('What arrived beyond what was asked.'),
    by_hand: Type.Integer({ minimum: 0, description: 'How many of them a member booked.' }),
  }),
  unmatched: sumOf('Unmatched credits of the day: waiting, under review, held.'),
  wrong_amount: sumOf('Credits of the day that ended an intent as WRONG_AMOUNT.'),
  dismissed: sumOf('Credits of the day that a member dismissed.'),
  denied: sumOf(
    'Credits of the day that a message says, or may say, did not arrive (reversed, failed, pending): in none of the sums above. ' +
      'One that a member books is among the verified.',
  ),
  left_out: sumOf(
    'Dismissed and denied credits that no balance confirms: they may be no money, and are not among the credits. ' +
      'credits = verified + unmatched + wrong_amount + dismissed + denied - left_out.',
  ),
  other_currency: Type.Integer({ minimum: 0, description: 'Alerts in another currency: in none of the sums.' }),
  unread: Type.Integer({ minimum: 0, description: 'Alerts of the wallet that no template reads.' }),
})
export type DayClose = Static<typeof DayClose>

export const DayLine = closed('One alert of the day, repetitions left out.', {
  alert: id('Identifier of the alert.'),
  received_at: timestamp('When it reached this service.'),
  state: AlertState,
  direction: orNull(oneOf(['credit', 'debit'], 'Whether money came or left.')),
  amount: orNull(amount('How much; null: not understood.')),
  currency: orNull(text('In which currency.')),
  reference: text('The reference in the message.'),
  payer: text('Who paid, as far as the message shows it.'),
  balance: orNull(signedAmount('The balance that it shows.')),
  missing: orNull(signedAmount('What was missing before it, when it came.')),
  intent: orNull(id('The intent that it resolved.')),
  code: text('The payment code of that intent; `""` if none.'),
  forgiven_amount: orNull(
    amount('What was forgiven.'),
    'What was asked and did not arrive; null: it verified no intent.',
  ),
})
export type DayLine = Static<typeof DayLine>

export const DayOfWallet = closed({
  day: day('Which day.'),
  alerts: flag('Whether any alert came.'),
  breaks: Type.Integer({
    minimum: 0,
    maximum: 1000,
    description: 'How often the balance of an alert did not follow from the one before, when it came.',
  }),
  missing: signedAmount(
    'The money that was missing at these breaks. Late alerts may have explained a part of it since: the day close shows that.',
  ),
})

const whichDay = {
  description: 'Which day, such as `2026-01-02`, in the zone of the account; left out: today.',
  schema: dayFilter(),
  published: Type.String(),
}
const query = {
  wallet: { description: 'Which wallet. Required.', schema: neededId(), published: Type.String() },
  day: whichDay,
}
const operation = operationsOf({ tag: 'Day close', access: 'day_close.read' })

export const showDayClose = operation({
  id: 'showDayClose',
  method: 'GET',
  path: '/day-close/',
  summary: 'A wallet’s day',
  query,
  answer: DayClose,
})

export const listDayLines = operation({
  id: 'listDayLines',
  method: 'GET',
  path: '/day-close/lines/',
  summary: 'The alerts of the day, oldest first',
  query: {
    ...query,
    after: { description: '`next` of the page before.', schema: afterField([]), published: Type.String() },
    page_size: {
      description: `At most ${cursorPages.largest}; ${cursorPages.usual} if left out.`,
      schema: pageSizeField(cursorPages),
      published: Type.String(),
    },
  },
  answer: closed({
    next: orNull(Type.String(), 'Send it as `after` for the following page; null: this was the last.'),
    results: Type.Array(DayLine),
  }),
})

export const downloadDayClose = operation({
  id: 'downloadDayClose',
  method: 'GET',
  path: '/day-close/csv/',
  summary: 'The day as a table: every line, then the sums',
  query,
  answerTypes: ['text/csv'],
  answerHeaders: fileName,
})

export const listDays = operation({
  id: 'listDays',
  method: 'GET',
  path: '/day-close/days/',
  summary: 'Which days of a wallet have breaks, newest first',
  query: {
    wallet: query.wallet,
    until: { description: 'The last day of the list; left out: today.', schema: dayFilter(), published: Type.String() },
    days: {
      description: 'How many days, at most 62; 31 if left out.',
      schema: wholeNumber({ minimum: 1, maximum: 62 }),
      published: Type.String(),
    },
  },
  answer: closed({
    next: orNull(day('Send it as `until` for the days before.')),
    results: Type.Array(DayOfWallet),
  }),
})

export const DaySums = closed('The day of all real wallets.', {
  day: day('Which day.'),
  time_zone: text('The time zone in which the day begins and ends.'),
  closed: flag('Whether the day is over; if not, the figures are those of now.'),
  wallets: Type.Array(WalletSums, {
    description: 'Real wallets with money of the day, by name, once for each currency.',
  }),
  totals: Type.Array(MoneySums, { description: 'All of these wallets, once for each currency.' }),
  shifts: listOf(
    'The paid money of the day (`verified`) by who took it, once for each currency. They add up to `verified` of the totals: ' +
      'every payment is in exactly one of them.',
    {
      by: text('The member who took it; `""`: no member did.'),
      shift: closedOrNull('Null: the member had no shift then.', {
        id: id('Identifier of the shift.'),
        started_at: timestamp('When it began.'),
      }),
      sums: MoneySums,
    },
  ),
})
export type DaySums = Static<typeof DaySums>

export const showDaySums = operation({
  id: 'showDaySums',
  method: 'GET',
  path: '/day-close/sums/',
  summary: 'The day of all wallets, and who took its money',
  description:
    'Money counts for the day on which its message arrived. Test wallets are left out. Amounts of two currencies are never added.',
  query: { day: whichDay },
  answer: DaySums,
})

export const downloadDaySums = operation({
  id: 'downloadDaySums',
  method: 'GET',
  path: '/day-close/sums/csv/',
  summary: 'The same as a table',
  query: { day: whichDay },
  answerTypes: ['text/csv'],
  answerHeaders: fileName,
})

export const dayCloseOperations = [showDaySums, downloadDaySums, showDayClose, listDayLines, downloadDayClose, listDays]
