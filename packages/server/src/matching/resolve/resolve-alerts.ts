/**
 * Resolves alerts in one transaction: reads the stored data to compare them with (read-known-alerts.ts), decides each alert
 * (decide-alert.ts), and writes alerts, resolutions, events and balances together with the commit. If deciding an alert fails,
 * it is stored for review and does not stop the others.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AlertState } from '../../alerts/alert.ts'
import type { AccountId, AlertId, IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { faultCode, type Tx } from '../../postgres/connection/database.ts'
import { noteFirstMoney } from '../../wallets/entries/first-money-sql.ts'
import { insertEvents } from '../../webhooks/event-sql.ts'
import type { AlertChange, NewAlert } from '../records/alert-row.ts'
import { type AlertToResolve, clientIdFor, clientKey, type KnownAlerts } from '../records/known-alerts.ts'
import { showsMoney } from '../rules/judge.ts'
import { fingerprintOf } from './alert-locks.ts'
import { insertNotMatched } from './amounts-sql.ts'
import { type Decision, decideAlert } from './decide-alert.ts'
import { changeAlerts, insertAlerts, repointDuplicates, saveBalances } from './matching-sql.ts'
import { undecidedAlert } from './new-alert.ts'
import { readByClientId, readKnownAlerts } from './read-known-alerts.ts'
import { rewriteAlerts } from './stored-alert-sql.ts'
import { chainRow } from './stored-chain.ts'
import { writeResolutions } from './write-resolutions.ts'

/** The result of resolving an alert. */
export type AlertOutcome = {
  readonly id: AlertId
  readonly state: AlertState
  /** The same message was stored before. */
  readonly known: boolean
  /** The intent that the alert resolved. */
  readonly intentId: IntentId | null
  /** How many events it added to the outbox. */
  readonly events: number
  /** The phone was switched off, or the account is suspended. */
  readonly held?: boolean
  /** The wallet whose doubtful balance this alert proved: alerts that waited for that may be matched now. */
  readonly proved?: WalletIdentity
  /** Set if the alert could not be decided because of a fault in Sanad. It is stored for review. */
  readonly fault?: unknown
}

/** The caller has taken the locks `alertLocks(alerts)` in an earlier statement. */
export const resolveAlerts = async (tx: Tx, alerts: readonly AlertToResolve[], zone: Zone): Promise<AlertOutcome[]> =>
  decideAndWrite(tx, alerts, await readKnownAlerts(tx, alerts), zone)

/** Deciding an alert of a busy phone takes up to two milliseconds: after so many, other requests have their turn. */
const decidedInATurn = 2

/** The second half of `resolveAlerts`; `known` may cover more alerts than these. */
export const decideAndWrite = async (
  tx: Tx,
  alerts: readonly AlertToResolve[],
  known: KnownAlerts,
  zone: Zone,
): Promise<AlertOutcome[]> => {
  const decided = new Map<AlertToResolve, Decision>()
  for (const alert of inSentOrder(alerts)) {
    if (decided.size > 0 && decided.size % decidedInATurn === 0) await nextTurn()
    decided.set(alert, decideOrStore(alert, known, zone))
  }
  const decisions = applyWithinBatch(alerts.map((alert) => decided.get(alert)!))
  write(tx, decisions, known)
  const first = firstMoney(alerts, decisions)
  if (first.length > 0) noteFirstMoney.atEnd(tx, first)
  return decisions.map(outcomeOf)
}

/** Money that came into wallets into which none had come. Once it is noted at the wallet, nothing is written any more. */
const firstMoney = (alerts: readonly AlertToResolve[], decisions: readonly Decision[]) =>
  alerts.flatMap(({ reading: { wallet } }, i) => {
    const decision = decisions[i]!
    if (wallet?.neverReceived !== true || decision.kind === 'known' || !showsMoney(decision.alert)) return []
    const { accountId, receivedAt } = decision.alert
    return [{ accountId, id: wallet.id, at: receivedAt }]
  })

/**
 * Sorts the messages of each phone by the time at which they were sent, because balances follow from one another. If a phone
 * does not report that time for all of them, they stay in the order of arrival. The order of the phones does not change.
 */
const inSentOrder = (alerts: readonly AlertToResolve[]): AlertToResolve[] => {
  const next = new Map(
    [...Map.groupBy(alerts, ({ phoneId }) => phoneId)].map(([phoneId, own]) => {
      const timed = own.every(({ report }) => report.sentAt !== null)
      return [phoneId, timed ? own.toSorted((a, b) => a.report.sentAt! - b.report.sentAt!).values() : own.values()]
    }),
  )
  return alerts.map(({ phoneId }) => next.get(phoneId)!.next().value!)
}

type DecidedAlert = Extract<Decision, { kind: 'decided' }>

const undecided = (alert: NewAlert, fault: unknown): Decision => ({
  kind: 'decided',
  alert,
  superseded: [],
  events: [],
  fault,
})

/** If deciding fails, a new alert is stored for review; for an alert that is already stored, the fault is thrown. */
const decideOrStore = (alert: AlertToResolve, known: KnownAlerts, zone: Zone): Decision => {
  const fingerprint = fingerprintOf(alert)
  try {
    return decideAlert(alert, fingerprint, known, zone)
  } catch (fault) {
    if (alert.stored !== undefined) throw fault
    return undecided(undecidedAlert(alert, fingerprint), fault)
  }
}

/** If an alert supersedes one of the same batch, that one is changed before it is written: it has no row to update yet. */
const applyWithinBatch = (decisions: readonly Decision[]): Decision[] => {
  const inBatch = new Set(
    decisions.flatMap((decision) =>
      decision.kind === 'decided' && decision.alert.was === undefined ? [decision.alert.id] : [],
    ),
  )
  const changes = new Map<AlertId, AlertChange>()
  for (const decision of decisions) {
    if (decision.kind === 'known') continue
    for (const change of decision.superseded) if (inBatch.has(change.id)) changes.set(change.id, change)
  }
  if (changes.size === 0) return [...decisions]
  return decisions.map((decision) => {
    if (decision.kind === 'known') return decision
    const superseded = decision.superseded.filter(({ id }) => !inBatch.has(id))
    const change = changes.get(decision.alert.id)
    if (change === undefined) return { ...decision, superseded }
    const { state, reason, duplicateOf, unmatchedOwed } = change
    return { ...decision, superseded, alert: { ...decision.alert, state, reason, duplicateOf, unmatchedOwed } }
  })
}

/** Writes everything together with the commit, in this order. Each statement fails unless it changes every row. */
const write = (tx: Tx, decisions: readonly Decision[], known: KnownAlerts): void => {
  const decided = decisions.filter((decision) => decision.kind === 'decided')
  // Superseded alerts come first: two alerts may never own one reference, not even inside the transaction.
  const superseded = decided.flatMap((decision) => decision.superseded)
  if (superseded.length > 0) changeAlerts.atEnd(tx, superseded)

  const fresh: NewAlert[] = []
  const stored: (NewAlert & { readonly was: AlertState })[] = []
  for (const { alert } of decided) {
    if (alert.was === undefined) fresh.push(alert)
    else stored.push({ ...alert, was: alert.was })
  }
  if (fresh.length > 0) insertAlerts.atEnd(tx, fresh)
  if (stored.length > 0) rewriteAlerts.atEnd(tx, stored)
  const replaced = replacedAlerts(decided)
  if (replaced.length > 0) repointDuplicates.atEnd(tx, replaced)

  // Before the resolutions: payment.received must be stored before payment.verified.
  const events = decided.flatMap((decision) => decision.events)
  if (events.length > 0) insertEvents.atEnd(tx, events)
  writeResolutions(
    tx,
    decided.flatMap(({ resolution }) => resolution ?? []),
  )
  const notMatched = decided.flatMap((decision) => decision.notMatched ?? [])
  if (notMatched.length > 0) insertNotMatched.atEnd(tx, notMatched)
  const balances = [...known.balances].flatMap(([walletId, { alertId, ...chain }]) =>
    alertId === undefined ? [] : [chainRow(walletId, chain, alertId)],
  )
  if (balances.length > 0) saveBalances.atEnd(tx, balances)
}

/** Alerts that became duplicates, each with the alert that counts at the end of the batch. */
const replacedAlerts = (
  decided: readonly DecidedAlert[],
): { accountId: AccountId; id: AlertId; duplicateOf: AlertId }[] => {
  const changes = decided.flatMap(({ alert, superseded }) => [...superseded, alert])
  const next = new Map(
    changes.flatMap(({ id, duplicateOf }) => (duplicateOf === null ? [] : [[id, duplicateOf] as const])),
  )
  const counting = (id: AlertId): AlertId => {
    const seen = new Set<AlertId>()
    for (let at = id; ; ) {
      const following = next.get(at)
      if (following === undefined || seen.has(at)) return at
      seen.add(at)
      at = following
    }
  }
  // A new alert has no duplicates yet, unless another one of the batch points at it.
  const pointedAt = new Set(next.values())
  return changes.flatMap(({ accountId, id, duplicateOf }) =>
    duplicateOf === null || (isNew(decided, id) && !pointedAt.has(id))
      ? []
      : [{ accountId, id, duplicateOf: counting(duplicateOf) }],
  )
}

const isNew = (decided: readonly DecidedAlert[], id: AlertId): boolean =>
  decided.some(({ alert }) => alert.id === id && alert.was === undefined)

const outcomeOf = (decision: Decision): AlertOutcome =>
  decision.kind === 'known'
    ? { id: decision.id, state: decision.state, known: true, intentId: null, events: 0 }
    : {
        id: decision.alert.id,
        state: decision.alert.state,
        known: false,
        intentId: decision.resolution?.intent.id ?? null,
        events: decision.events.length + Number(decision.resolution !== undefined),
        held: decision.alert.reason === 'device_off',
        ...(decision.proved === undefined ? {} : { proved: decision.proved }),
        ...(decision.fault === undefined ? {} : { fault: decision.fault }),
      }

/**
 * Whether a fault is caused by the alert itself, so that every retry fails too. Faults of the connection, and of a statement
 * that does not fit the schema, are not: they affect every alert, and are temporary.
 */
export const isPermanentFault = (fault: unknown): boolean =>
  fault instanceof TypeError || fault instanceof RangeError || /^(21|22|23)/.test(faultCode(fault) ?? '')

/** Stores an alert that cannot be resolved, for review; `bare`: without its reading. The caller holds its locks. */
export const storeUndecided = async (
  tx: Tx,
  alert: AlertToResolve,
  fault: unknown,
  bare: boolean,
): Promise<AlertOutcome> => {
  const byClientId = await readByClientId(tx, alert)
  const clientId = clientIdFor(byClientId, alert.phoneId, alert.report)
  const before = byClientId.get(clientKey(alert.phoneId, clientId))
  if (before !== undefined) return { id: before.id, state: before.state, known: true, intentId: null, events: 0 }
  const identified = { ...alert, report: { ...alert.report, clientId } }
  const row = undecidedAlert(identified, fingerprintOf(alert), bare)
  insertAlerts.atEnd(tx, [row])
  return outcomeOf(undecided(row, fault))
}
