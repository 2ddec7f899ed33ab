/** Intents in the dashboard: listing, showing, creating, cancelling, and the download as a table. */

import { type Static, Type } from 'typebox'
import { sentAmount } from '../../body.ts'
import { AttachReference, CreateIntent, Intent } from '../../intent.ts'
import { dashboardFilters } from '../../intent-query.ts'
import { moveKinds } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { requestMoves } from '../../request-kinds.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { body, closed, flag, orNull, text } from '../../schema.ts'
import { fileName, replayed } from '../answer-headers.ts'
import { arrivalFields } from './arrival.ts'
import { By } from './by.ts'
import { Claim } from './claim.ts'
import { intentQuery } from './intent-query.ts'
import { FittingAlert, NearAlert } from './near-alert.ts'
import { ClaimedPayer, NewPayer, PayerBody } from './payer.ts'
import { HandedOver } from './sales.ts'
import { TellingOf } from './telling.ts'
import { VoucherMark } from './vouchers.ts'

const facts = Type.Record(Type.String(), Type.String(), { description: 'The values that a sentence about it needs.' })

export const UnmatchedHint = closed('Unmatched money that likely belongs to this intent.', {
  alert: id('The alert nearest in time; it is in the unmatched queue.'),
  amount: amount('What arrived; it equals the payable amount.'),
  received_at: timestamp('When the alert reached the service.'),
  count: Type.Integer({ minimum: 1, description: 'How many such alerts there are.' }),
})

export const ListedIntent = closed({
  ...Intent.properties,
  ...arrivalFields,
  amount_unique: flag(
    'Its `payable_amount` was given to it alone (unique amounts of the wallet): a payment of exactly this amount verifies ' +
      'it without a reference. false: only a reference verifies it.',
  ),
  unmatched: orNull(
    UnmatchedHint,
    'For a `PENDING` or `EXPIRED` intent: unmatched money on the same wallet, of the same amount, from ten minutes ' +
      'before the intent to two hours after. Nothing is booked by it. Otherwise null.',
  ),
})

const pageUrl = (which: string) => orNull(Type.String({ format: 'uri' }), `URL of the ${which} page, or null.`)

export const ListedIntents = closed({
  count: Type.Integer({ minimum: 0, description: 'How many intents the filters find, on all pages.' }),
  next: pageUrl('next'),
  previous: pageUrl('previous'),
  results: Type.Array(ListedIntent, { maxItems: 100 }),
})
export type ListedIntents = Static<typeof ListedIntents>

export const TimelineEntry = closed(
  'Facts by kind. `created`: `amount`, `currency`, and `base` if it differs from `amount`. `reference`: `reference`. `reference_moved`: ' +
    '`reference`, and the `intent` that got it with its `payment` (code) and `order`. `alert`: ' +
    '`alert`, `amount`, `currency`, `sender`, `reference`, `phone`. `wrong_amount`, `booked`: `paid`, `payable`; `booked` also ' +
    '`forgiven` or `excess` if one is above zero. `not_matched`: ' +
    '`reason` (as of an alert), `amount`, `currency`, `alert`. `request_asked`: `request`, `act`, `amount`, `short`, `currency`; ' +
    '`request_refused` may have the `reason`. The entry that resolved the intent may have `doubts`: codes, ' +
    'separated by commas, that a member should check.',
  {
    at: timestamp('When.'),
    kind: oneOf(
      ['created', 'alert', 'handed_over', 'voucher_shared', 'voucher_revoked', ...moveKinds, ...requestMoves],
      'What happened. `alert`: the alert that resolved it reached the service. `not_matched`: its amount arrived without a ' +
        'reference and did not verify it. `voucher_shared`, `voucher_revoked`: its public address. `request_...`: a request for what ' +
        'is over the limit of a member, and what became of it.',
    ),
    by: By,
    facts,
  },
)
export type TimelineEntry = Static<typeof TimelineEntry>

export const ResolvingAlert = closed('The alert that resolved the intent.', {
  id: id('Identifier of the alert.'),
  kind: oneOf(['sms', 'notification'], 'How the phone got it.'),
  sender: text('The sender of the alert.'),
  title: text('The title of a notification; `""` for an SMS.'),
  text: text('The text as the phone sent it.'),
  amount: orNull(amount('What was read.')),
  currency: orNull(Type.String()),
  reference: text('`""` when it had none.'),
  payer: text('`""` when the message shows none.'),
  balance: orNull(Type.String(), 'The balance that it showed.'),
  sim_slot: Type.String(),
  adapter: text('The app that forwarded it; `native`: our own protocol.'),
  trusted: flag('Whether a signature of the phone proves the text.'),
  sent_at: orNull(timestamp('As the message says.')),
  phone_received_at: orNull(timestamp('As the phone says.')),
  received_at: timestamp('When it reached the service: the time that counts.'),
  phone: closed({ id: id('The phone.'), name: Type.String() }),
})
export type ResolvingAlert = Static<typeof ResolvingAlert>

export const Why = closed(
  'Facts by code. `reference_without_alert`: `reference`, `since`. `phone_off`: `phone`, `name`. `phone_silent`: `phone`, ' +
    '`name`, `last_seen_at` (`""`: never). `amount_awaited`: `amount`, `currency`. `wallet_unmonitored`: `missing` (`phone`, ' +
    '`sender` or `template`). `reference_elsewhere` (its number was given for another intent first), `reference_claimed` (its ' +
    'number is claimed for another intent too): `reference`, and the other `intent` with its `payment` (code), `order` and ' +
    '`status`. `reference_free` (a number that it claims can be attached now): `reference`.',
  {
    code: oneOf(
      [
        'no_reference_yet',
        'amount_awaited',
        'amount_not_unique',
        'reference_without_alert',
        'reference_elsewhere',
        'reference_free',
        'reference_claimed',
        'wallet_inactive',
        'wallet_unmonitored',
        'phone_off',
        'phone_silent',
      ],
      'Why it is still pending.',
    ),
    facts,
  },
)
export type Why = Static<typeof Why>

export const ShownIntent = closed('An intent with all that is known of it.', {
  ...Intent.properties,
  ...arrivalFields,
  amount_unique: flag(
    'Its `payable_amount` was given to it alone (unique amounts of the wallet): a payment of exactly this amount verifies ' +
      'it without a reference. false: only a reference verifies it.',
  ),
  created_by: By,
  checkout: orNull(
    id('A checkout.'),
    'The checkout that it belongs to, such as a sale at the counter; otherwise null.',
  ),
  payer: orNull(
    ClaimedPayer,
    'The claimed payer: who pays, as the buyer or a member says. Null: none was claimed. It proves nothing by itself.',
  ),
  timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
  alert: orNull(ResolvingAlert),
  told: Type.Array(TellingOf, { description: 'Oldest first, at most 50.' }),
  why: orNull(Type.Array(Why), 'Only while it is `PENDING`; otherwise null.'),
  spendable: orNull(
    amount('What arrived and is not spent.'),
    'The money of a `WRONG_AMOUNT` intent, while it is not spent: `accept-paid` accepts it. Otherwise null.',
  ),
  references_tried: Type.Integer({ minimum: 0, maximum: 20, description: 'How many different references it had.' }),
  claims: Type.Array(Claim, {
    maxItems: 10,
    description:
      'References that two orders claim, the oldest first: those that were refused to this intent, and those of this intent ' +
      'that others claim. At most five of each.',
  }),
  fits: Type.Array(FittingAlert, {
    maxItems: 20,
    description:
      'While it is `PENDING` or after it has `EXPIRED`: unmatched money that can be booked onto it (`book`, or `book-copy` after the ' +
      'end): the same real wallet, exactly its amount, from ten minutes before the intent to its end, or two hours after its ' +
      'creation if that is later; and money with its reference and its amount that came later. The nearest in time first.',
  }),
  handed_over: orNull(HandedOver, 'Who handed the goods over, and when; otherwise null.'),
  taken_as_sale: flag('It was made at the counter, of walk-in money that was taken as a sale.'),
  voucher: orNull(VoucherMark, 'Its voucher has a public address; otherwise null.'),
  nearest: Type.Array(NearAlert, {
    description: 'While it is `PENDING` or after it has `EXPIRED`: the alerts that come nearest to it, best first.',
  }),
})
export type ShownIntent = Static<typeof ShownIntent>

const operation = operationsOf({ tag: 'Intents' })

export const listIntents = operation({
  id: 'listIntents',
  method: 'GET',
  path: '/intents/',
  access: 'intents.read',
  summary: 'Find intents, with hints at unmatched money',
  query: intentQuery,
  refusals: { 404: 'There is no such page.' },
  answer: ListedIntents,
})

export const createIntent = operation({
  id: 'createIntent',
  method: 'POST',
  path: '/intents/',
  access: 'intents.write',
  summary: 'Make an intent by hand',
  description:
    'The rules are those of the merchant API: the wallet must be monitored, the quota counts, and the header ' +
    '`SERVICE-IDEMPOTENCY-KEY` makes repeating safe (`Idempotent-Replayed: true` says that it was a repetition).',
  headers: {
    'SERVICE-IDEMPOTENCY-KEY': {
      description:
        'Chosen by you, a new one for each attempt at an order: a repeated call with it gets the first answer, also ' +
        'after the intent has ended.',
      schema: Type.String({ minLength: 1, maxLength: 128 }),
    },
  },
  body: body('Either `amount` or `items` is needed. Fields we do not know are ignored.', {
    ...CreateIntent.properties,
    ...NewPayer.properties,
  }),
  example: { wallet: '{wallet}', amount: '1500.00' },
  status: 201,
  refusals: { 409: 'A call with the same key is under way. Repeat it in a moment.' },
  answer: Intent,
  answerHeaders: replayed,
})

export const intentsCsv = operation({
  id: 'intentsCsv',
  method: 'GET',
  path: '/intents/csv/',
  access: 'intents.read',
  proof: 'always',
  summary: 'All that the filters find, as a table',
  description:
    'Newest first, streamed. UTF-8 with a byte order mark; times in the account’s zone; a cell that a spreadsheet would ' +
    'take for a formula begins with an apostrophe. At most four downloads of an account at once: more are answered 429.',
  query: dashboardFilters,
  answerTypes: ['text/csv'],
  answerHeaders: fileName,
})

export const showIntent = operation({
  id: 'showIntent',
  method: 'GET',
  path: '/intents/{id}/',
  access: 'intents.read',
  summary: 'One intent with its timeline, its alert, and why it is still pending',
  answer: ShownIntent,
})

export const attachReference = operation({
  id: 'attachReference',
  method: 'POST',
  path: '/intents/{id}/reference/',
  access: 'intents.write',
  summary: 'Attach the reference by hand',
  description:
    'If the alert has already arrived, the intent is resolved at once. 400 `intent_not_pending` contains its status.',
  body: AttachReference,
  example: { reference: '912345678901' },
  answer: ShownIntent,
})

export const takeReference = operation({
  id: 'takeReference',
  method: 'POST',
  path: '/intents/{id}/take-reference/',
  access: 'intents.move_reference',
  summary: 'Move a claimed reference to this intent',
  description:
    'For a reference in `claims` of this intent, whose state is `held`. `from` is the intent that has it, as you saw it: it loses ' +
    'the reference, and claims it from then on. If the alert has already arrived, this intent is resolved at once. 400 ' +
    '`claim_unknown`: the reference was not refused to this intent. 400 `reference_not_held`: `from` has it no longer, or money ' +
    'has come. 400 `reference_spent`: its money was booked onto another intent. A refusal changes nothing.',
  body: Type.Object({
    ...AttachReference.properties,
    from: id('The intent that has the reference, as you saw it.'),
  }),
  example: { reference: '912345678901', from: '{intent}' },
  answer: ShownIntent,
})

export const setPayer = operation({
  id: 'setPayer',
  method: 'POST',
  path: '/intents/{id}/payer/',
  access: 'intents.write',
  summary: 'Set the claimed payer',
  description:
    'For an intent that is `PENDING` or `EXPIRED`; otherwise 400 `intent_not_pending`. Unmatched money of the same payer and the same ' +
    'amount is then shown first in the queue, with the reason. Nothing is booked by it.',
  body: PayerBody,
  example: { name: 'علي صالح المثال', phone: '770000000' },
  answer: ShownIntent,
})

export const cancelIntent = operation({
  id: 'cancelIntent',
  method: 'POST',
  path: '/intents/{id}/cancel/',
  access: 'intents.write',
  summary: 'Cancel a pending intent',
  description:
    'If the payment came in the same instant, one of the two wins: 400 `intent_not_pending` says what became of it.',
  answer: ShownIntent,
})

export const acceptPaid = operation({
  id: 'acceptPaid',
  method: 'POST',
  path: '/intents/{id}/accept-paid/',
  access: 'intents.write',
  summary: 'Accept the amount that arrived',
  description:
    'For an intent that ended as `WRONG_AMOUNT`. It stays as it is; a new intent of the same order, over the amount that ' +
    'arrived, is made and VERIFIED by the same money, with `manual_override`. 400 `alert_not_open` if the money was spent ' +
    'meanwhile, and `may_be_same_payment` if it may be a payment that is spent already. Send the amount that you saw.',
  body: Type.Object({
    paid_amount: sentAmount('What arrived, as you saw it.'),
    another_payment: Type.Optional(
      flag(
        '`true`: you saw that it may be a payment that is spent already (the doubt `same_payment`), and it is another one.',
      ),
    ),
  }),
  example: { paid_amount: '1400.00' },
  answer: ShownIntent,
})

export const intentOperations = operation.described
