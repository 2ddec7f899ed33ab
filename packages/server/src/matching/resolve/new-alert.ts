/** Builds the row of an alert from the report and its reading, before anything is decided. Pure. */

import type { AlertState } from '../../alerts/alert.ts'
import { hiddenLife_ms } from '../../alerts/hidden/hidden-text.ts'
import { NORMALISER_VERSION } from '../../alerts/texts/normalise.ts'
import { maskCode } from '../../alerts/texts/one-time-code.ts'
import type { Instant } from '../../core/clock.ts'
import { type AlertId, timeOrderedId } from '../../core/ids.ts'
import type { NewAlert } from '../records/alert-row.ts'
import { type AlertToResolve, hiddenKind, type MoneyReading } from '../records/known-alerts.ts'

/** An alert before it is decided; `was`: its stored state, if it is already stored. */
export type ReportedAlert = Omit<NewAlert, 'state' | 'reason'> & { readonly was?: AlertState }

export const reportedAlert = (
  alert: AlertToResolve,
  id: AlertId,
  receivedAt: Instant,
  fingerprint: Buffer,
): ReportedAlert => ({
  accountId: alert.accountId,
  id,
  phoneId: alert.phoneId,
  adapter: alert.adapter,
  trusted: alert.trusted,
  kind: alert.report.kind,
  package: alert.report.package,
  simSlot: alert.report.simSlot,
  sentAt: alert.report.sentAt,
  phoneReceivedAt: alert.report.phoneReceivedAt,
  receivedAt,
  normaliserVersion: NORMALISER_VERSION,
  fingerprint,
  walletId: alert.reading.wallet?.id ?? null,
  identity: alert.reading.wallet?.identity ?? null,
  templateId: null,
  direction: null,
  amount: null,
  currency: null,
  reference: null,
  referenceKey: null,
  payer: null,
  balance: null,
  chain: null,
  chainMissing: null,
  chainSince: null,
  duplicateOf: null,
  intentId: null,
  unmatchedOwed: false,
  phoneNew: false,
  senderNew: false,
  deniedBy: null,
  similarTo: null,
  ...textFields(alert, id, receivedAt),
  ...(alert.stored === undefined ? {} : { was: alert.stored.was }),
})

type TextFields = Pick<NewAlert, 'clientId' | 'sender' | 'title' | 'text' | 'hidden' | 'sealedText' | 'forgetAt'>

/** The text columns of the row: readable, or sealed so that neither the code nor the unknown sender can be read. */
const textFields = (alert: AlertToResolve, id: AlertId, receivedAt: Instant): TextFields => {
  const { report, hiding, accountId, phoneId } = alert
  const { clientId, sender, title, text } = report
  const hidden = hiddenKind(alert)
  if (hidden === '') return { clientId, sender, title, text, hidden, sealedText: null, forgetAt: null }
  return {
    clientId: hiding.clientId(phoneId, clientId),
    sender: hidden === 'stranger' ? hiding.sender(accountId, sender) : sender,
    title: '',
    text: hidden === 'code' ? maskCode(text) : '',
    hidden,
    sealedText: hiding.seal(id, report),
    forgetAt: receivedAt + hiddenLife_ms(hidden),
  }
}

/** A repeated hidden message is stored without its text. */
export const withoutText = (row: ReportedAlert): ReportedAlert =>
  row.hidden === ''
    ? row
    : { ...row, text: '', sealedText: null, forgetAt: row.hidden === 'code' ? null : row.forgetAt }

export const readingFields = ({
  templateId,
  direction,
  amount,
  currency,
  reference,
  referenceKey,
  payer,
  balance,
}: MoneyReading) => ({
  templateId,
  direction,
  amount,
  currency,
  reference,
  referenceKey,
  payer,
  balance,
})

/**
 * The row of an alert that could not be decided because of a fault in Sanad. A credit goes to review with its reading: it does
 * not own its reference, and is announced as unmatched later. Any other alert is stored as unread or hidden, without a reading.
 * With `bare`, a credit is stored like that too, without its wallet, because its reading cannot be written.
 */
export const undecidedAlert = (alert: AlertToResolve, fingerprint: Buffer, bare = false): NewAlert => {
  const { reading, now } = alert
  const row = reportedAlert(alert, timeOrderedId<AlertId>(now), now, fingerprint)
  if (bare || reading.kind !== 'read' || reading.direction !== 'credit')
    return {
      ...row,
      walletId: bare ? null : row.walletId,
      identity: bare ? null : row.identity,
      state: row.hidden === '' ? 'unread' : 'hidden',
      reason: 'not_decided',
    }
  return {
    ...row,
    ...readingFields(reading),
    chain: 'unknown',
    state: 'review',
    reason: 'not_decided',
    unmatchedOwed: !reading.wallet.isTest,
  }
}
