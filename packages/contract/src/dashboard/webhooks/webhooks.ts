/** Webhook endpoints, and every attempt to deliver an event to them. */

import { type Static, type TSchema, Type } from 'typebox'
import { breakerStates, deliveryFilters, deliveryStates } from '../../kinds.ts'
import { operation } from '../../operation.ts'
import { listedField } from '../../query.ts'
import { amount, id, oneOf, timestampOrNull } from '../../scalars.ts'
import { EventKind } from '../event-kind.ts'
import { pageOf, pageQuery } from '../page.ts'
import { replayOperations } from './replay-calls.ts'
import { NewWebhook, WebhookChanges, webhookRotation } from './webhook-bodies.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })

export const Webhook = Type.Object(
  {
    id: id('Identifier of the endpoint.'),
    url: Type.String({
      description:
        'Where events are sent. Its query may be a password: roles that may not read secrets get `?…` in its place.',
    }),
    wallet: orNull(id('Only events of this wallet; null: of all.')),
    kinds: Type.Array(EventKind, { description: 'The kinds that it gets.' }),
    header_names: Type.Array(Type.String(), { description: 'Headers of its own; their values are never shown.' }),
    enabled: Type.Boolean(),
    disabled: orNull(
      Type.Object(
        {
          why: oneOf(['person', 'gone', 'failing'], 'Who or what disabled it.'),
          text: Type.String({ description: 'The same as a sentence.' }),
          at: timestampOrNull('When.'),
        },
        { additionalProperties: false },
      ),
    ),
    created_at: timestampOrNull('When it was made.'),
    previous_secret_until: timestampOrNull('Until when the previous secret also signs; null: it does not.'),
    health: Type.Object(
      {
        last_success_at: timestampOrNull('When something last arrived.'),
        failing_since: timestampOrNull('Since when nothing arrives; null: it is healthy.'),
        failures: Type.Integer({ description: 'Attempts that failed in a row.' }),
        misconfigured: Type.Boolean({ description: 'It answers, but with a refusal that does not go away by itself.' }),
        breaker: Type.Object(
          {
            state: oneOf(
              breakerStates,
              '`open`: nothing is sent for a while. `probing`: one delivery is tried. `recovering`: few deliveries at once.',
            ),
            until: timestampOrNull('Until when.'),
          },
          { additionalProperties: false },
        ),
        warning: orNull(
          Type.Object(
            { text: Type.String(), disables_at: timestampOrNull('When it is disabled if that goes on.') },
            { additionalProperties: false },
          ),
        ),
        waiting: Type.Object(
          {
            count: Type.Integer({ description: 'Deliveries that are not finished, counted to 1,000.' }),
            more: Type.Boolean(),
            failed: Type.Integer({ description: 'How many of them have failed so far, and are tried again.' }),
            oldest_at: timestampOrNull('The oldest that waits.'),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false, description: 'The health of the endpoint.' },
    ),
    last_day: Type.Object(
      {
        arrived: Type.Integer({ description: 'Attempts that arrived.' }),
        failed: Type.Integer({ description: 'Attempts that failed.' }),
        p50_ms: orNull(Type.Integer({ description: 'About half of those that arrived took no longer.' })),
        p95_ms: orNull(Type.Integer({ description: 'About 95 of 100 that arrived took no longer.' })),
      },
      { additionalProperties: false, description: 'Attempts of the last 24 hours.' },
    ),
  },
  { additionalProperties: false, description: 'An endpoint, without its secret.' },
)
export type Webhook = Static<typeof Webhook>

const secret = Type.String({ description: 'The secret with which bodies are signed. Shown this once.' })
export const WebhookWithSecret = Type.Object({ webhook: Webhook, secret }, { additionalProperties: false })

export const ChangedWebhook = Type.Object(
  {
    webhook: Webhook,
    missed: orNull(
      Type.Object(
        {
          count: Type.Integer(),
          more: Type.Boolean(),
          from: timestampOrNull('When it was disabled.'),
          until: timestampOrNull('Now.'),
        },
        {
          additionalProperties: false,
          description: 'Events from the time when it was disabled: replay this range to send them.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

const outcome = Type.String({ description: '`ok`, `status`, `redirect`, `timeout`, `network`, `tls`, `refused`.' })
const attemptOutcome = Type.String({
  description:
    '`ok`; `redirect`, `gone` (410), `misconfigured` (another 4xx), `busy` (429, 503), `failed` (5xx): as answered; ' +
    '`network`: no answer in time; `blocked`: the address must not be called; `unsent`: a fault of the service prevented ' +
    'it; `lapsed`: the result is not known.',
})
const took = Type.Record(Type.String(), orNull(Type.Number()), { description: 'Milliseconds by stage.' })
const Sent = Type.Object(
  { url: Type.String(), headers: texts('Without the values of your own headers.'), body: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

export const TestResult = Type.Object(
  {
    outcome,
    error: Type.String({ description: '`""`: none.' }),
    request: Sent,
    response: orNull(
      Type.Object(
        {
          status: Type.Integer(),
          headers: texts('As answered.'),
          body: Type.String({ description: 'Its beginning.' }),
          whole: Type.Boolean({ description: 'Whether that is all of it.' }),
        },
        { additionalProperties: false },
      ),
    ),
    took,
  },
  { additionalProperties: false, description: 'The result of a test event.' },
)

export const Delivery = Type.Object(
  {
    id: id('Identifier of the delivery.'),
    event_id: id('The event.'),
    kind: EventKind,
    event_at: timestampOrNull('When it happened.'),
    intent: orNull(id('The intent it is about.')),
    order: orNull(
      Type.String({ description: 'The order that it reports; null: none, or its text is no longer kept.' }),
    ),
    reference: orNull(Type.String({ description: 'The reference that it reports.' })),
    arrived_amount: orNull(
      amount('`payment.verified`: what arrived for the intent; the event itself says what was asked. Otherwise null.'),
    ),
    forgiven_amount: orNull(amount('What was asked and did not arrive; null as `arrived_amount` is.')),
    replay: Type.Integer({ description: '0: the first time; from 1 on it was sent again by a member.' }),
    state: oneOf(deliveryStates, 'Its state. `retrying`: an attempt failed, the next one is planned.'),
    attempts: Type.Integer(),
    next_attempt_at: timestampOrNull('When it is tried next.'),
    ended_at: timestampOrNull('When it reached its end.'),
    last_attempt: orNull(
      Type.Object(
        { at: timestampOrNull('When.'), outcome: attemptOutcome, status: orNull(Type.Integer()), error: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Delivery = Static<typeof Delivery>

export const WholeDelivery = Type.Object(
  {
    ...Delivery.properties,
    body: orNull(Type.String({ description: 'What was sent, byte for byte; null: no longer kept.' })),
    log: Type.Array(
      Type.Object(
        {
          attempt: Type.Integer(),
          at: timestampOrNull('When.'),
          outcome: attemptOutcome,
          status: orNull(Type.Integer()),
          error: Type.String(),
          request: Sent,
          response: Type.Object(
            { headers: texts('As answered.'), body: Type.String() },
            { additionalProperties: false },
          ),
          took,
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, description: 'A delivery with every attempt.' },
)

const tag = 'Webhooks'
const endpointPath = '/webhooks/{id}/'

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks/',
  access: 'webhooks.read',
  tag,
  summary: 'All endpoints with their health',
  status: 200,
  answer: Type.Object({ results: Type.Array(Webhook) }, { additionalProperties: false }),
})

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks/',
  access: 'webhooks.secrets',
  proof: 'always',
  tag,
  summary: 'A new endpoint; its secret is shown this once',
  body: NewWebhook,
  example: { url: 'https://shop.example/hook' },
  status: 201,
  answer: WebhookWithSecret,
  showsSecret: true,
})

export const showWebhook = operation({
  id: 'showWebhook',
  method: 'GET',
  path: endpointPath,
  access: 'webhooks.read',
  tag,
  summary: 'One endpoint',
  status: 200,
  answer: Webhook,
})

export const changeWebhook = operation({
  id: 'changeWebhook',
  method: 'PATCH',
  path: endpointPath,
  access: 'webhooks.write',
  proof: 'depends',
  tag,
  summary: 'Change an endpoint, enable or disable it',
  description:
    'Its address and its own headers are changed by an owner alone (403 `owner_only`): a member who moves an endpoint receives ' +
    'the values of its headers. Any member who may change endpoints may send the address that it already has. Another address ' +
    'needs a proof of the person.',
  body: WebhookChanges,
  example: { enabled: false },
  status: 200,
  answer: ChangedWebhook,
})

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: endpointPath,
  access: 'webhooks.write',
  tag,
  summary: 'Delete an endpoint; its waiting deliveries end',
  status: 204,
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${endpointPath}rotate/`,
  access: 'webhooks.secrets',
  proof: 'always',
  tag,
  summary: 'A new secret, shown this once',
  description: 'Both secrets sign for `overlap_s`, so that your server can change over without missing anything.',
  body: webhookRotation(),
  status: 200,
  answer: WebhookWithSecret,
  showsSecret: true,
})

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: `${endpointPath}test/`,
  access: 'webhooks.write',
  tag,
  summary: 'Send a test event now, and see the result',
  body: Type.Object({ kind: Type.Optional(EventKind) }),
  status: 200,
  answer: TestResult,
})

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: `${endpointPath}deliveries/`,
  access: 'webhooks.read',
  tag,
  summary: 'The delivery log, the newest first',
  query: {
    state: {
      description:
        '`all`; `waiting`: not finished; `delivered`; `failed`: given up, or not finished and an attempt has failed.',
      schema: listedField(deliveryFilters),
      published: Type.String(),
    },
    ...pageQuery('uuid', 'number'),
  },
  status: 200,
  answer: pageOf(Delivery, 'Deliveries, the newest event first.'),
})

export const showDelivery = operation({
  id: 'showDelivery',
  method: 'GET',
  path: `${endpointPath}deliveries/{delivery}/`,
  access: 'webhooks.read',
  tag,
  summary: 'One delivery with every attempt',
  status: 200,
  answer: WholeDelivery,
})

export const redeliver = operation({
  id: 'redeliver',
  method: 'POST',
  path: `${endpointPath}deliveries/{delivery}/redeliver/`,
  access: 'webhooks.write',
  tag,
  summary: 'Send it again',
  status: 202,
  answer: Delivery,
})

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  showWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  showDelivery,
  redeliver,
  ...replayOperations,
]
