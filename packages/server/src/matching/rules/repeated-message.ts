/**
 * Compares an alert with the alerts of the account that have the same text: whether the message was reported before, for this
 * wallet or for another, or whether that cannot be known. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { followChain, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { AlertToResolve, EarlierAlert, KnownAlerts, MoneyReading, SameTextAlert } from '../resolve/known-alerts.ts'
import { type Moment, paired_ms, repeatedOf } from './same-message.ts'

type Message = { readonly moment: Moment; readonly sameText: readonly SameTextAlert[] }

/** Those of the same wallet, and those whose wallet was not known. */
const sameWallet = (alert: AlertToResolve, message: Message): (SameTextAlert & { readonly isDuplicate: boolean })[] => {
  const identity = alert.reading.wallet?.identity ?? null
  return message.sameText
    .filter((one) => one.identity === identity || one.identity === null)
    .map((one) => ({ ...one, isDuplicate: one.state === 'duplicate' }))
}

const sourceOf = (alert: AlertToResolve, message: Message) => ({
  ...message.moment,
  deviceId: alert.deviceId,
  adapter: alert.adapter,
})

/** The earlier alert that an unread message repeats. */
export const repeatedUnread = (alert: AlertToResolve, message: Message): SameTextAlert | undefined =>
  repeatedOf(sourceOf(alert, message), sameWallet(alert, message), 'none')

/** The earlier alert that this one repeats, by its text. */
export const repeatedMoney = (
  alert: AlertToResolve,
  money: MoneyReading,
  movement: Movement,
  message: Message,
  known: KnownAlerts,
): SameTextAlert | undefined => {
  const earlier = sameWallet(alert, message)
  if (earlier.length === 0) return undefined
  const balance =
    money.balance === null || money.referenceKey !== null
      ? 'none'
      : couldMove(money, movement, known)
        ? 'second movement'
        : 'no second movement'
  return repeatedOf(sourceOf(alert, message), earlier, balance)
}

/** Whether the balance that the alert shows follows from a known one. */
const couldMove = (money: MoneyReading, movement: Movement, known: KnownAlerts): boolean => {
  const { kind } = followChain(known.balances.get(money.wallet.identity), movement).link
  return kind === 'fits' || kind === 'doubtful'
}

const countedStates: readonly AlertState[] = ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed']

/**
 * The same text with the same reference, reported for another wallet of the account: a phone was bound to another wallet
 * and sends its messages again, or a wallet was entered under a wrong number. Two SIMs of one phone are two wallets.
 */
export const sameMessageElsewhere = (
  alert: AlertToResolve,
  money: MoneyReading,
  message: Message,
  from: 'same phone' | 'another phone',
): SameTextAlert | undefined =>
  money.referenceKey === null
    ? undefined
    : message.sameText.find((one) => {
        if (one.identity === null || one.identity === money.wallet.identity) return false
        if (one.referenceKey === null || !countedStates.includes(one.state)) return false
        if (one.deviceId !== alert.deviceId) return from === 'another phone'
        const { simSlot } = alert.report
        return from === 'same phone' && (one.simSlot === '' || simSlot === '' || one.simSlot === simSlot)
      })

/** An earlier alert with the same text that may be this payment; the two cannot be told apart. */
export const similarTo = (
  money: MoneyReading,
  message: Message,
  repeated: EarlierAlert | undefined,
): AlertId | null => {
  if (money.referenceKey !== null || repeated !== undefined) return null
  const earlier = message.sameText.filter(
    (one) =>
      one.identity === money.wallet.identity &&
      one.state !== 'duplicate' &&
      (money.balance !== null || message.moment.receivedAt - one.receivedAt < paired_ms),
  )
  return earlier.at(-1)?.id ?? null
}
