/** One intent with everything known about it: its timeline, its alert, its deliveries, and why it is still pending. */

import type { ResolvingAlert, ShownIntent, Why as WhyAnswer } from '@sanad/contract/dashboard/money/intents'
import type { NearAlert as NearAnswer } from '@sanad/contract/dashboard/money/near-alert'
import type { Intent as IntentAnswer } from '@sanad/contract/intent'
import { requestOf, requestsOfIntent } from '../../../accounts/requests/limit-request-sql.ts'
import type { Instant } from '../../../core/clock.ts'
import type { IntentId } from '../../../core/ids.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { type Scope, wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { handoversOf } from '../../../intents/handover-sql.ts'
import { type Intent, statusAt } from '../../../intents/intent.ts'
import { listTimeline } from '../../../intents/intent-sql.ts'
import { vouchersOf } from '../../../intents/vouchers/voucher-sql.ts'
import { claimedPayers } from '../../../matching/payers/claimed-payer-sql.ts'
import type { Difference } from '../../../matching/rules/nearness.ts'
import { type Why, whyPending } from '../../../matching/rules/why-pending.ts'
import type { RowOf } from '../../../postgres/query/statement.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { claimsOfIntent, type ShownClaim } from '../../../views/claims/list-claims.ts'
import { originOfIntent } from '../../../views/intents/intent-origin-sql.ts'
import { fittingAlerts } from '../../../views/queue/fitting-alerts.ts'
import { type NearAlert, nearAlerts } from '../../../views/queue/near-alerts.ts'
import { wholeAlert } from '../../../views/queue/near-alerts-sql.ts'
import { bestPhone } from '../../../wallets/phones/choose-phone.ts'
import { phonesHealth } from '../../../wallets/phones/phone-health-sql.ts'
import type { Wallet } from '../../../wallets/wallet.ts'
import { endpointLabel } from '../../../webhooks/endpoints/endpoint-label.ts'
import { deliveriesOfIntent } from '../../../webhooks/log/event-delivery-sql.ts'
import { intentText } from '../../merchant/intent-answer.ts'
import { actorNames } from '../actor-names.ts'
import { arrivalAnswer } from '../arrival-answer.ts'
import { byOf, type Mark, timelineOf } from '../intent-timeline.ts'
import { claimAnswers } from '../money/claim-answer.ts'
import { requestMarks } from '../requests-of-intent.ts'
import { timeIn, timeOrNull } from '../time-text.ts'
import { type IntentRouteDeps, walletOf } from './intent-deps.ts'

export const intentAnswer = (intent: Intent, wallet: Wallet, zone: Zone, now: Instant): IntentAnswer =>
  JSON.parse(intentText(intent, wallet, zone, now))

/** `scope`: of the member who looks. The intent is theirs; what else is named, such as a payment or a claim, must be too. */
export const shownIntent = async (
  deps: IntentRouteDeps,
  scope: Scope,
  intent: Intent,
  now: Instant,
): Promise<ShownIntent> => {
  const { db } = deps
  const { accountId, id, matched } = intent
  const { zone } = await deps.terms(accountId, now)
  const wallet = await walletOf(deps, intent, now)
  const [origin] = await originOfIntent(db, scope, id)
  const moves = await listTimeline(db, wholeAccount(accountId), id)
  const vouchers = await vouchersOf(db, wholeAccount(accountId), id)
  const [mark] = await handoversOf(db, wholeAccount(accountId), [id])
  const keys = await actorNames(db, wholeAccount(accountId), [origin!.created_by, ...moves.map(({ by }) => by)])
  const status = statusAt(intent, now)
  const isUnpaid = status === 'PENDING' || status === 'EXPIRED'
  const near = isUnpaid ? await nearAlerts(db, scope, intent, wallet.phoneId) : []
  const fitting = isUnpaid ? await fittingAlerts(db, scope, intent) : []
  const live = vouchers.find(({ revoked_at }) => revoked_at === null)
  const requests = await requestsOfIntent(db, wholeAccount(accountId), id, matched?.id ?? null)
  const claims = await claimsOfIntent(db, scope, id, now)
  const deliveries = await deliveriesOfIntent(db, wholeAccount(accountId), matched?.id ?? null, id)
  return {
    ...intentAnswer(intent, wallet, zone, now),
    ...arrivalAnswer(intent.arrival),
    amount_unique: intent.payable !== intent.base,
    created_by: byOf(origin!.created_by, keys),
    checkout: origin!.checkout_id,
    payer: await payerAnswer(deps, wholeAccount(accountId), id),
    timeline: timelineOf(intent, origin!.created_by, moves, keys, zone, now, [
      ...marksOf(mark, vouchers),
      ...requestMarks(requests.map((row) => requestOf(row, now))),
    ]),
    alert: await alertAnswer(deps, scope, intent, zone),
    told: deliveries.map(({ event_id, delivery_id, endpoint_id, url, next_at, ...rest }) => ({
      event: event_id,
      delivery: delivery_id,
      endpoint: endpoint_id,
      // The path of an address may contain a password, and every member may read an intent.
      endpoint_name: url === null ? null : endpointLabel(url),
      next_attempt_at: timeOrNull(zone, next_at),
      ...rest,
    })),
    why: status === 'PENDING' ? await reasons(deps, intent, origin!.reference_at, wallet, claims, zone, now) : null,
    spendable: await spendable(deps, scope, intent),
    references_tried: origin!.tried,
    claims: await claimAnswers(db, wholeAccount(accountId), claims, zone),
    fits: fitting.map((alert) => ({
      ...alert,
      amount: formatMinor(alert.amount),
      reference: alert.reference ?? '',
      payer: alert.payer ?? '',
      received_at: timeIn(zone, alert.received_at),
    })),
    handed_over: mark === undefined ? null : { by: mark.by, at: timeIn(zone, mark.at) },
    taken_as_sale: origin!.is_sale,
    voucher: live === undefined ? null : { by: byOf(live.shared_by, keys), at: timeIn(zone, live.shared_at) },
    nearest: near.map((alert) => nearAnswer(alert, zone)),
  }
}

/** Entries of the timeline that are stored elsewhere: handing over, and the public address. */
const marksOf = (
  mark: { readonly by: string; readonly at: Instant } | undefined,
  vouchers: readonly RowOf<typeof vouchersOf.columns>[],
): Mark[] => {
  const marks: Mark[] = []
  for (const { shared_at, shared_by, revoked_at, revoked_by } of vouchers) {
    marks.push({ at: shared_at, kind: 'voucher_shared', by: shared_by })
    if (revoked_at !== null) marks.push({ at: revoked_at, kind: 'voucher_revoked', by: revoked_by ?? '' })
  }
  return mark === undefined ? marks : [...marks, { at: mark.at, kind: 'handed_over', by: mark.by }]
}

const payerAnswer = async (deps: IntentRouteDeps, scope: Scope, id: IntentId): Promise<ShownIntent['payer']> => {
  const [claim] = await claimedPayers(deps.db, scope, [id])
  return claim === undefined ? null : { name: claim.name, phone: claim.phone, source: claim.source }
}

/** The amount that ended the intent as WRONG_AMOUNT, if no member has accepted, booked or dismissed it yet. */
const spendable = async (deps: IntentRouteDeps, scope: Scope, { status, matched }: Intent): Promise<string | null> => {
  if (status !== 'WRONG_AMOUNT' || matched === null) return null
  const alert = await findAlert(deps.db, scope, matched.id)
  return alert?.state === 'wrong_amount' && alert.amount !== null ? formatMinor(alert.amount) : null
}

const moneyOrNull = (amount: Minor | null): string | null => (amount === null ? null : formatMinor(amount))

const alertAnswer = async (
  deps: IntentRouteDeps,
  scope: Scope,
  { matched }: Intent,
  zone: Zone,
): Promise<ResolvingAlert | null> => {
  const [alert] = matched === null ? [] : await wholeAlert(deps.db, scope, matched.id)
  if (alert === undefined) return null
  return {
    id: alert.id,
    kind: alert.kind,
    sender: alert.sender,
    title: alert.title,
    text: alert.raw_text,
    amount: moneyOrNull(alert.amount),
    currency: alert.currency,
    reference: alert.reference ?? '',
    payer: alert.payer ?? '',
    balance: moneyOrNull(alert.balance),
    sim_slot: alert.sim_slot,
    adapter: alert.adapter,
    trusted: alert.trusted,
    sent_at: timeOrNull(zone, alert.sent_at),
    phone_received_at: timeOrNull(zone, alert.phone_received_at),
    received_at: timeIn(zone, alert.received_at),
    phone: { id: alert.device_id, name: alert.device_name },
  }
}

const reasons = async (
  deps: IntentRouteDeps,
  intent: Intent,
  referenceAt: Instant | null,
  wallet: Wallet,
  claims: readonly ShownClaim[],
  zone: Zone,
  now: Instant,
): Promise<WhyAnswer[]> => {
  const phones = wallet.phoneId === null ? [] : await phonesHealth(deps.db, wholeAccount(intent.accountId))
  const phone = bestPhone(wallet, phones, now)
  const sides = claims.map(({ reference, claimer, holder }) =>
    claimer.id === intent.id
      ? { refused: true as const, reference, other: holder }
      : { refused: false as const, reference, other: claimer },
  )
  return whyPending(intent, referenceAt, wallet, phone, now, sides).map((why) => whyAnswer(why, zone))
}

const whyAnswer = (why: Why, zone: Zone): WhyAnswer => {
  switch (why.code) {
    case 'no_reference_yet':
    case 'wallet_inactive':
    case 'amount_not_unique':
      return { code: why.code, facts: {} }
    case 'amount_awaited':
      return { code: why.code, facts: { amount: formatMinor(why.amount), currency: why.currency } }
    case 'reference_without_alert':
      return { code: why.code, facts: { reference: why.reference, since: timeIn(zone, why.since) } }
    case 'wallet_unmonitored':
      return { code: why.code, facts: { missing: why.missing } }
    case 'reference_free':
      return { code: why.code, facts: { reference: why.reference } }
    case 'reference_elsewhere':
    case 'reference_claimed': {
      const { id, code, order, status } = why.other
      return { code: why.code, facts: { reference: why.reference, intent: id, payment: code, order, status } }
    }
    case 'phone_off':
      return { code: why.code, facts: { phone: why.phone.id, name: why.phone.name } }
    case 'phone_silent': {
      const { id, name, last_seen_at } = why.phone
      return { code: why.code, facts: { phone: id, name, last_seen_at: timeOrNull(zone, last_seen_at) ?? '' } }
    }
  }
}

const factsOf = (difference: Difference): Record<string, string> => {
  switch (difference.code) {
    case 'amount':
      return { expected: formatMinor(difference.expected), arrived: formatMinor(difference.arrived) }
    case 'reference':
    case 'currency':
    case 'payer':
      return { expected: difference.expected, arrived: difference.arrived }
    case 'reference_not_attached':
      return { arrived: difference.arrived }
    case 'time':
      return { seconds: String(Math.round(difference.apart_ms / 1000)) }
    case 'taken':
      return { intent: difference.intentId }
    default:
      return {}
  }
}

const nearAnswer = (alert: NearAlert, zone: Zone): NearAnswer => ({
  id: alert.id,
  sender: alert.sender,
  amount: moneyOrNull(alert.amount),
  currency: alert.currency,
  reference: alert.reference ?? '',
  text: alert.text,
  state: alert.state,
  received_at: timeIn(zone, alert.received_at),
  differs: alert.differs.map((difference) => ({ code: difference.code, facts: factsOf(difference) })),
})
