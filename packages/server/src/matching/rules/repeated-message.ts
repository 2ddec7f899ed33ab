/**
 * The message of an alert against those of the same text in the account: whether it was reported before, for this wallet or
 * for another one, and whether nobody can tell. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { followChain, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { AlertToResolve, EarlierAlert, KnownAlerts, MoneyReading, SameTextAlert } from '../resolve/known-alerts.ts'
import { type Moment, paired_ms, repeatedOf } from './same-message.ts'

type Message = { readonly moment: Moment; readonly sameText: readonly SameTextAlert[] }

/** Of the same text, those of this wallet, and those that came before anybody knew their wallet. */
const sameWallet = (item: AlertToResolve, message: Message): (SameTextAlert & { readonly isDuplicate: boolean })[] => {
  const identity = item.reading.wallet?.identity ?? null
  return message.sameText
    .filter((one) => one.identity === identity || one.identity === null)
    .map((one) => ({ ...one, isDuplicate: one.state === 'duplicate' }))
}

const sourceOf = (item: AlertToResolve, message: Message) => ({
  ...message.moment,
  deviceId: item.deviceId,
  adapter: item.adapter,
})

/** The alert that a message repeats that nobody could read. */
export const repeatedUnread = (item: AlertToResolve, message: Message): SameTextAlert | undefined =>
  repeatedOf(sourceOf(item, message), sameWallet(item, message), 'none')

/** The alert that this one repeats, by its text. */
export const repeatedMoney = (
  item: AlertToResolve,
  money: MoneyReading,
  movement: Movement,
  message: Message,
  known: KnownAlerts,
): SameTextAlert | undefined => {
  const earlier = sameWallet(item, message)
  if (earlier.length === 0) return undefined
  const balance =
    money.balance === null || money.referenceKey !== null
      ? 'none'
      : couldMove(money, movement, known)
        ? 'second movement'
        : 'no second movement'
  return repeatedOf(sourceOf(item, message), earlier, balance)
}

/** Whether the balance that it shows follows from one that is known. */
const couldMove = (money: MoneyReading, movement: Movement, known: KnownAlerts): boolean => {
  const { kind } = followChain(known.balances.get(money.wallet.identity), movement).link
  return kind === 'fits' || kind === 'doubtful'
}

const spokenFor: readonly AlertState[] = ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed']

/**
 * The same text with the same reference, reported for another wallet of the account: a phone was bound to another wallet
 * and sends its messages again, or a wallet was entered under a wrong number. Two SIMs of one phone are two wallets.
 */
export const sameMessageElsewhere = (
  item: AlertToResolve,
  money: MoneyReading,
  message: Message,
  from: 'same phone' | 'another phone',
): SameTextAlert | undefined =>
  money.referenceKey === null
    ? undefined
    : message.sameText.find((one) => {
        if (one.identity === null || one.identity === money.wallet.identity) return false
        if (one.referenceKey === null || !spokenFor.includes(one.state)) return false
        if (one.deviceId !== item.deviceId) return from === 'another phone'
        const { simSlot } = item.report
        return from === 'same phone' && (one.simSlot === '' || simSlot === '' || one.simSlot === simSlot)
      })

/** An earlier alert with the same words that may be this payment; nobody can tell. */
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
