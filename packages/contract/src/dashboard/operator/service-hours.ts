/** What the whole service did in each of the last 24 hours, for the operator's pictures. */
import { Type } from 'typebox'
import { operation } from '../../operation.ts'
import { timestamp } from '../../scalars.ts'
import { closed, listOf, orNull, text } from '../../schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const seen = (description: string) =>
  orNull(Type.Integer({ minimum: 0 }), `${description} Null: it was not measured, because the service was not running.`)

export const ServiceHours = closed({
  at: timestamp('When these figures were true.'),
  time_zone: text('The time zone of the service.'),
  counted_until: timestamp('Messages and payments until then are counted; a few minutes ago.'),
  hours: listOf('24 hours, the oldest first; the last is not over yet.', {
    hour: timestamp('The start of the hour.'),
    messages: count('Messages that phones reported, of all accounts.'),
    payments: count('Intents that were verified, of all accounts, test wallets included.'),
    lag_s: seen('The longest time that a delivery, of an endpoint that may be called, was seen waiting.'),
    phones: seen('The most phones that were switched on.'),
    silent_phones: seen('The most phones that were silent at once.'),
  }),
})

export const showServiceHours = operation({
  id: 'showServiceHours',
  method: 'GET',
  path: '/operator/hours/',
  access: 'operator',
  tag: 'Operators',
  summary: 'Payments, messages, lag and silent phones by hour',
  answer: ServiceHours,
})

export const serviceHoursOperations = [showServiceHours]
