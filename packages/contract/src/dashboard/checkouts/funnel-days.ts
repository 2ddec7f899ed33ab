/** How far the buyers of payment links came, by day. */
import { Type } from 'typebox'
import { operation } from '../../operation.ts'
import { idFilter, wholeNumber } from '../../query.ts'
import { timestamp } from '../../scalars.ts'
import { closed, listOf, text } from '../../schema.ts'
import { date } from '../money/figure.ts'
import { LinkFunnel } from './payment-links.ts'

export const FunnelDays = closed(
  'How far buyers came. Each counts at every step on the day on which the checkout was made.',
  {
    at: timestamp('When these figures were true.'),
    time_zone: text('The time zone in which days begin.'),
    days: listOf('Oldest first; the last is today.', {
      date: date('Which day.'),
      ...LinkFunnel.properties,
      paid_unsent: Type.Integer({
        minimum: 0,
        description: 'Of `paid`: without a reference. A unique amount told the payment apart, or a member booked it.',
      }),
    }),
  },
)

export const showFunnelDays = operation({
  id: 'showFunnelDays',
  method: 'GET',
  path: '/overview/links/',
  access: 'checkouts.read',
  tag: 'Payment links',
  summary: 'How far the buyers of payment links came, by day',
  query: {
    days: {
      description: 'How many days, today included; 14 when left out, at most 31.',
      schema: wholeNumber({ minimum: 1, maximum: 31 }),
    },
    link: { description: 'Only buyers of this payment link.', schema: idFilter() },
  },
  answer: FunnelDays,
})

export const funnelDaysOperations = [showFunnelDays]
