/**
 * The API of developers' tools as an OpenAPI 3.1 document, made from the schemas of this package. `sanad listen`,
 * `sanad trigger` and `sanad logs` use it; other programs may too. The server serves it.
 */
import type { TSchema } from 'typebox'
import { bodyRefusals, errorAnswer, filter, guarded, refused, responses, text } from './checkout-openapi/answers.ts'
import { ApiCall } from './dashboard/calls/api-calls.ts'
import { EventKind } from './dashboard/event-kind.ts'
import {
  CallFeed,
  type CallFeed as CallFeedAnswer,
  EventFeed,
  type EventFeed as EventFeedAnswer,
  FeedEvent,
  TriggerEvent,
  TriggeredEvent,
  type TriggeredEvent as TriggeredEventAnswer,
  TriggerResult,
} from './developer.ts'
import { ErrorAnswer, ErrorEntry } from './errors.ts'
import { type CodeSample, curl, json as jsonHeader, token } from './merchant-openapi/code-samples.ts'
import { paymentVerified } from './merchant-openapi/examples.ts'
import { hintHeaders, withHintHeaders } from './merchant-openapi/hint-headers.ts'
import { type DocumentOptions, license, type OpenApiDocument, withSamples } from './merchant-openapi.ts'
import { nameSchemas } from './named-schemas.ts'

const { referenceTo, schemas } = nameSchemas({
  EventFeed,
  FeedEvent,
  EventKind,
  CallFeed,
  ApiCall,
  TriggerEvent,
  TriggeredEvent,
  TriggerResult,
  ErrorAnswer,
  ErrorEntry,
})

const json = (schema: TSchema, name: string, value: unknown) => ({
  'application/json': { schema: referenceTo(schema), examples: { [name]: { summary: name, value } } },
})

const next = '019b7cab-4f9a-7000-8000-000000000000'
const eventId = '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f'

export const developerExamples: {
  readonly events: EventFeedAnswer
  readonly calls: CallFeedAnswer
  readonly triggered: TriggeredEventAnswer
} = {
  events: {
    next,
    results: [
      {
        id: eventId,
        event: 'payment.verified',
        created_at: '2026-01-02T06:06:10.250000+03:00',
        is_test: false,
        is_sample: false,
        body: JSON.stringify(paymentVerified),
      },
    ],
  },
  calls: {
    next,
    results: [
      {
        id: '019b7cab-70c1-7a52-9e3f-0a1b2c3d4e5f',
        at: '2026-01-02T06:06:08.737000+03:00',
        client_id: '0123456789abcdef0123456789abcdef',
        method: 'POST',
        path: '/api/v1/merchant/intents/',
        status: 400,
        code: 'required',
        took_ms: 4,
        request_id: 'b7c9d1e3-5f70-4a82-9c14-2d3e4f5a6b7c',
        request_body: '{"amount":"1500.00"}',
        error_body:
          '{"type":"validation_error","errors":[{"code":"required","detail":"This field is required.","attr":"wallet"}]}',
        hint: 'wallet is the id of a wallet, a UUID from GET /api/v1/merchant/wallets/, not its name or its number.',
        ignored: '',
        skipped: 0,
      },
    ],
  },
  triggered: {
    id: eventId,
    event: 'payment.verified',
    results: [
      {
        endpoint: '5d6e7f80-91a2-4b3c-8d4e-5f60718293a4',
        url: 'https://shop.example.com/webhooks/sanad',
        outcome: 'ok',
        status: 200,
        error: '',
      },
    ],
  },
}

const feedParameters = [
  filter('after', 'The `next` of the answer before: what came since, the oldest first. Left out: the newest page.', {
    ...text,
    format: 'uuid',
  }),
  filter('page_size', 'Rows per answer, 200 at most, 50 by default.', { type: 'integer', minimum: 1, maximum: 200 }),
]

const invalidParameter = errorAnswer('A parameter has an invalid value.', [
  'after',
  refused('validation_error', 'invalid', 'This is no "next" of an answer.', 'after'),
])

const paths: OpenApiDocument['paths'] = {
  '/events/': {
    get: {
      operationId: 'listEvents',
      tags: ['Events'],
      summary: 'Follow the events of the account',
      description:
        'Every event that can be sent to a webhook, whether or not an endpoint gets it. Call it with `after` as often as you like: an ' +
        'event can come twice, none is left out. Events of an opt-in kind exist only while an endpoint subscribes to the kind.',
      parameters: feedParameters,
      responses: {
        200: {
          description: 'Events, and the position to continue from.',
          content: json(EventFeed, 'events', developerExamples.events),
        },
        400: invalidParameter,
        ...guarded,
      },
    },
  },
  '/events/trigger/': {
    post: {
      operationId: 'triggerEvent',
      tags: ['Events'],
      summary: 'Make up an event',
      description:
        'Sends an event of this kind, with the header `X-Service-Test`, to every endpoint that subscribes to it and to everyone who ' +
        'follows `GET /events/`. No money arrived; it is in no log and no replay.',
      requestBody: { required: true, content: json(TriggerEvent, 'verified', { event: 'payment.verified' }) },
      responses: {
        200: {
          description: 'The event, and what each endpoint answered.',
          content: json(TriggeredEvent, 'sent', developerExamples.triggered),
        },
        400: errorAnswer('The body is not valid. Nothing was sent.', [
          'required',
          refused('validation_error', 'required', 'This field is required.', 'event'),
        ]),
        ...bodyRefusals,
        ...guarded,
      },
    },
  },
  '/calls/': {
    get: {
      operationId: 'listCalls',
      tags: ['API calls'],
      summary: 'Follow the API calls of the account',
      description: 'Your calls to the merchant and checkout APIs of the last seven days, without secrets.',
      parameters: [
        filter('failed', '`1`: only calls that failed.', { type: 'string', enum: ['1'] }),
        filter('method', 'Only this method.', text),
        filter('status', 'Only this status, such as `404`, or `4xx` for all of them.', {
          ...text,
          pattern: '^[1-5](\\d\\d|[xX][xX])$',
        }),
        ...feedParameters,
      ],
      responses: {
        200: {
          description: 'Calls, and the position to continue from.',
          content: json(CallFeed, 'calls', developerExamples.calls),
        },
        400: invalidParameter,
        ...guarded,
      },
    },
  },
}

const command = (line: string) => ({ lang: 'Shell' as const, label: 'sanad' as const, source: line })

export const developerSamples: Readonly<Record<string, readonly CodeSample[]>> = {
  listEvents: [
    curl('curl $DEVELOPER_URL/events/', token),
    command('npx sanad listen --forward-to http://127.0.0.1:3000/hooks'),
  ],
  triggerEvent: [
    curl('curl -X POST $DEVELOPER_URL/events/trigger/', token, jsonHeader, `-d '{"event": "payment.verified"}'`),
    command('npx sanad trigger payment.verified'),
  ],
  listCalls: [curl('curl "$DEVELOPER_URL/calls/?failed=1"', token), command('npx sanad logs --failed --follow')],
}

export const developerOpenApi = ({ version, serverUrl }: DocumentOptions): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Sanad developer API',
    description:
      "What developers' tools use: events as a feed, made-up events, the log of your own API calls. Tokens and errors are those of " +
      'the [merchant API](/docs); 300 calls a minute.',
    version,
    license,
  },
  servers: [{ url: serverUrl, description: 'This service' }],
  tags: [
    { name: 'Events', description: 'What webhooks report' },
    { name: 'API calls', description: 'What your server called' },
  ],
  security: [{ accessToken: [] }],
  paths: withSamples(paths, developerSamples),
  webhooks: {},
  components: {
    schemas: schemas(),
    headers: hintHeaders,
    responses: withHintHeaders(Object.fromEntries(Object.entries(responses).filter(([name]) => name !== 'NotFound'))),
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` from `POST /token` of the merchant API.',
      },
    },
  },
})
