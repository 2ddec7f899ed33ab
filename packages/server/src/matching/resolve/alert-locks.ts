/**
 * The advisory locks of alerts and references, and the fingerprint by which a text is recognised. An alert, and the request
 * that attaches its reference, take the same lock before they read: the second one finds what the first wrote. Pure.
 */
import { createHash } from 'node:crypto'
import { normalise } from '../../alerts/texts/normalise.ts'
import type { AccountId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type AlertToResolve, hiddenKind, isMatchable } from '../records/known-alerts.ts'

const lockKey = (name: string): bigint => createHash('sha256').update(name).digest().readBigInt64BE()

/** The lock of a reference. An alert and the request that attaches its reference take the same one. */
export const referenceLock = (accountId: AccountId, referenceKey: string): bigint =>
  lockKey(`${accountId} ${referenceKey}`)

/** The order in which every transaction takes its locks, so that two transactions cannot deadlock. */
export const sortedLocks = (keys: Iterable<bigint>): bigint[] =>
  [...new Set(keys)].sort((a, b) => (a < b ? -1 : Number(a > b)))

const fingerprints = new WeakMap<AlertToResolve, Buffer>()

/** A hash of account, sender and text. It does not depend on the app or phone that reports the message, or on the wallet's entry.
 *  For a hidden message it is a keyed hash. */
export const fingerprintOf = (alert: AlertToResolve): Buffer => {
  const known = fingerprints.get(alert)
  if (known !== undefined) return known
  const { accountId, report, hiding } = alert
  const fingerprint =
    hiddenKind(alert) === ''
      ? createHash('sha256')
          .update(`${accountId}\n${report.sender}\n${normalise(report.text)}`)
          .digest()
      : hiding.fingerprint(accountId, report)
  fingerprints.set(alert, fingerprint)
  return fingerprint
}

/** The locks to take before these alerts are resolved. Another alert then waits if it has the same text or reference, the same
 *  wallet and amount, a balance of the same wallet, or, if both may be parts of a message, the same sender. */
export const alertLocks = (alerts: readonly AlertToResolve[]): bigint[] => {
  const references = alerts.flatMap(({ accountId, reading }) =>
    reading.kind === 'read' && reading.referenceKey !== null ? [referenceLock(accountId, reading.referenceKey)] : [],
  )
  // Parts of one message have different texts, so alerts that may be parts lock their sender.
  const senders = alerts.flatMap((alert) => (mayHaveParts(alert) ? [senderLock(alert)] : []))
  return sortedLocks([
    ...alerts.map((alert) => fingerprintOf(alert).readBigInt64BE()),
    ...references,
    ...senders,
    ...alerts.flatMap(balanceLocks),
    ...alerts.flatMap(amountLocks),
  ])
}

/** An alert with a reference is identified by it: a reference is never read from a cut text. */
const mayHaveParts = ({ reading }: AlertToResolve): boolean => reading.kind !== 'read' || reading.referenceKey === null

/** Balances of a wallet follow from one another. The row of the last balance is locked too, but before the first balance there
 *  is no row. */
const balanceLocks = ({ reading }: AlertToResolve): bigint[] =>
  reading.kind === 'read' && reading.balance !== null ? [lockKey(`balance ${reading.wallet.identity}`)] : []

/** Two messages of one payment, one of them without its reference, wait for each other; and for a member who books one. */
export const amountLock = (identity: WalletIdentity, amount: Minor): bigint => lockKey(`amount ${identity} ${amount}`)

const amountLocks = (alert: AlertToResolve): bigint[] =>
  isMatchable(alert) ? [amountLock(alert.reading.wallet.identity, alert.reading.amount)] : []

const senderLock = ({ accountId, report }: AlertToResolve): bigint => lockKey(`${accountId} sender ${report.sender}`)
