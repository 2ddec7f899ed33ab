/** The API of developers' tools: the account's events as a feed, made-up events, and the log of its own API calls. */
import { type Static, Type } from 'typebox'
import { ApiCall } from './dashboard/calls/api-calls.ts'
import { EventKind } from './dashboard/event-kind.ts'
import { TestPayment } from './dashboard/money/test-payment.ts'
import { id, timestamp } from './scalars.ts'
import { closed, flag, orNull, text } from './schema.ts'

const next = id('The position for `after` of the next call. It stays some seconds behind: a row can come twice.')

export const FeedEvent = closed('An event of the account.', {
  id: id('The id of the event: the `X-Service-Event-Id` of its deliveries. Drop repeats by it.'),
  event: EventKind,
  created_at: timestamp('When it happened.'),
  is_test: flag('True: it is of the testing wallet, or made up. A delivery of it has the header `X-Service-Test`.'),
  is_sample: flag('True: made up by `POST /events/trigger/`. No money arrived.'),
  body: text('The JSON text that a delivery sends and signs, byte for byte.'),
})

export const EventFeed = closed('Events, and the position to continue from.', {
  next,
  results: Type.Array(FeedEvent, { maxItems: 200, description: 'The oldest first.' }),
})
export type EventFeed = Static<typeof EventFeed>

export const CallFeed = closed('API calls of the account, and the position to continue from.', {
  next,
  results: Type.Array(ApiCall, { maxItems: 200, description: 'The oldest first.' }),
})
export type CallFeed = Static<typeof CallFeed>

/** Without the wallet: an account has one testing wallet. */
export const NewTestPayment = closed('How much arrives, and the reference in the message.', {
  amount: TestPayment.properties.amount,
  reference: TestPayment.properties.reference,
})

export const TriggerEvent = closed('Which event to make up.', { event: EventKind })

export const TriggerResult = closed('The result of the made-up event at one endpoint.', {
  endpoint: id('The endpoint.'),
  url: text('Its address, shortened, without what may be secret.'),
  outcome: text('`ok`: arrived. Otherwise what went wrong, such as `status` or `timeout`.'),
  status: orNull(Type.Integer(), 'The HTTP status; null: no answer.'),
  error: text('A sentence for people; `""`: it arrived.'),
})

export const TriggeredEvent = closed('A made-up event, and where it was sent.', {
  id: id('The made-up event.'),
  event: EventKind,
  results: Type.Array(TriggerResult, { description: 'One for each endpoint that subscribes to this kind.' }),
})
export type TriggeredEvent = Static<typeof TriggeredEvent>
