/** The calls of developers' tools. `sanad listen`, `trigger`, `logs`, `phone` and `doctor` use them; other programs may too. */

import { Type } from 'typebox'
import { command, curl, jsonHeader, tokenHeader } from '../code-sample.ts'
import { TestPaid } from '../dashboard/money/test-payment.ts'
import { CallFeed, EventFeed, NewTestPayment, TriggerEvent, TriggeredEvent } from '../developer.ts'
import { invalid } from '../openapi/error-examples.ts'
import { type DescribedError, type Operation, operationsOf } from '../operation.ts'
import { afterField, cursorPages, flagField, pageSizeField } from '../query.ts'
import * as examples from './examples.ts'

const { usual, largest } = cursorPages

const feedQuery = {
  after: {
    description: 'The `next` of the answer before: what came since, the oldest first. Left out: the newest page.',
    schema: afterField([], 'This is no "next" of an answer.'),
    published: { type: 'string', format: 'uuid' },
  },
  page_size: {
    description: `Rows per answer, ${largest} at most, ${usual} by default.`,
    schema: pageSizeField(cursorPages),
    published: { type: 'integer', minimum: 1, maximum: largest },
  },
}

const invalidParameter: DescribedError = {
  description: 'A parameter has an invalid value.',
  examples: { after: invalid('after', ['after', 'invalid', 'This is no "next" of an answer.']) },
}

const operation = operationsOf({ access: 'key', limit: 'developer' })

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events/',
  tag: 'Events',
  summary: 'Follow the events of the account',
  description:
    'Every event that can be sent to a webhook, whether or not an endpoint gets it. Call it with `after` as often as you like: an ' +
    'event can come twice, none is left out. Events of an opt-in kind exist only while an endpoint subscribes to the kind.',
  query: feedQuery,
  answer: EventFeed,
  answerDescription: 'Events, and the position to continue from.',
  answerExamples: { events: ['events', examples.events] },
  refusals: { 400: invalidParameter },
  samples: [
    curl('curl $DEVELOPER_URL/events/', tokenHeader),
    command('npx --no sanad listen --forward-to http://127.0.0.1:3000/hooks'),
  ],
})

export const triggerEvent = operation({
  id: 'triggerEvent',
  method: 'POST',
  path: '/events/trigger/',
  tag: 'Events',
  summary: 'Make up an event',
  description:
    'Sends an event of this kind, with the header `X-Service-Test`, to every endpoint that subscribes to it and to everyone who ' +
    'follows `GET /events/`. No money arrived; it is in no log and no replay.',
  body: TriggerEvent,
  bodyExamples: { verified: ['verified', { event: 'payment.verified' }] },
  answer: TriggeredEvent,
  answerDescription: 'The event, and what each endpoint answered.',
  answerExamples: { sent: ['sent', examples.triggered] },
  refusals: {
    400: {
      description: 'The body is not valid. Nothing was sent.',
      examples: { required: invalid('required', ['event', 'required', 'This field is required.']) },
    },
  },
  samples: [
    curl('curl -X POST $DEVELOPER_URL/events/trigger/', tokenHeader, jsonHeader, `-d '{"event": "payment.verified"}'`),
    command('npx --no sanad trigger payment.verified'),
  ],
})

export const payTestWallet = operation({
  id: 'payTestWallet',
  method: 'POST',
  path: '/test-payments/',
  tag: 'Test payments',
  summary: 'Pay on the testing wallet, without money',
  description:
    'A message in the wording of the testing wallet is recorded like the report of a phone: it is matched by its reference, now or ' +
    'when the reference is attached, and `payment.received` is sent. It needs a test key, and pays no other wallet. If the testing ' +
    'wallet has no phone, the first payment creates a simulated one. At most 20 a minute and 1,000 a day for an account.',
  body: NewTestPayment,
  bodyExamples: { paid: ['paid', { amount: '1500.00', reference: 'TEST-0001' }] },
  status: 201,
  answer: TestPaid,
  answerDescription: 'The message, and what it did.',
  answerExamples: { verified: ['an intent had the reference', examples.testPaid] },
  refusals: {
    400: {
      description: 'The body is not valid. Nothing was paid.',
      examples: { required: invalid('required', ['reference', 'required', 'This field is required.']) },
    },
  },
  samples: [
    curl(
      'curl -X POST $DEVELOPER_URL/test-payments/',
      tokenHeader,
      jsonHeader,
      `-d '{"amount": "1500.00", "reference": "TEST-0001"}'`,
    ),
    command('npx --no sanad phone --amount 1500.00 --reference TEST-0001'),
  ],
})

export const listCalls = operation({
  id: 'listCalls',
  method: 'GET',
  path: '/calls/',
  tag: 'API calls',
  summary: 'Follow the API calls of the account',
  description: 'Your calls to the merchant and checkout APIs of the last seven days, without secrets.',
  query: {
    failed: { description: '`1`: only calls that failed.', schema: flagField() },
    method: { description: 'Only this method.', schema: Type.String() },
    status: {
      description: 'Only this status, such as `404`, or `4xx` for all of them.',
      schema: Type.String(),
      published: { type: 'string', pattern: '^[1-5](\\d\\d|[xX][xX])$' },
    },
    ...feedQuery,
  },
  answer: CallFeed,
  answerDescription: 'Calls, and the position to continue from.',
  answerExamples: { calls: ['calls', examples.calls] },
  refusals: { 400: invalidParameter },
  samples: [
    curl('curl "$DEVELOPER_URL/calls/?failed=1"', tokenHeader),
    command('npx --no sanad logs --failed --follow'),
  ],
})

export const developerOperations: readonly Operation[] = [listEvents, triggerEvent, payTestWallet, listCalls]
