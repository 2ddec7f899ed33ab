/** The API of developers' tools as an OpenAPI 3.1 document. The server serves it. */
import { ApiCall } from '../dashboard/calls/api-calls.ts'
import { EventKind } from '../dashboard/event-kind.ts'
import { TestPaid } from '../dashboard/money/test-payment.ts'
import {
  CallFeed,
  EventFeed,
  FeedEvent,
  NewTestPayment,
  TriggerEvent,
  TriggeredEvent,
  TriggerResult,
} from '../developer.ts'
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import { type Api, type DocumentOptions, type OpenApiDocument, openApi } from '../openapi/document.ts'
import { hintHeaders } from '../openapi/hint-headers.ts'
import { accessToken, tokenErrors } from '../openapi/token-errors.ts'
import { developerOperations } from './operations.ts'

const api: Api = {
  title: 'Sanad developer API',
  introduction: () =>
    "What developers' tools use: events as a feed, made-up events, payments on the testing wallet, the log of your own API calls. Tokens and errors are those of " +
    'the [merchant API](/docs); 300 calls a minute.',
  tags: [
    { name: 'Events', description: 'What webhooks report' },
    { name: 'Test payments', description: 'Payments without money, on the testing wallet' },
    { name: 'API calls', description: 'What your server called' },
  ],
  ...accessToken,
  operations: developerOperations,
  webhooks: {},
  schemas: {
    EventFeed,
    FeedEvent,
    EventKind,
    CallFeed,
    ApiCall,
    TriggerEvent,
    TriggeredEvent,
    NewTestPayment,
    TestPaid,
    TriggerResult,
    ErrorAnswer,
    ErrorEntry,
  },
  answerHeaders: hintHeaders,
  bodiesRequired: true,
  errorSchema: ErrorAnswer,
  errors: tokenErrors,
  errorHeadersLast: true,
}

export const developerOpenApi = (options: DocumentOptions): OpenApiDocument => openApi(api, options)
