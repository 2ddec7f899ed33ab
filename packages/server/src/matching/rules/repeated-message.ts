/**
 * Compares an alert with the alerts of the account that have the same text: whether the message was reported before, for this
 * wallet or for another, or whether that cannot be known. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { followChain, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { AlertToResolve, EarlierAlert, KnownAlerts, MoneyReading, SameTextAlert } from '../resolve/known-alerts.ts'
import { type Moment, paired_ms, type Reported, repeatedOf } from './same-message.ts'

type Message = { readonly moment: Moment; readonly sameText: readonly SameTextAlert[] }

/** Those of the same wallet, and those whose wallet was not known. */
const sameWallet = (
  alert: AlertToResolve,
  message: Message,
): (SameTextAlert & Pick<Reported, 'isDuplicate' | 'isRead'>)[] => {
  const identity = alert.reading.wallet?.identity ?? null
  return message.sameText
    .filter((one) => one.identity === identity || one.identity === null)
    .map((one) => ({ ...one, isDuplicate: one.state === 'duplicate', isRead: one.amount !== null }))
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
    : message.sameText.find(
        (one) =>
          one.referenceKey !== null &&
          isElsewhere(alert, money, one) &&
          from === (one.deviceId === alert.deviceId ? 'same phone' : 'another phone'),
      )

const isElsewhere = (alert: AlertToResolve, money: MoneyReading, one: SameTextAlert): boolean => {
  if (one.identity === null || one.identity === money.wallet.identity || !countedStates.includes(one.state))
    return false
  const { simSlot } = alert.report
  return one.deviceId !== alert.deviceId || one.simSlot === '' || simSlot === '' || one.simSlot === simSlot
}

/** An earlier alert with the same text that may be this payment; the two cannot be told apart. Also one of another wallet: a
 *  real wallet that was entered twice under two numbers shows its messages in both. */
export const similarTo = (
  alert: AlertToResolve,
  money: MoneyReading,
  message: Message,
  /** The earlier report of this message, whose place this one takes. */
  repeated: EarlierAlert | undefined,
): AlertId | null => {
  if (money.referenceKey !== null) return null
  const earlier = message.sameText.filter(
    (one) =>
      one.state !== 'duplicate' &&
      one.id !== repeated?.id &&
      (one.identity === money.wallet.identity || isElsewhere(alert, money, one)) &&
      (money.balance !== null || message.moment.receivedAt - one.receivedAt < paired_ms),
  )
  return earlier.at(-1)?.id ?? null
}
