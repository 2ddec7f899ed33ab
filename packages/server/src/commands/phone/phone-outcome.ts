/** The outcome of the alerts that a simulated phone sent, as stored and as sentences. */
import { spellings } from '@sanad/agent/wordings'
import type { AlertState, Reason } from '../../alerts/alert.ts'
import { type PhoneId, smallestId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { alertsOfPhoneSince, newestAlertOfPhone } from './phone-sql.ts'

export type Outcome = {
  readonly id: string
  readonly state: AlertState
  readonly reason: Reason
  readonly amount: string | null
  readonly currency: string | null
  readonly reference: string | null
  readonly intent: { readonly id: string; readonly status: string } | null
}

/** Called before the phone sends. The returned function is called afterwards, with the texts that were sent. */
export const watchOutcomes = async (
  db: Db,
  scope: Scope,
  phoneId: PhoneId,
): Promise<(texts: readonly string[]) => Promise<Outcome[]>> => {
  const [newest] = await newestAlertOfPhone(db, phoneId)
  return async (texts) => {
    const rows = await alertsOfPhoneSince(db, scope, phoneId, newest?.id ?? smallestId, [...new Set(texts)])
    return rows.map((row) => ({
      id: row.id,
      state: row.state as AlertState,
      reason: row.reason as Reason,
      amount: row.amount === null ? null : spellings.full(row.amount),
      currency: row.currency,
      reference: row.reference,
      intent: row.intent_id === null ? null : { id: row.intent_id, status: row.intent_status ?? '' },
    }))
  }
}

const states: Readonly<Record<AlertState, string>> = {
  held: 'held',
  unread: 'not read',
  hidden: 'hidden: a one-time code, or a message of another sender',
  debit: 'money that left',
  duplicate: 'a repetition',
  waiting: 'waits',
  review: 'for a person to look at',
  matched: 'matched',
  wrong_amount: 'ended an intent of another amount; not spent',
  booked: 'booked',
  dismissed: 'dismissed',
}

const reasons: Readonly<Record<Reason, string>> = {
  '': '',
  unknown_sender: 'no wallet of this phone has this sender',
  which_wallet: 'several wallets have this sender, and the SIM does not tell which',
  not_understood: 'no template reads it',
  ambiguous: 'templates read it differently',
  no_reference: 'it carries no reference',
  wrong_currency: "it is in another currency than the wallet's",
  other_sim: "it came by another SIM than the wallet's",
  second_amount: 'an earlier alert has its reference and another amount',
  low_trust: 'the app does not sign its messages',
  above_limit: "it is above the wallet's limit for review",
  broken_chain: 'its balance does not follow from the one before',
  no_intent: 'no intent has its reference yet',
  late: 'the intent with its reference has expired',
  device_off: 'the phone is switched off',
  same_text: 'the same text came a moment before',
  same_reference: 'its reference came before',
  dismissed_before: 'a member dismissed an earlier alert of the same money',
  not_decided: 'the service failed to process it, and stored it',
  denied: 'its words say that the payment was reversed, failed or is pending',
  unexpected_words: 'where a name should be, it has words that may change what it says',
  other_app: "it is a notification of another app than the provider's",
  seen_before: 'the same message came for another wallet before',
  message_part: 'it is part of a longer message',
  read_in_part: 'part of the message was read as other money',
  amount_of_several: 'several intents ask for its amount, or did until a short time ago',
  amount_has_reference: 'the intent of its amount has a reference, and only that verifies it',
  amount_paid_before: 'the intent of its amount was paid a short time ago',
  amount_before_intent: 'the money was sent before the intent of its amount was made',
  amount_untimed: 'the phone does not know when the message was sent',
  amount_payer_differs: 'another payer was claimed for the intent of its amount',
  amount_seen: 'another message brought the same amount: it may be the same payment',
}

const outcomeText = ({ state, reason, intent }: Outcome): string => {
  const why = reasons[reason] || (intent === null ? '' : `intent ${intent.id} is ${intent.status}`)
  return why === '' ? states[state] : `${states[state]}: ${why}`
}

const mostLines = 20

/** One line for each outcome; for many outcomes, one line for each kind with its count. */
export const outcomeLines = (outcomes: readonly Outcome[]): string[] => {
  if (outcomes.length > mostLines) {
    const counts = new Map<string, number>()
    for (const { state, reason, intent } of outcomes) {
      const kind =
        outcomeText({ ...withoutFacts, state, reason }) + (intent === null ? '' : `, intent ${intent.status}`)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    return [...counts].map(([kind, count]) => `${String(count).padStart(7)}  ${kind}`)
  }
  return outcomes.map((outcome) => {
    const money = outcome.amount === null ? 'no amount' : `${outcome.amount} ${outcome.currency}`
    return `  ${money}  ${outcome.reference ?? 'no reference'}  ${outcomeText(outcome)}`
  })
}

const withoutFacts = { id: '', amount: null, currency: null, reference: null, intent: null }
