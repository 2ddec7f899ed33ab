/**
 * Money that arrived in the real wallets of the account, matched or not, each payment once: by day and wallet, and by hour. Sums of
 * different currencies are never added.
 */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { dayFilter, wholeNumber } from '../../query.ts'
import { id, timestamp } from '../../scalars.ts'
import { closed, flag, listOf, orNull, text } from '../../schema.ts'
import { count, date, total } from './figure.ts'

const currency = text('In which currency.')

const sumOf = (description: string) => closed(description, { count, sum: total('Their sum.') })

export const Arrived = closed({
  currency,
  today: sumOf('What has arrived today.'),
  yesterday: orNull(
    sumOf('What had arrived yesterday at the same time of day.'),
    'What had arrived yesterday at the same time of day; null for who sees today only.',
  ),
  week_ago: orNull(sumOf('What had arrived a week ago at the same time of day.'), 'The same a week ago.'),
  verified: sumOf('Of today: what paid an intent.'),
  unmatched: sumOf('Of today: what has no intent yet.'),
  wrong_amount: sumOf('Of today: what ended an intent of another amount.'),
  dismissed: sumOf('Came today and is not counted: a member dismissed it.'),
  denied: sumOf(
    'Came today and is not counted: a message says, or may say, that the money did not arrive. It counts when a member books it.',
  ),
})
export type Arrived = Static<typeof Arrived>

const Wallet = closed({
  id: id('The wallet.'),
  name: Type.String(),
  currency: text('What it collects.'),
  active: flag('False: it was closed. Its money still counts.'),
})

const sumFields = { wallet: id('Into which wallet.'), currency, count, sum: total('What arrived.') }

export const ArrivedDays = closed('What arrived, by the day its message reached this service.', {
  at: timestamp('When these figures were true.'),
  time_zone: text('The time zone in which days begin.'),
  days: Type.Array(date('A day.'), { description: 'Oldest first; the last is today.' }),
  wallets: Type.Array(Wallet, { description: 'The real wallets, by name.' }),
  rows: listOf('A combination without a row is zero.', { date: date('Which day.'), ...sumFields }),
})
export type ArrivedDays = Static<typeof ArrivedDays>

const hour = Type.Integer({ minimum: 0, maximum: 23, description: 'Of the clock on the wall.' })

export const ArrivedHours = closed('What arrived in each hour of a day, and what is usual on that weekday.', {
  at: timestamp('When these figures were true.'),
  date: date('Which day.'),
  time_zone: text('The time zone of the hours.'),
  hour_now: orNull(hour, 'The hour that is not over yet; null: the day is over.'),
  wallets: Type.Array(Wallet, { description: 'The real wallets, by name.' }),
  rows: listOf('A combination without a row is zero.', { hour, ...sumFields }),
  weeks: Type.Integer({
    minimum: 0,
    maximum: 4,
    description: 'Of how many weeks before the usual is made; 0: there is no usual yet.',
  }),
  usual: listOf('A combination without a row is zero.', {
    hour,
    currency,
    sum: total('The median of what arrived in this hour of that weekday.'),
  }),
})
export type ArrivedHours = Static<typeof ArrivedHours>

const operation = operationsOf({ tag: 'Today', access: 'overview.read' })

export const showArrivedDays = operation({
  id: 'showArrivedDays',
  method: 'GET',
  path: '/overview/days/',
  summary: 'What arrived, by day and wallet',
  query: {
    days: {
      description: 'How many days, today included; 14 when left out, at most 31.',
      schema: wholeNumber({ minimum: 1, maximum: 31 }),
    },
  },
  answer: ArrivedDays,
})

export const showArrivedHours = operation({
  id: 'showArrivedHours',
  method: 'GET',
  path: '/overview/hours/',
  summary: 'What arrived in each hour of a day, and what is usual',
  query: {
    day: {
      description: 'Which day, such as `2026-01-02`, in the zone of the account; left out: today. Not in the future.',
      schema: dayFilter(),
      published: Type.String(),
    },
  },
  answer: ArrivedHours,
})

export const arrivedOperations = operation.described
