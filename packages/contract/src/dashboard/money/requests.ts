/**
 * Requests: what is over the limit of a member's role waits until a manager or an owner confirms it. Each act that has limits has an
 * `ask/` beside it, with the same body.
 */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { flagField } from '../../query.ts'
import { limitKinds, requestActs, requestStates } from '../../request-kinds.ts'
import { amount, id, oneOf, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, flag, orNull, text } from '../../schema.ts'
import { collectRest } from '../checkouts/collect-rest.ts'
import { pageOf, pageQuery } from '../page.ts'
import { acceptPaid } from './intents.ts'
import { takeSale } from './sales.ts'
import { bookOntoCopy, bookUnmatched } from './unmatched.ts'

const idOrNull = (description: string) => orNull(id(description))

export const LimitRequest = closed("What a member asked for, because it is over the limit of the member's role.", {
  id: id('Identifier of the request.'),
  act: oneOf(requestActs, 'What is done when it is confirmed.'),
  limits: Type.Array(oneOf(limitKinds, 'A limit.'), { description: 'Which limits of who asked it is over.' }),
  alert: idOrNull('The money; null: something is cancelled.'),
  intent: idOrNull('The order; null: walk-in money, or a checkout.'),
  checkout: idOrNull('The checkout that is cancelled; otherwise null.'),
  payment: text('The payment code of the intent; `""`: none.'),
  order: text('The order number; `""`: none.'),
  amount: amount('What arrived, or what is asked for by what is to be cancelled.'),
  short: amount('How far the order falls short.'),
  currency: text('The currency of both.'),
  asked_by: text('Who asked for it.'),
  own: flag('You asked for it.'),
  may_confirm: flag('You may confirm it now: it waits, somebody else asked for it, and it is within your own limits.'),
  asked_at: timestamp('When.'),
  expires_at: timestamp('Until when it can be confirmed.'),
  state: oneOf(
    requestStates,
    '`open`: waits. `confirmed`: done. `refused`: by a manager or an owner. `withdrawn`: by who asked. `expired`: nobody decided ' +
      'in time. `over`: no longer possible, because the money or the order has changed, or who asked may no longer ask.',
  ),
  decided_by: text('Who ended it; `""`: nobody.'),
  decided_at: timestampOrNull('When it ended.'),
  reason: text('Why it was refused; otherwise `""`.'),
  result: idOrNull('The intent that it paid or cancelled; null: none, or a sale that can still be undone.'),
})
export type LimitRequest = Static<typeof LimitRequest>

const operation = operationsOf({ tag: 'Requests' })
const asking =
  'Nothing changes until a manager or an owner confirms. It is tried first: what could not be done either way is refused as by the ' +
  'act itself. 400 `request_not_needed`: it is within your limits. Asking again for the same answers the request that waits. It waits ' +
  'for a day; at most 20 of a member and 100 of an account wait at a time (400 `request_limit`).'

const ask = operationsOf({
  tag: 'Requests',
  method: 'POST',
  access: 'requests.ask',
  description: asking,
  status: 201,
  answer: LimitRequest,
})

export const askBooking = ask({
  id: 'askBooking',
  path: '/unmatched/{id}/book/ask/',
  summary: 'Ask a manager to confirm a booking',
  body: bookUnmatched.body,
  example: bookUnmatched.example,
})
export const askBookingOntoCopy = ask({
  id: 'askBookingOntoCopy',
  path: '/unmatched/{id}/book-copy/ask/',
  summary: 'Ask a manager to confirm a booking onto a copy of an expired order',
  body: bookOntoCopy.body,
  example: bookOntoCopy.example,
})
export const askSale = ask({
  id: 'askSale',
  path: '/unmatched/{id}/take-sale/ask/',
  summary: 'Ask a manager to take walk-in money as a sale',
  body: takeSale.body,
  example: takeSale.example,
})
export const askAcceptance = ask({
  id: 'askAcceptance',
  path: '/intents/{id}/accept-paid/ask/',
  summary: 'Ask a manager to accept the amount that arrived',
  body: acceptPaid.body,
  example: acceptPaid.example,
})
export const askCollection = ask({
  id: 'askCollection',
  path: '/intents/{id}/collect-rest/ask/',
  summary: 'Ask a manager to book what arrived and collect the rest',
  body: collectRest.body,
  example: collectRest.example,
})
export const askCancellation = ask({
  id: 'askCancellation',
  path: '/intents/{id}/cancel/ask/',
  summary: 'Ask a manager to cancel an intent',
})
export const askCheckoutCancellation = ask({
  id: 'askCheckoutCancellation',
  path: '/checkouts/{id}/cancel/ask/',
  summary: 'Ask a manager to cancel a checkout',
})

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/requests/',
  access: 'requests.read',
  summary: 'Requests, the newest first',
  description: 'A cashier sees their own. A manager and an owner see those of all members.',
  query: {
    open: { description: '`1`: only those that wait.', schema: flagField(), published: Type.String() },
    ...pageQuery('uuid'),
  },
  answer: pageOf(LimitRequest, 'Requests, the newest first.'),
})

export const showRequest = operation({
  id: 'showRequest',
  method: 'GET',
  path: '/requests/{id}/',
  access: 'requests.read',
  summary: 'One request',
  answer: LimitRequest,
})

export const confirmRequest = operation({
  id: 'confirmRequest',
  method: 'POST',
  path: '/requests/{id}/confirm/',
  access: 'requests.decide',
  summary: 'Confirm: it is done now',
  description:
    'The act is done with all its checks, in the name of who asked. 403 `over_limit`: it is over your own limits as well, and waits for ' +
    'an owner. 403 `request_own`: you asked for it. 400 `request_over`: it was decided, withdrawn, or has ended. 400 ' +
    '`request_impossible`: the money or the order has changed; the request has ended, and nothing else changed.',
  answer: LimitRequest,
})

export const refuseRequest = operation({
  id: 'refuseRequest',
  method: 'POST',
  path: '/requests/{id}/refuse/',
  access: 'requests.decide',
  summary: 'Refuse: nothing changes',
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 300, description: 'Why, for who asked.' })) }),
  example: { reason: 'The buyer owes the rest' },
  answer: LimitRequest,
})

export const withdrawRequest = operation({
  id: 'withdrawRequest',
  method: 'POST',
  path: '/requests/{id}/withdraw/',
  access: 'requests.ask',
  summary: 'Withdraw what you have asked for',
  description: 'What somebody else asked for: 400 `request_of_another`.',
  answer: LimitRequest,
})

export const requestOperations = [...ask.described, ...operation.described]
