/** The API of developers' tools: the account's events as a feed, made-up events, and the log of its own API calls. */
import { type Static, Type } from 'typebox'
import { ApiCall } from './dashboard/calls/api-calls.ts'
import { EventKind } from './dashboard/event-kind.ts'
import { TestPayment } from './dashboard/money/test-payment.ts'
import { id, timestamp } from './scalars.ts'

const next = id('The position for `after` of the next call. It stays some seconds behind: a row can come twice.')

export const FeedEvent = Type.Object(
  {
    id: id('The id of the event: the `X-Service-Event-Id` of its deliveries. Drop repeats by it.'),
    event: EventKind,
    created_at: timestamp('When it happened.'),
    is_test: Type.Boolean({
      description: 'True: it is of the testing wallet, or made up. A delivery of it has the header `X-Service-Test`.',
    }),
    is_sample: Type.Boolean({ description: 'True: made up by `POST /events/trigger/`. No money arrived.' }),
    body: Type.String({ description: 'The JSON text that a delivery sends and signs, byte for byte.' }),
  },
  { additionalProperties: false, description: 'An event of the account.' },
)
export type FeedEvent = Static<typeof FeedEvent>

export const EventFeed = Type.Object(
  { next, results: Type.Array(FeedEvent, { maxItems: 200, description: 'The oldest first.' }) },
  { additionalProperties: false, description: 'Events, and the position to continue from.' },
)
export type EventFeed = Static<typeof EventFeed>

export const CallFeed = Type.Object(
  { next, results: Type.Array(ApiCall, { maxItems: 200, description: 'The oldest first.' }) },
  { additionalProperties: false, description: 'API calls of the account, and the position to continue from.' },
)
export type CallFeed = Static<typeof CallFeed>

/** Without the wallet: an account has one testing wallet. */
export const NewTestPayment = Type.Object(
  { amount: TestPayment.properties.amount, reference: TestPayment.properties.reference },
  { additionalProperties: false, description: 'How much arrives, and the reference in the message.' },
)

export const TriggerEvent = Type.Object(
  { event: EventKind },
  { additionalProperties: false, description: 'Which event to make up.' },
)

export const TriggerResult = Type.Object(
  {
    endpoint: id('The endpoint.'),
    url: Type.String({ description: 'Its address, shortened, without what may be secret.' }),
    outcome: Type.String({ description: '`ok`: arrived. Otherwise what went wrong, such as `status` or `timeout`.' }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'The HTTP status; null: no answer.' }),
    error: Type.String({ description: 'A sentence for people; `""`: it arrived.' }),
  },
  { additionalProperties: false, description: 'The result of the made-up event at one endpoint.' },
)

export const TriggeredEvent = Type.Object(
  {
    id: id('The made-up event.'),
    event: EventKind,
    results: Type.Array(TriggerResult, { description: 'One for each endpoint that subscribes to this kind.' }),
  },
  { additionalProperties: false, description: 'A made-up event, and where it was sent.' },
)
export type TriggeredEvent = Static<typeof TriggeredEvent>
