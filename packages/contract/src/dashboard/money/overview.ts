/** The figures of the day, and numbers for charts. Testing wallets are not counted: they show no real money. */
import { type Static, Type } from 'typebox'
import { IntentStatus } from '../../intent.ts'
import { operationsOf } from '../../operation.ts'
import { wholeNumber } from '../../query.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, listOf, orNull, whole } from '../../schema.ts'
import { Arrived } from './arrived.ts'
import { count, date, sums, total } from './figure.ts'

export const Figure = closed({ count, sum: total('The sum of those in the account’s currency.'), sums })

export const Received = closed('Intents that were verified.', {
  count,
  sum: total('What arrived, of those in the account’s currency.'),
  forgiven_amount: total('What was asked and did not arrive, of the same: members booked or accepted less.'),
})

const timeOrNull = (description: string) => orNull(timestamp(description), description)

export const WalletHealth = closed({
  id: id('The wallet.'),
  name: Type.String(),
  is_test: Type.Boolean(),
  active: Type.Boolean(),
  state: oneOf(
    ['offered', 'inactive', 'unmonitored', 'phone_off', 'phone_silent'],
    'Whether money can be collected into it. `phone_silent`: it is offered, but its phone does not report.',
  ),
  phone: orNull(
    closed({
      id: id('The phone.'),
      name: Type.String(),
      switched_on: Type.Boolean(),
      silent: flag('As on the phone’s own page; also true if it never reported.'),
      judged_by: oneOf(
        ['heartbeat', 'messages', 'nothing'],
        'How silence is detected; `nothing`: it cannot be detected (yet). `GET /phones/{id}/` has the details.',
      ),
      usual_s: orNull(
        Type.Integer({ minimum: 0 }),
        'If judged by messages: the longest silence that is usual at this time, in seconds.',
      ),
      last_seen_at: timeOrNull('When it last reported.'),
      last_alert_at: timeOrNull('When it last reported an alert.'),
    }),
  ),
})
export type WalletHealth = Static<typeof WalletHealth>

export const Overview = closed({
  at: timestamp('When these figures were true.'),
  date: date('Today, in the account’s zone.'),
  time_zone: Type.String(),
  currency: Type.String(),
  arrived: Type.Array(Arrived, {
    description:
      'What arrived in the real wallets, for each currency that a wallet collects or that arrived in these days. A payment counts ' +
      'once, when its message reached this service. It agrees with the day close: today = verified + unmatched + wrong_amount.',
  }),
  has_money: flag('Whether a real wallet has ever received money.'),
  verified_today: Received,
  waiting: closed('Pending now.', {
    ...Figure.properties,
    without_reference: Type.Integer({ minimum: 0, description: 'How many have no reference.' }),
  }),
  attention: closed(
    'What a member should look at. `unmatched`: waits for an intent. `review`: only a member may book ' +
      'it. `held`: came while its phone was off. `wrong_amount`: money that ended an intent of another amount, and that ' +
      'no member has accepted, booked or dismissed yet.',
    {
      unmatched: Figure,
      review: Figure,
      held: Figure,
      unread: Type.Integer({ minimum: 0, description: 'Alerts that no template reads.' }),
      more: flag('The queue is longer than what was counted.'),
      wrong_amount: Figure,
      wrong_amount_today: Figure,
      silent_phones: Type.Integer({ minimum: 0, description: 'Switched on, bound to a wallet, and not reporting.' }),
      failing_endpoints: Type.Integer({
        minimum: 0,
        description:
          'Endpoints to which nothing arrives, or that were disabled for it; 0 for a role that may not read webhooks.',
      }),
    },
  ),
  days: listOf('The last 14 days, oldest first; the last is today. Each intent counts on the day it was made.', {
    date: date('Of creation.'),
    created: count,
    verified: Received,
    expired: count,
    wrong_amount: count,
    cancelled: count,
  }),
  wallets: Type.Array(WalletHealth, { description: 'By name.' }),
})
export type Overview = Static<typeof Overview>

const TimeToVerify = closed({
  count,
  p50_s: whole('Half were verified within this many seconds of their creation, accurate to five per cent.'),
  p90_s: whole('Nine of ten were verified within this many seconds.'),
})

export const Charts = closed({
  time_zone: Type.String(),
  currency: Type.String(),
  days: Type.Array(date('A day of the account’s zone.'), { description: 'Oldest first; the last is today.' }),
  wallets: Type.Array(closed({ id: id('The wallet.'), name: Type.String() })),
  rows: listOf('A combination without a row is zero.', {
    date: date('The day they were made.'),
    wallet: id('Into which wallet.'),
    status: IntentStatus,
    count,
    sum: total('`VERIFIED`: what arrived. Otherwise what was to be paid.'),
    forgiven_amount: total('What was asked and did not arrive; only of `VERIFIED` it is above zero.'),
  }),
  time_to_verify: closed({
    whole: orNull(TimeToVerify, 'Null: nothing was verified.'),
    histogram: listOf('The same payments by how long it took, each once. The borders are accurate to five per cent.', {
      until_s: orNull(Type.Integer({ minimum: 1 }), 'Within so many seconds; null: longer than all others.'),
      count,
    }),
    days: Type.Array(closed({ date: date('The day they were made.'), ...TimeToVerify.properties })),
  }),
})
export type Charts = Static<typeof Charts>

const operation = operationsOf({ tag: 'Today', access: 'overview.read' })

export const showOverview = operation({
  id: 'showOverview',
  method: 'GET',
  path: '/overview/',
  summary: 'The figures of the day',
  answer: Overview,
})

export const showCharts = operation({
  id: 'showCharts',
  method: 'GET',
  path: '/overview/charts/',
  summary: 'Numbers for charts: by day, wallet and status, and how long verifying took',
  query: {
    days: {
      description: 'How many days, today included; 30 when left out, at most 92.',
      schema: wholeNumber({ minimum: 1, maximum: 92 }),
    },
  },
  answer: Charts,
})

export const overviewOperations = operation.described
