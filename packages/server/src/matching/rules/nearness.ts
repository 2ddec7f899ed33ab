/**
 * How well an alert fits an intent, and the differences that kept the two from being matched. This explains to members why
 * nothing was matched; no decision depends on it. Pure.
 */
import { type PlainDifference, plainDifferences } from '@sanad/contract/kinds'
import { type AlertState, matchable_ms, type Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import type { Minor } from '../../core/money.ts'
import { type ClaimedPayer, noClaim } from '../records/claimed-payer.ts'
import { comparePayer } from './payer-likeness.ts'

export type Expected = {
  readonly payable: Minor
  readonly currency: string
  readonly reference: string
  readonly referenceKey: string | null
  readonly createdAt: Instant
  /** The claimed payer; left out: none was claimed. */
  readonly claimed?: ClaimedPayer
}

export type Candidate = {
  readonly amount: Minor | null
  readonly currency: string | null
  readonly reference: string | null
  readonly reference_key: string | null
  readonly state: AlertState
  readonly reason: Reason
  readonly received_at: Instant
  readonly intent_id: string | null
  readonly payer?: string | null
}

export type Difference =
  | { readonly code: 'amount'; readonly expected: Minor; readonly arrived: Minor }
  | { readonly code: 'reference' | 'currency' | 'payer'; readonly expected: string; readonly arrived: string }
  | { readonly code: 'reference_not_attached'; readonly arrived: string }
  | { readonly code: 'time'; readonly apart_ms: number }
  | { readonly code: 'taken'; readonly intentId: string }
  | { readonly code: PlainDifference }

/** Buyers may type a part of a reference: its last digits, or all but a letter. A part this long is recognised. */
const shortestPart = 5

export const nearlyEqual = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length >= shortestPart && long.includes(short)) return true
  return short.length >= shortestPart && editsWithin(short, long, 2)
}

/** Whether at most `most` edits lead from one text to the other: a character added, removed, changed, or swapped with the next. */
const editsWithin = (a: string, b: string, most: number): boolean => {
  let previousRow: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(!same))
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) edits = Math.min(edits, previousRow[j - 2]! + 1)
      next.push(edits)
    }
    if (Math.min(...next) > most) return false
    previousRow = row
    row = next
  }
  return row[b.length]! <= most
}

const referenceDifference = (expected: Expected, alert: Candidate): Difference | undefined => {
  if (alert.reference === null || alert.reference_key === null)
    return alert.state === 'unread' ? undefined : { code: 'no_reference' }
  if (expected.referenceKey === null) return { code: 'reference_not_attached', arrived: alert.reference }
  if (alert.reference_key === expected.referenceKey) return undefined
  return { code: 'reference', expected: expected.reference, arrived: alert.reference }
}

const payerLikeness = ({ claimed = noClaim }: Expected, { payer = null }: Candidate) => comparePayer(claimed, payer)

const payerDifference = (expected: Expected, alert: Candidate): Difference | undefined => {
  if (payerLikeness(expected, alert).likeness !== 'differs') return undefined
  const { name, phone } = expected.claimed ?? noClaim
  return { code: 'payer', expected: [name, phone].filter((text) => text !== '').join(' '), arrived: alert.payer ?? '' }
}

/** The state of the alert that keeps it from being matched. */
const stateDifference = (alert: Candidate): Difference | undefined => {
  // Money that only ended an intent as WRONG_AMOUNT is not spent.
  if (alert.intent_id !== null && alert.state !== 'wrong_amount') return { code: 'taken', intentId: alert.intent_id }
  const found = plainDifferences.find((code) => code === alert.state || code === alert.reason)
  // `no_reference` is already reported by `referenceDifference`.
  return found === undefined || found === 'no_reference' ? undefined : { code: found }
}

export const differences = (expected: Expected, alert: Candidate): Difference[] => {
  const found: (Difference | undefined)[] = [
    alert.amount === null || alert.amount === expected.payable
      ? undefined
      : { code: 'amount', expected: expected.payable, arrived: alert.amount },
    alert.currency === null || alert.currency === expected.currency
      ? undefined
      : { code: 'currency', expected: expected.currency, arrived: alert.currency },
    referenceDifference(expected, alert),
    payerDifference(expected, alert),
    // The intent was created too long after the alert arrived.
    expected.createdAt >= alert.received_at + matchable_ms
      ? { code: 'time', apart_ms: alert.received_at - expected.createdAt }
      : undefined,
    stateDifference(alert),
  ]
  return found.filter((difference) => difference !== undefined)
}

/** An alert may arrive up to this long before its intent is created. */
const early_ms = 10 * minute_ms

/** A score; 0: the alert has nothing in common with the intent. */
const likeness = (expected: Expected, alert: Candidate): number => {
  const apart_ms = alert.received_at - expected.createdAt
  const inTime = apart_ms > -early_ms && apart_ms < 2 * hour_ms
  const sameAmount = alert.amount === expected.payable
  const { referenceKey } = expected
  const alike = referenceKey !== null && alert.reference_key !== null && nearlyEqual(referenceKey, alert.reference_key)
  const same = referenceKey !== null && referenceKey === alert.reference_key
  const samePayer = sameAmount && payerLikeness(expected, alert).likeness === 'same'
  return Number(same) * 16 + Number(alike) * 8 + Number(sameAmount) * 4 + Number(samePayer) * 2 + Number(inTime)
}

/** The likeliest first, at most `most`; alerts that have nothing in common with the intent are left out. */
export const nearest = <A extends Candidate>(expected: Expected, alerts: readonly A[], most: number): A[] =>
  alerts
    .map((alert) => ({ alert, likeness: likeness(expected, alert) }))
    .filter(({ likeness }) => likeness > 0)
    .sort(
      (a, b) =>
        b.likeness - a.likeness ||
        Math.abs(a.alert.received_at - expected.createdAt) - Math.abs(b.alert.received_at - expected.createdAt),
    )
    .slice(0, most)
    .map(({ alert }) => alert)
