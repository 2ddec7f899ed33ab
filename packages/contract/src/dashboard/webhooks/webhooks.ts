/** Webhook endpoints, and every attempt to deliver an event to them. */

import { type Static, Type } from 'typebox'
import { breakerStates, deliveryFilters, deliveryStates } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { listedField } from '../../query.ts'
import { amount, id, oneOf, timestampOrNull } from '../../scalars.ts'
import { closed, flag, orNull, text, whole } from '../../schema.ts'
import { EventKind } from '../event-kind.ts'
import { pageOf, pageQuery } from '../page.ts'
import { replayOperations } from './replay-calls.ts'
import { NewWebhook, WebhookChanges, webhookRotation } from './webhook-bodies.ts'

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })

export const Webhook = closed('An endpoint, without its secret.', {
  id: id('Identifier of the endpoint.'),
  url: text(
    'Where events are sent. Its query may be a password: roles that may not read secrets get `?…` in its place.',
  ),
  wallet: orNull(id('Only events of this wallet; null: of all.')),
  kinds: Type.Array(EventKind, { description: 'The kinds that it gets.' }),
  header_names: Type.Array(Type.String(), { description: 'Headers of its own; their values are never shown.' }),
  enabled: Type.Boolean(),
  disabled: orNull(
    closed({
      why: oneOf(['person', 'gone', 'failing'], 'Who or what disabled it.'),
      text: text('The same as a sentence.'),
      at: timestampOrNull('When.'),
    }),
  ),
  created_at: timestampOrNull('When it was made.'),
  previous_secret_until: timestampOrNull('Until when the previous secret also signs; null: it does not.'),
  health: closed('The health of the endpoint.', {
    last_success_at: timestampOrNull('When something last arrived.'),
    failing_since: timestampOrNull('Since when nothing arrives; null: it is healthy.'),
    failures: whole('Attempts that failed in a row.'),
    misconfigured: flag('It answers, but with a refusal that does not go away by itself.'),
    breaker: closed({
      state: oneOf(
        breakerStates,
        '`open`: nothing is sent for a while. `probing`: one delivery is tried. `recovering`: few deliveries at once.',
      ),
      until: timestampOrNull('Until when.'),
    }),
    warning: orNull(
      closed({ text: Type.String(), disables_at: timestampOrNull('When it is disabled if that goes on.') }),
    ),
    waiting: closed({
      count: whole('Deliveries that are not finished, counted to 1,000.'),
      more: Type.Boolean(),
      failed: whole('How many of them have failed so far, and are tried again.'),
      oldest_at: timestampOrNull('The oldest that waits.'),
    }),
  }),
  last_day: closed('Attempts of the last 24 hours.', {
    arrived: whole('Attempts that arrived.'),
    failed: whole('Attempts that failed.'),
    p50_ms: orNull(whole('About half of those that arrived took no longer.')),
    p95_ms: orNull(whole('About 95 of 100 that arrived took no longer.')),
  }),
})
export type Webhook = Static<typeof Webhook>

const secret = text('The secret with which bodies are signed. Shown this once.')
export const WebhookWithSecret = closed({ webhook: Webhook, secret })

export const ChangedWebhook = closed({
  webhook: Webhook,
  missed: orNull(
    closed('Events from the time when it was disabled: replay this range to send them.', {
      count: Type.Integer(),
      more: Type.Boolean(),
      from: timestampOrNull('When it was disabled.'),
      until: timestampOrNull('Now.'),
    }),
  ),
})

const outcome = text('`ok`, `status`, `redirect`, `timeout`, `network`, `tls`, `refused`.')
const attemptOutcome = text(
  '`ok`; `redirect`, `gone` (410), `misconfigured` (another 4xx), `busy` (429, 503), `failed` (5xx): as answered; ' +
    '`network`: no answer in time; `blocked`: the address must not be called; `unsent`: a fault of the service prevented ' +
    'it; `lapsed`: the result is not known.',
)
const took = Type.Record(Type.String(), orNull(Type.Number()), { description: 'Milliseconds by stage.' })
const Sent = closed({
  url: Type.String(),
  headers: texts('Without the values of your own headers.'),
  body: Type.Optional(Type.String()),
})

export const TestResult = closed('The result of a test event.', {
  outcome,
  error: text('`""`: none.'),
  request: Sent,
  response: orNull(
    closed({
      status: Type.Integer(),
      headers: texts('As answered.'),
      body: text('Its beginning.'),
      whole: flag('Whether that is all of it.'),
    }),
  ),
  took,
})

export const Delivery = closed({
  id: id('Identifier of the delivery.'),
  event_id: id('The event.'),
  kind: EventKind,
  event_at: timestampOrNull('When it happened.'),
  intent: orNull(id('The intent it is about.')),
  order: orNull(text('The order that it reports; null: none, or its text is no longer kept.')),
  reference: orNull(text('The reference that it reports.')),
  arrived_amount: orNull(
    amount('`payment.verified`: what arrived for the intent; the event itself says what was asked. Otherwise null.'),
  ),
  forgiven_amount: orNull(amount('What was asked and did not arrive; null as `arrived_amount` is.')),
  replay: whole('0: the first time; from 1 on it was sent again by a member.'),
  state: oneOf(deliveryStates, 'Its state. `retrying`: an attempt failed, the next one is planned.'),
  attempts: Type.Integer(),
  next_attempt_at: timestampOrNull('When it is tried next.'),
  ended_at: timestampOrNull('When it reached its end.'),
  last_attempt: orNull(
    closed({
      at: timestampOrNull('When.'),
      outcome: attemptOutcome,
      status: orNull(Type.Integer()),
      error: Type.String(),
    }),
  ),
})
export type Delivery = Static<typeof Delivery>

export const WholeDelivery = closed('A delivery with every attempt.', {
  ...Delivery.properties,
  body: orNull(text('What was sent, byte for byte; null: no longer kept.')),
  log: Type.Array(
    closed({
      attempt: Type.Integer(),
      at: timestampOrNull('When.'),
      outcome: attemptOutcome,
      status: orNull(Type.Integer()),
      error: Type.String(),
      request: Sent,
      response: closed({ headers: texts('As answered.'), body: Type.String() }),
      took,
    }),
  ),
})

const operation = operationsOf({ tag: 'Webhooks' })
const endpointPath = '/webhooks/{id}/'

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks/',
  access: 'webhooks.read',
  summary: 'All endpoints with their health',
  answer: closed({ results: Type.Array(Webhook) }),
})

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks/',
  access: 'webhooks.secrets',
  proof: 'always',
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
  summary: 'One endpoint',
  answer: Webhook,
})

export const changeWebhook = operation({
  id: 'changeWebhook',
  method: 'PATCH',
  path: endpointPath,
  access: 'webhooks.write',
  proof: 'depends',
  summary: 'Change an endpoint, enable or disable it',
  description:
    'Its address and its own headers are changed by an owner alone (403 `owner_only`): a member who moves an endpoint receives ' +
    'the values of its headers. Any member who may change endpoints may send the address that it already has. Another address ' +
    'needs a proof of the person.',
  body: WebhookChanges,
  example: { enabled: false },
  answer: ChangedWebhook,
})

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: endpointPath,
  access: 'webhooks.write',
  summary: 'Delete an endpoint; its waiting deliveries end',
  status: 204,
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${endpointPath}rotate/`,
  access: 'webhooks.secrets',
  proof: 'always',
  summary: 'A new secret, shown this once',
  description: 'Both secrets sign for `overlap_s`, so that your server can change over without missing anything.',
  body: webhookRotation(),
  answer: WebhookWithSecret,
  showsSecret: true,
})

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: `${endpointPath}test/`,
  access: 'webhooks.write',
  summary: 'Send a test event now, and see the result',
  body: Type.Object({ kind: Type.Optional(EventKind) }),
  answer: TestResult,
})

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: `${endpointPath}deliveries/`,
  access: 'webhooks.read',
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
  answer: pageOf(Delivery, 'Deliveries, the newest event first.'),
})

export const showDelivery = operation({
  id: 'showDelivery',
  method: 'GET',
  path: `${endpointPath}deliveries/{delivery}/`,
  access: 'webhooks.read',
  summary: 'One delivery with every attempt',
  answer: WholeDelivery,
})

export const redeliver = operation({
  id: 'redeliver',
  method: 'POST',
  path: `${endpointPath}deliveries/{delivery}/redeliver/`,
  access: 'webhooks.write',
  summary: 'Send it again',
  status: 202,
  answer: Delivery,
})

export const webhookOperations = [...operation.described, ...replayOperations]
