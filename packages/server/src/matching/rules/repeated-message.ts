/**
 * Compares an alert with the account's alerts that have the same text: whether the message was reported before, for this wallet
 * or for another, or whether that cannot be decided. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { followChain, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Moment } from '../records/credit-report.ts'
import type { AlertToResolve, EarlierAlert, KnownAlerts, MoneyReading, SameTextAlert } from '../records/known-alerts.ts'
import { paired_ms, type Reported, repeatedOf } from './same-message.ts'

type Message = {
  readonly moment: Moment
  readonly sameText: readonly SameTextAlert[]
  readonly moreSameText: SameTextAlert | undefined
}

/** An alert that stands for those with the same text that were not read; undefined: all were read. */
export const moreSameText = (id: AlertId, sameText: readonly SameTextAlert[]): SameTextAlert | undefined => {
  if (!sameText.some(({ standsForMore }) => standsForMore)) return undefined
  const others = sameText.filter((other) => other.id !== id)
  return others.find(({ standsForMore }) => standsForMore) ?? others[0]
}

/** Whether alerts with the same text that came within the time of pairing were not read. */
const hasMoreToPair = ({ moment, moreSameText }: Message): boolean =>
  moreSameText !== undefined && moment.receivedAt - moreSameText.receivedAt < paired_ms

/** Alerts with the same text of the same wallet, and those whose wallet was unknown. */
export const ofSameWallet = (
  alert: AlertToResolve,
  message: Message,
): (SameTextAlert & Pick<Reported, 'isDuplicate' | 'isRead'>)[] => {
  const identity = alert.reading.wallet?.identity ?? null
  return message.sameText
    .filter((earlier) => earlier.identity === identity || earlier.identity === null)
    .map((earlier) => ({ ...earlier, isDuplicate: earlier.state === 'duplicate', isRead: earlier.amount !== null }))
}

const sourceOf = (alert: AlertToResolve, message: Message) => ({
  ...message.moment,
  phoneId: alert.phoneId,
  adapter: alert.adapter,
})

/** The earlier alert that an unread message repeats. */
export const repeatedUnread = (alert: AlertToResolve, message: Message): SameTextAlert | undefined =>
  repeatedOf(sourceOf(alert, message), ofSameWallet(alert, message), 'none', !hasMoreToPair(message))

/** The earlier alert that an alert with money repeats, by its text. */
export const repeatedMoney = (
  alert: AlertToResolve,
  money: MoneyReading,
  movement: Movement,
  message: Message,
  known: KnownAlerts,
): SameTextAlert | undefined => {
  const earlier = ofSameWallet(alert, message)
  if (earlier.length === 0) return undefined
  const balance =
    money.balance === null || money.referenceKey !== null
      ? 'none'
      : couldMove(money, movement, known)
        ? 'second movement'
        : 'no second movement'
  return repeatedOf(sourceOf(alert, message), earlier, balance, !hasMoreToPair(message))
}

/** Whether the alert could be another movement: its balance follows from a known one. */
const couldMove = (money: MoneyReading, movement: Movement, known: KnownAlerts): boolean => {
  const { kind } = followChain(known.balances.get(money.wallet.identity), movement).link
  return kind === 'fits' || kind === 'doubtful'
}

const countedStates: readonly AlertState[] = ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed']

/**
 * An alert with the same text and a reference, of another wallet of the account. It exists if the phone was bound to another
 * wallet and sends its messages again, or if a wallet was entered with a wrong number. Two SIMs of one phone are two wallets.
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
        (earlier) =>
          earlier.referenceKey !== null &&
          isElsewhere(alert, money, earlier) &&
          from === (earlier.phoneId === alert.phoneId ? 'same phone' : 'another phone'),
      )

const isElsewhere = (alert: AlertToResolve, money: MoneyReading, earlier: SameTextAlert): boolean => {
  if (earlier.identity === null || earlier.identity === money.wallet.identity || !countedStates.includes(earlier.state))
    return false
  const { simSlot } = alert.report
  return earlier.phoneId !== alert.phoneId || earlier.simSlot === '' || simSlot === '' || earlier.simSlot === simSlot
}

/** An earlier alert with the same text that may be the same payment, if the two cannot be told apart. It may be of another
 *  wallet: a real wallet that was entered with two numbers gets its messages in both. */
export const similarTo = (
  alert: AlertToResolve,
  money: MoneyReading,
  message: Message,
  /** The earlier report that this one supersedes. */
  repeated: EarlierAlert | undefined,
): AlertId | null => {
  if (money.referenceKey !== null) return null
  const earlier = message.sameText.filter(
    (other) =>
      other.state !== 'duplicate' &&
      other.id !== repeated?.id &&
      (other.identity === money.wallet.identity || isElsewhere(alert, money, other)) &&
      (money.balance !== null || message.moment.receivedAt - other.receivedAt < paired_ms),
  )
  const more = money.balance !== null || hasMoreToPair(message) ? message.moreSameText : undefined
  return earlier.at(-1)?.id ?? more?.id ?? null
}
