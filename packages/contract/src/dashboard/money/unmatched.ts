/** Unmatched money and what a member may do with it, and the list of all alerts. */

import { type Static, Type } from 'typebox'
import { sentAmount } from '../../body.ts'
import { intentStatuses, queueStates } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import {
  afterField,
  amountFilter,
  choicesField,
  cursorPages,
  idFilter,
  instantFilter,
  pageSizeField,
  searchField,
} from '../../query.ts'
import { amount, id, oneOf, textOf, timestamp } from '../../scalars.ts'
import { body, closed, flag, orNull, text } from '../../schema.ts'
import { Alert, AlertState, QueueAlert, WholeAlert } from './alert.ts'
import { arrivalFields } from './arrival.ts'

export const BookedIntent = closed('An intent in short.', {
  id: id('Identifier of the intent.'),
  code: text('Its payment code.'),
  external_order_id: text('The order it is for.'),
  status: oneOf(intentStatuses, 'Its status.'),
  payable_amount: amount('What the buyer had to pay.'),
  ...arrivalFields,
  currency: text('In which currency.'),
  reference: text('The reference it holds.'),
  wallet: id('Its wallet.'),
  manual_override: flag('Whether a member booked it.'),
  created_at: timestamp('When it was made.'),
  expires_at: timestamp('When its window ends.'),
  verified_at: orNull(timestamp('When it was verified.')),
})
export type BookedIntent = Static<typeof BookedIntent>

export const Booked = closed('The result of the booking.', { intent: BookedIntent, alert: Alert })
export type Booked = Static<typeof Booked>

const page = <T extends Parameters<typeof Type.Array>[0]>(element: T) =>
  closed({
    next: orNull(
      Type.String(),
      'Send it as `after` for the following page; null: this was the last. A page may be short, even empty, and have a ' +
        'next: for one page only a part of a long list is searched.',
    ),
    results: Type.Array(element),
  })

const count = (description: string) =>
  closed(description, {
    count: Type.Integer({ minimum: 0, maximum: 1000, description: 'How many, up to 1000.' }),
    more: flag('There are more than that.'),
  })

export const UnmatchedCounts = closed({
  waiting: count('Credits without an intent.'),
  review: count('Credits that a member must decide on.'),
  held: count('Alerts that came while their phone was off, or the account suspended.'),
  unread: count('Alerts that no template reads.'),
  wrong_amount: count('Credits that only ended an intent as WRONG_AMOUNT: not spent yet.'),
})

const published = Type.String()
const pageQuery = {
  wallet: { description: 'Only alerts of this wallet.', schema: idFilter(), published },
  from: {
    description:
      'Received at this time or later: ISO 8601; a date means its midnight. Without an offset: in the zone of the account.',
    schema: instantFilter('after'),
    published,
  },
  until: {
    description: 'Received before this time. Without an offset: in the zone of the account.',
    schema: instantFilter('until'),
    published,
  },
  amount: { description: 'Only alerts of exactly this amount.', schema: amountFilter(), published },
  search: { description: 'Terms that must occur in the reference or in the payer.', schema: searchField('words') },
  ordering: {
    description: '`-received_at` (newest first) or `received_at`.',
    schema: textOf(['-received_at', 'received_at']),
    published,
  },
  after: { description: '`next` of the page before.', schema: afterField([]), published },
  page_size: {
    description: `At most ${cursorPages.largest}; ${cursorPages.usual} if left out.`,
    schema: pageSizeField(cursorPages),
    published,
  },
}

const operation = operationsOf({ tag: 'Unmatched money' })
const alertId = '/unmatched/{id}/'

export const listUnmatched = operation({
  id: 'listUnmatched',
  method: 'GET',
  path: '/unmatched/',
  access: 'unmatched.read',
  summary: 'Unmatched money, with the intents it may belong to',
  query: {
    state: {
      description: 'One or several states, separated by commas; left out: all but `dismissed`.',
      schema: choicesField(oneOf([...queueStates, 'dismissed'], 'A state of the queue.')),
    },
    ...pageQuery,
  },
  answer: page(QueueAlert),
})

export const countUnmatched = operation({
  id: 'countUnmatched',
  method: 'GET',
  path: '/unmatched/counts/',
  access: 'unmatched.read',
  summary: 'How many are in the queue, by state',
  answer: UnmatchedCounts,
})

export const showAlert = operation({
  id: 'showAlert',
  method: 'GET',
  path: alertId,
  access: 'unmatched.read',
  summary: 'Everything that is known of an alert, whatever became of it',
  answer: WholeAlert,
})

export const Booking = body('The intent, and both amounts, so that a member books only what they have seen.', {
  intent: id('Which intent.'),
  alert_amount: sentAmount('What was paid, as you saw it.'),
  intent_amount: sentAmount('What the intent asks for, as you saw it.'),
  another_payment: Type.Optional(
    flag(
      '`true`: you saw that it may be a payment that is spent already (the doubt `same_payment`), and it is another one.',
    ),
  ),
})

const bookingRules =
  'A member decides: the amounts may differ, the currencies may not (400 `currency_mismatch`). Send both amounts as you saw ' +
  'them; if they differ from what is stored, the answer is 400 `amount_changed`. Money that may be a ' +
  'payment which is spent already, reported in another text, is refused with `may_be_same_payment`, unless ' +
  '`another_payment` is `true`; `facts` hold the other alert and its intent. If two members act at once, one wins; the ' +
  'other gets `alert_not_open` or `intent_not_pending`, with the first member in `facts`. The intent is VERIFIED with ' +
  '`manual_override`, and `payment.verified` is sent.'
const bookingExample = { intent: '{intent}', alert_amount: '1500.00', intent_amount: '1500.00' }

export const bookUnmatched = operation({
  id: 'bookUnmatched',
  method: 'POST',
  path: `${alertId}book/`,
  access: 'unmatched.write',
  summary: 'Book it onto a pending intent',
  description: bookingRules,
  body: Booking,
  example: bookingExample,
  answer: Booked,
})

export const bookOntoCopy = operation({
  id: 'bookOntoCopy',
  method: 'POST',
  path: `${alertId}book-copy/`,
  access: 'unmatched.write',
  summary: 'Book it onto a new intent that copies an expired order',
  description:
    `${bookingRules} The expired intent stays as it is; the copy is on the wallet that the money came to. Test money pays no copy ` +
    'of a real order, nor the other way round (400 `test_and_real`).',
  body: Booking,
  example: bookingExample,
  answer: Booked,
})

export const releaseHeldAlert = operation({
  id: 'releaseHeldAlert',
  method: 'POST',
  path: `${alertId}release/`,
  access: 'unmatched.write',
  summary: 'Release a held alert, although its phone was switched off',
  answer: WholeAlert,
})

export const dismissAlert = operation({
  id: 'dismissAlert',
  method: 'POST',
  path: `${alertId}dismiss/`,
  access: 'unmatched.write',
  summary: 'Dismiss an alert, with a reason',
  description:
    'It matches nothing any more: a PATCH with its reference is answered as if there were no such alert, and a message ' +
    'that repeats it is a duplicate.',
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 300, description: 'Why.' }) }),
  example: { reason: 'Not for an order' },
  answer: WholeAlert,
})

export const undoDismissal = operation({
  id: 'undoDismissal',
  method: 'POST',
  path: `${alertId}undo-dismiss/`,
  access: 'unmatched.write',
  summary: 'Undo the dismissal of an alert',
  description:
    'It is matched again: an intent with its reference is resolved at once, and an alert that no template has read is read ' +
    'again. Refused with `reference_taken` if other money was booked under the same reference meanwhile.',
  answer: WholeAlert,
})

export const chooseWallet = operation({
  id: 'chooseWallet',
  method: 'POST',
  path: `${alertId}choose-wallet/`,
  access: 'unmatched.write',
  summary: 'Choose the wallet of an alert, and read it again',
  description:
    'For an alert that fits several wallets of its phone (`which_wallet`). The wallet is one of `wallet_choices`.',
  body: Type.Object({ wallet: id('Which wallet.') }),
  example: { wallet: '{wallet}' },
  answer: WholeAlert,
})

export const readAlertAgain = operation({
  id: 'readAlertAgain',
  method: 'POST',
  path: `${alertId}read-again/`,
  access: 'unmatched.write',
  summary: 'Read an alert again with the current wallets and templates',
  description: 'For an alert that no template reads, or that is under review.',
  answer: WholeAlert,
})

export const acceptBalance = operation({
  id: 'acceptBalance',
  method: 'POST',
  path: `${alertId}accept-balance/`,
  access: 'unmatched.write',
  summary: 'Accept the balance of an alert as correct',
  description:
    'For an alert whose balance does not follow from the one before (`broken_chain`). The balance chain continues from it. It ' +
    'and all alerts that follow from it are matched: an intent with the reference is verified at once.',
  answer: WholeAlert,
})

export const notDuplicate = operation({
  id: 'notDuplicate',
  method: 'POST',
  path: `${alertId}not-duplicate/`,
  access: 'unmatched.write',
  summary: 'Mark an alert as a separate payment, not a duplicate',
  description:
    'For an alert without a reference that counts as a duplicate because its text had come before. It goes to review: a ' +
    'member books it. Also for an alert that waits because it may be a payment that is spent already (`amount_seen`): an ' +
    'intent that holds its reference is verified at once.',
  answer: WholeAlert,
})

export const RevealedCode = closed('The message of a one-time code.', {
  title: text('The title of a notification; else `""`.'),
  text: text('The message as it came.'),
  deleted_at: orNull(timestamp('When the service deletes it.')),
})

export const revealCode = operation({
  id: 'revealCode',
  method: 'POST',
  path: '/alerts/{id}/reveal/',
  access: 'phones.secrets',
  summary: 'Read the message of a one-time code',
  description:
    'For the owner alone, while the message is kept: seven days. Each reading is an entry of the audit log ' +
    '(`alert.reveal`). Messages of unknown senders are never revealed.',
  answer: RevealedCode,
})

export const listAlerts = operation({
  id: 'listAlerts',
  method: 'GET',
  path: '/alerts/',
  access: 'alerts.read',
  summary: 'All that phones reported',
  query: {
    state: {
      description: 'One or several states, separated by commas; left out: all.',
      schema: choicesField(AlertState),
    },
    device: { description: 'Reported by this phone.', schema: idFilter(), published },
    template: { description: 'Read by this template.', schema: idFilter(), published },
    ...pageQuery,
  },
  answer: page(Alert),
})

export const unmatchedOperations = operation.described
