/** An alert as a row to be written: what the phone reported, and what was read in it, before anything was decided. Pure. */
import type { AlertState } from '../../alerts/alert.ts'
import { keptFor_ms } from '../../alerts/hidden/hidden-text.ts'
import { NORMALISER_VERSION } from '../../alerts/texts/normalise.ts'
import { maskCode } from '../../alerts/texts/one-time-code.ts'
import type { Instant } from '../../core/clock.ts'
import { type AlertId, growingId } from '../../core/ids.ts'
import { hiddenIn, type ReadMoney, type Settling } from './known-alerts.ts'
import type { NewAlert } from './matching-sql.ts'

export type Blank = Omit<NewAlert, 'state' | 'reason'> & { readonly was?: AlertState }

export const blankAlert = (item: Settling, id: AlertId, receivedAt: Instant, print: Buffer): Blank => ({
  accountId: item.accountId,
  id,
  deviceId: item.deviceId,
  adapter: item.adapter,
  trusted: item.trusted,
  kind: item.report.kind,
  package: item.report.package,
  simSlot: item.report.simSlot,
  sentAt: item.report.sentAt,
  phoneReceivedAt: item.report.phoneReceivedAt,
  receivedAt,
  normaliserVersion: NORMALISER_VERSION,
  fingerprint: print,
  walletId: item.understood.wallet?.id ?? null,
  identity: item.understood.wallet?.identity ?? null,
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
  similarTo: null,
  ...textOf(item, id, receivedAt),
  ...(item.stored === undefined ? {} : { was: item.stored.was }),
})

type TextFields = Pick<NewAlert, 'clientId' | 'sender' | 'title' | 'text' | 'hidden' | 'sealedText' | 'forgetAt'>

/** The message as the row holds it: readable, or sealed with nothing left in it that tells the code or the sender. */
const textOf = (item: Settling, id: AlertId, receivedAt: Instant): TextFields => {
  const { report, hiding, accountId, deviceId } = item
  const { clientId, sender, title, text } = report
  const hidden = hiddenIn(item)
  if (hidden === '') return { clientId, sender, title, text, hidden, sealedText: null, forgetAt: null }
  return {
    clientId: hiding.clientId(deviceId, clientId),
    sender: hidden === 'stranger' ? hiding.sender(accountId, sender) : sender,
    title: '',
    text: hidden === 'code' ? maskCode(text) : '',
    hidden,
    sealedText: hiding.seal(id, report),
    forgetAt: receivedAt + keptFor_ms(hidden),
  }
}

/** Of a repetition of a hidden message nothing is kept but that it came. */
export const withoutText = (blank: Blank): Blank =>
  blank.hidden === ''
    ? blank
    : { ...blank, text: '', sealedText: null, forgetAt: blank.hidden === 'code' ? null : blank.forgetAt }

export const fieldsOf = ({
  templateId,
  direction,
  amount,
  currency,
  reference,
  referenceKey,
  payer,
  balance,
}: ReadMoney) => ({
  templateId,
  direction,
  amount,
  currency,
  reference,
  referenceKey,
  payer,
  balance,
})

export type Undecided = {
  readonly kind: 'settled'
  readonly alert: NewAlert
  readonly events: readonly never[]
  readonly fault: unknown
}

/**
 * What is kept of a message that nobody could decide about, for a fault of ours: for a person, with the money that was read in
 * it unless even that cannot be written. It stands for no reference, and is told as unmatched in its time.
 */
export const undecided = (item: Settling, print: Buffer, fault: unknown, bare = false): Undecided => {
  const { understood, now } = item
  const blank = blankAlert(item, growingId<AlertId>(now), now, print)
  const kept = { kind: 'settled', events: [], fault } as const
  if (bare || understood.kind !== 'read' || understood.direction !== 'credit')
    return {
      ...kept,
      alert: {
        ...blank,
        walletId: bare ? null : blank.walletId,
        identity: bare ? null : blank.identity,
        state: blank.hidden === '' ? 'unread' : 'hidden',
        reason: 'not_decided',
      },
    }
  const owed = !understood.wallet.isTest
  const read = { ...blank, ...fieldsOf(understood), chain: 'unknown' } as const
  return { ...kept, alert: { ...read, state: 'review', reason: 'not_decided', unmatchedOwed: owed } }
}
