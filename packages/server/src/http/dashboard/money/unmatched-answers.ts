/** JSON answers: alerts, the intents that they may belong to, and the intent of a booking. */

import type * as wire from '@sanad/contract/dashboard/money/alert'
import type { BookedIntent } from '@sanad/contract/dashboard/money/unmatched'
import type { MemberRole } from '../../../accounts/people/permission.ts'
import type { Instant } from '../../../core/clock.ts'
import type { PhoneId } from '../../../core/ids.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { readArrival } from '../../../intents/arrival.ts'
import { type Intent, type Status, statusAt } from '../../../intents/intent.ts'
import type { Likely } from '../../../matching/queue/likely-intents.ts'
import { isClaimed } from '../../../matching/records/claimed-payer.ts'
import { type Doubtful, doubtsOf } from '../../../matching/rules/doubts.ts'
import type { PayerReason } from '../../../matching/rules/payer-likeness.ts'
import type { ShownAlert } from '../../../views/alerts/alert-list-sql.ts'
import { arrivalAnswer } from '../arrival-answer.ts'
import { timeIn, timeOrNull } from '../time-text.ts'
import { mayReadLimits } from '../wallets/review-limits.ts'

const money = (amount: Minor | null): string | null => (amount === null ? null : formatMinor(amount))

type Facts = Record<string, string>
const withoutNulls = (facts: Record<string, string | null>): Facts =>
  Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null))

/** The facts that explain the reason. */
const factsOf = (row: ShownAlert, role: MemberRole, zone: Zone): Facts => {
  const limit = (amount: Minor | null): string | null => (mayReadLimits(role) ? money(amount) : null)
  switch (row.reason) {
    case 'wrong_currency':
      return withoutNulls({ currency: row.currency, wallet_currency: row.wallet_currency })
    case 'other_sim':
      return withoutNulls({ sim_slot: row.sim_slot, wallet_sim_slot: row.wallet_sim_slot })
    case 'above_limit':
      return withoutNulls({ limit: limit(row.review_above) })
    case 'low_trust':
      return withoutNulls({ limit: limit(row.low_trust_limit), adapter: row.adapter })
    case 'broken_chain':
      return withoutNulls({ missing: money(row.chain_missing), since: timeOrNull(zone, row.chain_since) })
    case 'second_amount':
    case 'dismissed_before':
      return withoutNulls({ other: row.other_id, other_amount: money(row.other_amount) })
    case 'amount_seen':
      return withoutNulls({ other: row.same_payment?.id ?? row.similar_to })
    case 'device_off':
      return { device: row.device_name }
    case 'unknown_sender':
    case 'which_wallet':
      return { sender: row.sender }
    default:
      return {}
  }
}

/** What the doubts about an alert are decided by. */
export const doubtfulOf = (row: ShownAlert): Doubtful => ({
  trusted: row.trusted,
  chain: row.chain,
  chainMissing: row.chain_missing,
  phoneNew: row.phone_new,
  senderNew: row.sender_new,
  deniedBy: row.denied_by,
  similarTo: row.similar_to,
  referenceKey: row.reference_key,
  samePayment: row.same_payment?.id ?? null,
})

/** The doubts about a credit, with the facts that a sentence about each needs. */
const doubtsIn = (row: ShownAlert, zone: Zone): wire.Doubt[] => {
  if (row.direction !== 'credit') return []
  const tried = row.intent_tried ?? 0
  return doubtsOf(doubtfulOf(row), tried).map((code) => {
    switch (code) {
      case 'balance':
        return {
          code,
          facts: withoutNulls({ missing: money(row.chain_missing), since: timeOrNull(zone, row.chain_since) }),
        }
      case 'unsigned_denial':
        return { code, facts: withoutNulls({ other: row.denied_by }) }
      case 'seen_before':
        return { code, facts: withoutNulls({ other: row.similar_to }) }
      case 'same_payment': {
        const { id = row.similar_to, intent = null, code: payment = null, order = null } = row.same_payment ?? {}
        return { code, facts: withoutNulls({ other: id, intent, payment, order }) }
      }
      case 'many_references':
        return { code, facts: { tried: String(tried) } }
      default:
        return { code, facts: {} }
    }
  })
}

type Sighting = [phone: PhoneId, name: string, kind: 'sms' | 'notification', adapter: string, receivedAt: Instant]

const sightingsAnswer = (json: string, zone: Zone): wire.Alert['seen_by'] => {
  const sightings = JSON.parse(json) as Sighting[]
  const firstAt = sightings[0]?.[4] ?? 0
  return sightings.map(([id, name, kind, adapter, receivedAt]) => ({
    phone: { id, name },
    kind,
    adapter,
    received_at: timeIn(zone, receivedAt),
    after_s: Math.round((receivedAt - firstAt) / 100) / 10,
  }))
}

/** Null: nobody took it as a sale. */
const saleAnswer = (row: ShownAlert, zone: Zone): wire.Alert['sale'] =>
  row.sale_by === null
    ? null
    : {
        by: row.sale_by,
        at: timeIn(zone, row.sale_at!),
        undo_until: timeIn(zone, row.sale_due_at!),
        external_order_id: row.sale_order!,
        note: row.sale_note!,
      }

export const alertAnswer = (row: ShownAlert, role: MemberRole, zone: Zone, now: Instant): wire.Alert => ({
  id: row.id,
  state: row.state,
  reason: { code: row.reason, facts: factsOf(row, role, zone) },
  doubts: doubtsIn(row, zone),
  wallet:
    row.wallet_id === null
      ? null
      : { id: row.wallet_id, name: row.wallet_name!, currency: row.wallet_currency!, is_test: row.wallet_is_test! },
  device: { id: row.device_id, name: row.device_name },
  kind: row.kind,
  sender: row.sender,
  title: row.title,
  text: row.raw_text,
  sim_slot: row.sim_slot,
  adapter: row.adapter,
  trusted: row.trusted,
  direction: row.direction,
  amount: money(row.amount),
  currency: row.currency,
  reference: row.reference ?? '',
  payer: row.payer ?? '',
  balance: money(row.balance),
  chain:
    row.chain === null
      ? null
      : { kind: row.chain, missing: money(row.chain_missing), since: timeOrNull(zone, row.chain_since) },
  sent_at: timeOrNull(zone, row.sent_at),
  phone_received_at: timeOrNull(zone, row.phone_received_at),
  received_at: timeIn(zone, row.received_at),
  template: row.template_id,
  duplicate_of: row.duplicate_of,
  seen_by: sightingsAnswer(row.sightings, zone),
  intent:
    row.intent_id === null
      ? null
      : {
          id: row.intent_id,
          code: row.intent_code!,
          external_order_id: row.intent_order!,
          payable_amount: formatMinor(row.intent_payable!),
          ...arrivalAnswer(readArrival({ ...row, status: row.intent_status!, payable: row.intent_payable! })),
          status: statusAt({ status: row.intent_status as Status, expiresAt: row.intent_expires_at! }, now),
        },
  sale: saleAnswer(row, zone),
  dismissed:
    row.dismissed_from === null
      ? null
      : {
          from: row.dismissed_from,
          at: timeIn(zone, row.dismissed_at ?? row.received_at),
          by: row.dismissed_by,
          reason: row.dismissed_why,
        },
})

type Why = wire.LikelyIntent['reasons'][number]
/** The reasons of `PayerLikeness` for the same payer or for another payer. */
type PayerWhy = Exclude<PayerReason, 'not_claimed' | 'not_shown' | 'not_comparable'>

const reasonsOf = (likely: Likely): Why[] => {
  const seconds = { seconds: String(Math.round(Math.abs(likely.apart_ms) / 1000)) }
  const reference: Why[] = likely.sameReference
    ? []
    : likely.hasReference
      ? [{ code: 'other_reference', facts: { reference: likely.reference } }]
      : [{ code: 'no_reference_yet', facts: {} }]
  const { likeness, reason } = likely.payer
  const payer: Why[] =
    likeness === 'unknown'
      ? []
      : [{ code: reason as PayerWhy, facts: { name: likely.claimed.name, phone: likely.claimed.phone } }]
  return [
    ...(likely.sameReference ? [{ code: 'same_reference', facts: { reference: likely.reference } } as const] : []),
    ...payer,
    { code: likely.sameAmount ? 'same_amount' : 'other_amount', facts: {} },
    { code: likely.apart_ms <= 0 ? 'made_before' : 'made_after', facts: seconds },
    ...reference,
  ]
}

export const likelyAnswer = (likely: Likely, zone: Zone): wire.LikelyIntent => ({
  id: likely.intentId,
  code: likely.code,
  external_order_id: likely.externalOrderId,
  status: likely.status,
  payable_amount: formatMinor(likely.payable),
  currency: likely.currency,
  reference: likely.reference,
  created_at: timeIn(zone, likely.createdAt),
  expires_at: timeIn(zone, likely.expiresAt),
  payer: isClaimed(likely.claimed) ? { ...likely.claimed } : null,
  reasons: reasonsOf(likely),
})

export const bookedAnswer = (intent: Intent, zone: Zone, now: Instant): BookedIntent => ({
  id: intent.id,
  code: intent.code,
  external_order_id: intent.externalOrderId,
  status: statusAt(intent, now),
  payable_amount: formatMinor(intent.payable),
  ...arrivalAnswer(intent.arrival),
  currency: intent.currency,
  reference: intent.reference,
  wallet: intent.walletId,
  manual_override: intent.manual,
  created_at: timeIn(zone, intent.createdAt),
  expires_at: timeIn(zone, intent.expiresAt),
  verified_at: timeOrNull(zone, intent.verifiedAt),
})
