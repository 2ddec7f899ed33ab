/**
 * Decides what is written for one alert: classifies it (classify-alert.ts), matches it with the intent that has its reference
 * or its unique amount, and builds the resolution and the events. `known` was read under the locks. `known` is updated at the
 * end, so that the next alert of the same batch sees this one. Nothing is written here.
 */

import { type AlertState, newPhone_ms, newSender_ms, type Reason, type Report } from '../../alerts/alert.ts'
import type { Chain } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, type EventId, timeOrderedId, type WalletIdentity } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { type NewEvent, receivedBody, unmatchedBody } from '../../webhooks/event.ts'
import type { AlertChange, NewAlert, NotMatched } from '../records/alert-row.ts'
import {
  type AlertToResolve,
  clientIdFor,
  clientKey,
  type EarlierAlert,
  type HoldingIntent,
  isMatchable,
  type KnownAlerts,
  type MoneyReading,
  matchesByAmount,
  type SameReferenceAlert,
  sameSentTime,
} from '../records/known-alerts.ts'
import { isSameMoney, judge } from '../rules/judge.ts'
import { findParts, hasMoreParts, partSuperseded, partToReview } from '../rules/partial-messages.ts'
import { moreSameText, repeatedUnread } from '../rules/repeated-message.ts'
import { type Classified, classifyAlert, linkKind, type Message } from './classify-alert.ts'
import { deniedAlerts, deniedChange } from './denied-alerts.ts'
import { matchByAmount, rememberAmount, spentPayment } from './match-amount.ts'
import { type ReportedAlert, readingFields, reportedAlert, withoutText } from './new-alert.ts'
import { endsIntent, type Resolution, resolutionOf } from './resolution.ts'

/** An alert that will be written; `was`: its stored state, if it is already stored. */
type AlertRow = NewAlert & { readonly was?: AlertState }

type Decided = {
  readonly alert: AlertRow
  /** Changes of earlier alerts that this alert supersedes. */
  readonly superseded: readonly AlertChange[]
  readonly resolution?: Resolution
  /** Events besides that of the resolution. */
  readonly events: readonly NewEvent[]
  /** Timeline entries for the intents that have the amount of this alert but were not verified by it. */
  readonly notMatched?: readonly NotMatched[]
}

export type Decision =
  /** The same message was stored before: nothing is written. */
  | { readonly kind: 'known'; readonly id: AlertId; readonly state: AlertState }
  | (Decided & {
      readonly kind: 'decided'
      /** The wallet whose doubtful balance this alert proved. */
      readonly proved?: WalletIdentity
      /** Set if the alert could not be decided because of a fault in Sanad. */
      readonly fault?: unknown
    })

/** What `known` must remember of a decision, besides the alert itself. */
type ToRemember = {
  readonly chain?: Chain | undefined
  readonly paymentKey?: string | undefined
  readonly underReference?: readonly SameReferenceAlert[] | undefined
}

export const decideAlert = (alert: AlertToResolve, fingerprint: Buffer, known: KnownAlerts, zone: Zone): Decision => {
  const { report, reading, now, stored } = alert
  const clientId = stored === undefined ? clientIdFor(known.byClientId, alert.phoneId, report) : report.clientId
  const before = stored === undefined ? known.byClientId.get(clientKey(alert.phoneId, clientId)) : undefined
  if (before !== undefined) return { kind: 'known', id: before.id, state: before.state }

  const identified = { ...alert, report: { ...report, clientId } }
  const id = stored?.id ?? timeOrderedId<AlertId>(now)
  const receivedAt = stored?.receivedAt ?? now
  const sameText = known.byFingerprint.get(fingerprint.toString('hex')) ?? []
  const message: Message = {
    id,
    moment: { sentAt: report.sentAt, phoneReceivedAt: report.phoneReceivedAt, receivedAt },
    sameText: sameText.filter((other) => other.id !== id),
    moreSameText: moreSameText(id, sameText),
    parts: findParts(alert, id, receivedAt, known.recentParts.get(alert.accountId) ?? []),
    moreParts: hasMoreParts(receivedAt, known.partsNotRead.get(alert.accountId)),
    phoneOn: alert.released ?? known.phones.get(alert.phoneId)?.on !== false,
  }
  const row = {
    ...reportedAlert(identified, id, receivedAt, fingerprint),
    phoneNew: isNewPhone(alert, receivedAt, known),
    senderNew: isNewSender(alert, receivedAt),
  }
  const { chain, paymentKey, underReference, ...decided } =
    reading.kind === 'read'
      ? decideMoney(alert, reading, row, message, known, zone)
      : decideUnread(alert, row, reading.reason, message)

  const proved = provedWallet(reading.wallet?.identity, chain, known)
  remember(known, identified, decided, { chain, paymentKey, underReference })
  return { kind: 'decided', ...decided, ...(proved === undefined ? {} : { proved }) }
}

const isNewPhone = (alert: AlertToResolve, receivedAt: Instant, known: KnownAlerts): boolean => {
  if (alert.stored !== undefined) return alert.stored.phoneNew
  const pairedAt = known.phones.get(alert.phoneId)?.pairedAt ?? null
  if (alert.reading.wallet?.isTest === true || pairedAt === null) return false
  return receivedAt - pairedAt < newPhone_ms
}

/** Decided again when a stored alert is resolved again: its sender may have been added after it arrived. */
const isNewSender = ({ stored, reading: { wallet } }: AlertToResolve, receivedAt: Instant): boolean => {
  if (wallet === undefined || wallet.isTest) return false
  return stored?.senderNew === true || (wallet.senderAt !== null && receivedAt - wallet.senderAt < newSender_ms)
}

const decideUnread = (
  alert: AlertToResolve,
  row: ReportedAlert,
  reason: Reason,
  message: Message,
): Decided & ToRemember => {
  const repeated = repeatedUnread(alert, message)
  const { whole, pieces } = message.parts
  const duplicateOf = repeated?.id ?? whole?.id
  if (duplicateOf !== undefined)
    return {
      alert: {
        ...withoutText(row),
        state: 'duplicate',
        reason: repeated ? 'same_text' : 'message_part',
        duplicateOf,
      },
      superseded: [],
      events: [],
    }
  const superseded = pieces.flatMap((piece) =>
    piece.state === 'unread' ? [partSuperseded(alert.accountId, piece, row.id)] : [],
  )
  // A message is hidden even if its phone is off. The reason stores that the phone was off: a reread needs it.
  if (row.hidden !== '')
    return {
      alert: { ...row, state: 'hidden', reason: message.phoneOn ? reason : 'device_off' },
      superseded,
      events: [],
    }
  const state = message.phoneOn
    ? ({ state: 'unread', reason } as const)
    : ({ state: 'held', reason: 'device_off' } as const)
  return { alert: { ...row, ...state }, superseded, events: [] }
}

const decideMoney = (
  alert: AlertToResolve,
  reading: MoneyReading,
  reported: ReportedAlert,
  message: Message,
  known: KnownAlerts,
  zone: Zone,
): Decided & ToRemember => {
  const classified = classifyAlert(alert, reading, message, known)
  const { verdict, chain, paymentKey, repeated, sameReference, superseded } = classified
  const classifiedRow: AlertRow = {
    ...reported,
    ...readingFields(reading),
    ...classified.link,
    similarTo: classified.similarTo,
    deniedBy: classified.deniedBy,
    state: verdict.state,
    reason: verdict.reason,
    duplicateOf: verdict.state === 'duplicate' ? verdict.duplicateOf.id : null,
  }
  if (!('supersedes' in verdict)) return { alert: classifiedRow, superseded: [], events: [], chain }

  const { row, intent, by, notMatched } = findIntent(alert, reading, classifiedRow, classified, known)
  // A payment is announced once: these are the earlier alerts of this payment, which may have been announced.
  const earlier = [...superseded, ...sameReference.filter(({ id }) => id === repeated?.id)]
  const matched = matchCredit(alert, reading, row, intent, by, earlier, known, zone)
  return {
    ...matched,
    notMatched,
    superseded: [
      ...supersededAlerts(alert.accountId, reading, row.id, classified),
      ...deniedAlerts(alert, classified).map((earlier) => deniedChange(alert.accountId, earlier, verdict.reason)),
    ],
    chain,
    paymentKey,
    underReference: alertsUnderReference(alert, matched, classified),
  }
}

type Found = {
  /** The alert. If it pays no intent, its state or reason may have been changed. */
  readonly row: AlertRow
  readonly intent: HoldingIntent | undefined
  readonly by: 'alert' | 'amount'
  readonly notMatched: readonly NotMatched[]
}

/** Finds the intent that a credit pays: the one with its reference; else, on a wallet with unique amounts, the one with its
 *  amount. A credit whose reference no intent has goes on waiting for its reference if its amount verifies nothing. */
const findIntent = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: AlertRow,
  { link, paymentKey, moreParts }: Classified,
  known: KnownAlerts,
): Found => {
  const none: Found = { row, intent: undefined, by: 'alert', notMatched: [] }
  const { id, receivedAt, similarTo } = row
  const candidate = { id, receivedAt, similarTo, moreParts, link: linkKind(link) }
  const waits = row.state === 'waiting' && paymentKey !== undefined
  if (waits) {
    const same = spentPayment(alert, reading, candidate, known)
    if (same !== undefined) return { ...none, row: { ...row, state: 'review', reason: 'amount_seen', similarTo: same } }
    const intent = known.intents.get(paymentKey)
    if (intent !== undefined) return { ...none, intent }
  }
  if (!matchesByAmount(alert) || !(waits || (row.state === 'review' && row.reason === 'no_reference'))) return none
  const found = matchByAmount(alert, reading, candidate, known)
  if (found.kind === 'match') return { ...none, intent: found.intent, by: 'amount' }
  return { ...none, row: waits ? row : { ...row, reason: found.reason }, notMatched: found.notMatched }
}

/** Matches a credit with its intent (`findIntent`). Otherwise the credit waits for an intent or for a member. `earlier`: alerts
 *  of the same payment. */
const matchCredit = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: AlertRow,
  intent: HoldingIntent | undefined,
  way: 'alert' | 'amount',
  earlier: readonly SameReferenceAlert[],
  known: KnownAlerts,
  zone: Zone,
): Omit<Decided, 'superseded'> => {
  const { accountId, now, trusted } = alert
  const { wallet, amount, currency, reference } = reading
  const { receivedAt } = row
  const facts = { alertId: row.id, reference, amount, currency, receivedAt, isTest: wallet.isTest }
  const event = (kind: NewEvent['kind'], body: string): NewEvent => ({
    accountId,
    id: timeOrderedId<EventId>(now),
    kind,
    walletId: wallet.id,
    intentId: null,
    alertId: row.id,
    body,
    createdAt: now,
  })
  const announced = known.announced.has(row.id) || earlier.some((other) => other.announced)
  const received = (resolution: Parameters<typeof receivedBody>[1]): NewEvent[] =>
    wallet.isTest && !announced ? [event('payment.received', receivedBody(facts, resolution, zone))] : []

  const outcome = intent && judge(intent, { amount, receivedAt, trusted }, now)
  if (intent !== undefined && outcome !== undefined && endsIntent(outcome)) {
    // Built first: events are sent in the order of their ids, and payment.received comes before payment.verified.
    const events = received(outcome.kind === 'verified' ? 'MATCHED' : 'WRONG_AMOUNT')
    const by = { way, referencesTried: intent.referencesTried }
    const resolution = resolutionOf(intent, { ...row, from: null }, outcome, by, now, zone)
    return {
      alert: { ...row, state: resolution.alert.state, reason: '', intentId: intent.id },
      resolution,
      events,
    }
  }
  const unmatched =
    outcome?.kind === 'unproved'
      ? ({ state: 'review', reason: 'low_trust' } as const)
      : { state: row.state, reason: outcome?.kind === 'late' ? ('late' as const) : row.reason }
  // A message that denies a payment is not announced.
  const silent = wallet.isTest || announced || reading.denied
  // If an open intent has no reference yet, it may soon get this one: then the event waits (announce-unmatched.ts).
  const owed = !silent && (known.awaitingReference.has(wallet.identity) || earlier.some((other) => other.owed))
  const events = received('UNMATCHED')
  if (!silent && !owed) events.push(event('payment.unmatched', unmatchedBody(facts, wallet.name, zone)))
  return { alert: { ...row, ...unmatched, unmatchedOwed: owed }, events }
}

/** How the superseded alerts change. An alert that a member dismissed stays dismissed. */
const supersededAlerts = (
  accountId: AccountId,
  reading: MoneyReading,
  by: AlertId,
  { superseded, repeated, parts }: Classified,
): AlertChange[] => {
  const open = superseded.filter(({ state }) => state !== 'dismissed')
  const isOpenRepeat =
    repeated !== undefined && replaceable.includes(repeated.state) && open.every(({ id }) => id !== repeated.id)
  return [
    ...open.map((earlier) => supersededReference(accountId, earlier, by, reading)),
    ...(isOpenRepeat ? [duplicateChange(accountId, repeated, 'same_text', by)] : []),
    ...parts.same.map((piece) => partSuperseded(accountId, piece, by)),
    ...parts.different.flatMap((piece) => partToReview(accountId, piece)),
  ]
}

const replaceable: readonly AlertState[] = ['held', 'unread', 'review']

const duplicateChange = (
  accountId: AccountId,
  earlier: EarlierAlert,
  reason: Reason,
  duplicateOf: AlertId,
): AlertChange => ({
  accountId,
  id: earlier.id,
  from: earlier.state,
  state: 'duplicate',
  reason,
  intentId: null,
  duplicateOf,
  unmatchedOwed: false,
})

/** An earlier alert with the same reference becomes a duplicate, or goes to review if its amount differs. */
const supersededReference = (
  accountId: AccountId,
  earlier: SameReferenceAlert,
  by: AlertId,
  reading: MoneyReading,
): AlertChange => {
  const duplicate = duplicateChange(accountId, earlier, 'same_reference', by)
  return isSameMoney(reading, earlier)
    ? duplicate
    : { ...duplicate, state: 'review', reason: 'second_amount', duplicateOf: null }
}

/** The alerts that have this reference once the decision is written, for `known`. */
const alertsUnderReference = (
  resolved: AlertToResolve,
  { alert, resolution, events }: Omit<Decided, 'superseded'>,
  classified: Classified,
): readonly SameReferenceAlert[] => {
  const { trusted } = resolved
  const { link, sameReference, superseded, verdict } = classified
  const { id, state, reason, amount, currency, unmatchedOwed: owed } = alert
  const announced = events.length > 0 || resolution?.event != null || superseded.some((other) => other.announced)
  const isReplaced = (other: SameReferenceAlert) => superseded.includes(other) && other.state !== 'dismissed'
  const denied = deniedAlerts(resolved, classified)
  const left = sameReference
    .filter((other) => other.id !== id && !isReplaced(other))
    .map((other) => (denied.includes(other) ? { ...other, state: 'review' as const, reason: verdict.reason } : other))
  // An alert with a second amount is not compared with others: alertsByReference leaves it out too.
  return reason === 'second_amount'
    ? left
    : [{ id, state, reason, amount, currency, trusted, announced, owed, link }, ...left]
}

/** The wallet, if its balance chain ended with a doubtful balance that this alert proved. */
const provedWallet = (
  identity: WalletIdentity | undefined,
  chain: Chain | undefined,
  known: KnownAlerts,
): WalletIdentity | undefined =>
  identity !== undefined && chain !== undefined && chain.proved !== known.balances.get(identity)?.proved
    ? identity
    : undefined

const isSameAs =
  (a: Report) =>
  (b: Report): boolean =>
    a.sender === b.sender && a.text === b.text && sameSentTime(a.sentAt, b.sentAt)

/** Updates `known` with a decision, for the next alerts of the batch. */
const remember = (
  known: KnownAlerts,
  identified: AlertToResolve,
  { alert: row, superseded, resolution }: Decided,
  { chain, paymentKey, underReference }: ToRemember,
): void => {
  const { accountId, report, adapter, phoneId, trusted, reading } = identified
  const { id, state, reason, amount, currency, referenceKey, direction, receivedAt } = row
  const { chain: link, chainMissing, chainSince } = row
  const identity = reading.wallet?.identity ?? null
  if (isMatchable(identified)) rememberAmount(known, row, resolution?.intent)
  known.byClientId.set(clientKey(phoneId, report.clientId), { id, state, isSameMessage: isSameAs(report) })

  const fingerprint = row.fingerprint.toString('hex')
  const sameText = {
    id,
    state,
    reason,
    amount,
    currency,
    trusted,
    adapter,
    phoneId,
    referenceKey,
    identity,
    title: row.title,
    simSlot: report.simSlot,
    sentAt: report.sentAt,
    phoneReceivedAt: report.phoneReceivedAt,
    receivedAt,
    link: { chain: link, chainMissing, chainSince },
    standsForMore: false,
  }
  const others = (known.byFingerprint.get(fingerprint) ?? []).filter((other) => other.id !== id)
  known.byFingerprint.set(fingerprint, [...others, sameText])

  const changed = new Map(superseded.map((change) => [change.id, change]))
  const parts = (known.recentParts.get(accountId) ?? []).filter(
    (other) => other.id !== id && changed.get(other.id)?.state !== 'duplicate',
  )
  const part = { id, device_id: phoneId, trusted, state, reason, direction, amount, identity }
  const text = { sender: report.sender, title: row.title, raw_text: report.text, received_at: receivedAt }
  // A hidden message is never a part of a message that is shown.
  if (state !== 'duplicate' && state !== 'hidden') parts.push({ ...part, ...text, reference_key: referenceKey })
  known.recentParts.set(accountId, parts)

  if (chain !== undefined && identity !== null) known.balances.set(identity, { ...chain, alertId: id })
  if (paymentKey === undefined || underReference === undefined) return
  if (resolution !== undefined) known.intents.delete(paymentKey)
  known.byReference.set(paymentKey, [...underReference])
}
