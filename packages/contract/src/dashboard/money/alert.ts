/** An alert in the dashboard: the report, its reading, its outcome, and the intents it may belong to. */
import { type Static, Type } from 'typebox'
import { alertReasons, alertStates, doubtCodes, intentStatuses, queueStates } from '../../kinds.ts'
import { amount, id, oneOf, signedAmount, timestamp } from '../../scalars.ts'
import { closed, closedOrNull, flag, listOf, orNull, text } from '../../schema.ts'
import { arrivalFields } from './arrival.ts'
import { Claim } from './claim.ts'
import { Payer } from './payer.ts'

export const likelyReasons = [
  'same_reference',
  'same_phone',
  'same_phone_shown',
  'same_name',
  'same_name_shown',
  'other_phone',
  'other_name',
  'same_amount',
  'other_amount',
  'made_before',
  'made_after',
  'no_reference_yet',
  'other_reference',
] as const

const facts = (description: string) => Type.Record(Type.String(), Type.String(), { description })

export const AlertState = oneOf(
  alertStates,
  '`waiting`: a credit without an intent. `review`: a member decides. `held`: its phone was off, or the account suspended. ' +
    '`unread`: no template reads it. `matched`, `booked`: it verified an intent, and is spent; `booked` without an intent: it was just ' +
    'taken as a sale (`sale`). `wrong_amount`: it ended an ' +
    'intent that asked for another amount; it is not spent, and may verify another intent. `dismissed`: set aside by a member. ' +
    '`debit`: money that left. `duplicate`: reported before. `hidden`: a one-time code; its text is sealed, and shown masked.',
)
export type AlertState = Static<typeof AlertState>

export const LikelyIntent = closed('An intent that money may belong to. Nothing is ever matched by guess.', {
  id: id('Identifier of the intent.'),
  code: text('Its payment code.'),
  external_order_id: text('The order it is for; `""` if none was given.'),
  status: oneOf(['PENDING', 'EXPIRED'], 'A pending one can be booked onto, an expired one copied.'),
  payable_amount: amount('What the buyer had to pay.'),
  currency: text('In which currency.'),
  reference: text('The reference of the intent; `""` if none.'),
  created_at: timestamp('When it was made.'),
  expires_at: timestamp('When its window ends or ended.'),
  payer: orNull(Payer, 'The claimed payer; null: none was claimed.'),
  reasons: listOf('Why it is likely, the strongest first.', {
    code: oneOf(
      [...likelyReasons],
      'Why, for programs. `same_phone`, `same_name`: the payer of the alert is the claimed payer; with `_shown`, as far as ' +
        'the alert shows it. `other_phone`, `other_name`: the payer of the alert is not the claimed payer.',
    ),
    facts: facts('`seconds` between the two, `reference`, `name` and `phone` of the claimed payer.'),
  }),
})
export type LikelyIntent = Static<typeof LikelyIntent>

export const Doubt = closed('Why a member should check the alert, beside the reason.', {
  code: oneOf(
    [...doubtCodes],
    '`unsigned`: no signature proves the report. `balance`: its balance does not follow from the one before. ' +
      '`phone_new`: its phone had been connected less than a day before. `sender_new`: messages of its sender had counted for ' +
      'the wallet for less than a day. `unsigned_denial`: an unsigned message with the same reference says that the payment was ' +
      'reversed, failed or is pending. `seen_before`: an earlier alert has the same ' +
      'text. `same_payment`: it may be a payment that is spent already, reported in another text. `many_references`: many ' +
      'references had been tried for the intent that it resolved.',
  ),
  facts: facts(
    'By code. `balance`: `missing`, `since`. `unsigned_denial` and `seen_before`: `other` (an alert). `same_payment`: `other` (an alert), and its `intent`, ' +
      '`payment` (the code of the intent) and `order`. `many_references`: `tried`.',
  ),
})
export type Doubt = Static<typeof Doubt>

const alertFields = {
  id: id('Identifier of the alert.'),
  state: AlertState,
  reason: closed({
    code: oneOf([...alertReasons], 'Why it is in this state, for programs; `""`: no reason is needed.'),
    facts: facts(
      '`limit`, `sim_slot`, `wallet_sim_slot`, `currency`, `wallet_currency`, `missing`, `since`, `device`, `other` (an alert), ' +
        '`other_amount`: the facts that a sentence about the reason needs.',
    ),
  }),
  doubts: Type.Array(Doubt, { maxItems: 6, description: 'Reasons to doubt the alert, in every state; usually empty.' }),
  wallet: closedOrNull('Null: the wallet is not known.', {
    id: id('Identifier of the wallet.'),
    name: text('Its name.'),
    currency: text('What it collects.'),
    is_test: flag('Whether it is the testing wallet.'),
  }),
  device: closed('The phone that reported it.', { id: id('Identifier of the phone.'), name: text('Its name.') }),
  kind: oneOf(['sms', 'notification'], 'How it reached the phone.'),
  sender: text('The sender of the message, as the phone reports it.'),
  title: text('The title of a notification; else `""`.'),
  text: text('The message as it came; if it is hidden, with its numbers masked.'),
  sim_slot: text('`SIM1`, `SIM2` or `""`.'),
  adapter: text('The app that forwarded it; `native`: our own protocol.'),
  trusted: flag('Whether a signature of the phone proves the text.'),
  direction: orNull(oneOf(['credit', 'debit'], 'Whether money came or left.')),
  amount: orNull(amount('How much; null: not understood.')),
  currency: orNull(text('In which currency.')),
  reference: text('The reference in the message; `""` if none.'),
  payer: text('Who paid, as far as the message shows it.'),
  balance: orNull(signedAmount('The balance that it shows.')),
  chain: closedOrNull('Null: not a movement of money.', {
    kind: oneOf(['fits', 'break', 'unknown'], 'Whether its balance followed from the one before, when it came.'),
    missing: orNull(
      signedAmount('Money that arrived before it without an alert; below zero: money that left without an alert.'),
    ),
    since: orNull(timestamp('When the balance before it was shown.')),
  }),
  sent_at: orNull(timestamp('When it was sent, as the phone says.')),
  phone_received_at: orNull(timestamp('When the phone got it, as the phone says.')),
  received_at: timestamp('When it reached this service.'),
  template: orNull(id('The template that read it.')),
  duplicate_of: orNull(id('The alert that it repeats.')),
  seen_by: Type.Array(
    closed({
      phone: closed({ id: id('Identifier of the phone.'), name: text('Its name.') }),
      kind: oneOf(['sms', 'notification'], 'How it reached the phone.'),
      adapter: text('The app that forwarded it.'),
      received_at: timestamp('When its first report reached this service.'),
      after_s: Type.Number({ minimum: 0, description: 'How many seconds after the first report.' }),
    }),
    {
      maxItems: 10,
      description:
        'The phones that reported this payment, in the order of their reports, and whether as SMS or as notification. Empty ' +
        'for a hidden message.',
    },
  ),
  intent: closedOrNull('The intent that it verified, or ended as WRONG_AMOUNT.', {
    id: id('Identifier of the intent.'),
    code: text('Its payment code.'),
    external_order_id: text('The order it is for; `""` if none was given.'),
    payable_amount: amount('What the buyer had to pay.'),
    ...arrivalFields,
    status: oneOf([...intentStatuses], 'Its status.'),
  }),
  sale: closedOrNull('A member took the money as a sale at the counter. Null: not so.', {
    by: text('Who took it.'),
    at: timestamp('When.'),
    undo_until: timestamp('Until then it can be undone; its intent and its event exist only afterwards.'),
    external_order_id: text('The order number of the sale; `""` if none was given.'),
    note: text('The note; `""` if none was given.'),
  }),
  dismissed: orNull(
    closed({
      from: oneOf([...queueStates], 'The state before, to which undoing returns it.'),
      at: timestamp('When.'),
      by: text('Who dismissed it.'),
      reason: text('Why, as they wrote it.'),
    }),
  ),
}

export const Alert = closed('What a phone reported.', alertFields)
export type Alert = Static<typeof Alert>

export const QueueAlert = closed('An alert with the intents that it may belong to.', {
  ...alertFields,
  likely: Type.Array(LikelyIntent, {
    maxItems: 3,
    description:
      'Intents of the same wallet that have the reference of the alert, or that ask for exactly its amount and were open when ' +
      'it came (or created up to ten minutes later); best first, at most three. Only one with the reference of the alert may ' +
      'ask for another amount (`other_amount`).',
  }),
  claims: Type.Array(Claim, {
    maxItems: 5,
    description: 'Two orders claim its reference: the claims of orders that did not get it, the oldest first.',
  }),
  wallet_choices: Type.Array(closed({ id: id('Identifier of the wallet.'), name: text('Its name.') }), {
    maxItems: 10,
    description:
      'If the reason is `which_wallet`: the wallets that it can belong to. A member chooses with `choose-wallet`.',
  }),
})
export type QueueAlert = Static<typeof QueueAlert>

export const WholeAlert = closed('Everything that is known of an alert.', {
  ...QueueAlert.properties,
  related: Type.Array(Alert, {
    maxItems: 10,
    description: 'Other alerts of the same wallet with the same reference, the oldest first.',
  }),
  history: Type.Array(
    closed({
      at: timestamp('When.'),
      by: text('Who.'),
      action: text('What they did, such as `alert.dismiss`.'),
    }),
    { maxItems: 50, description: 'What members did with it, the newest first.' },
  ),
})
export type WholeAlert = Static<typeof WholeAlert>
