/**
 * The message of an alert against those of the same text in the account: whether it was reported before, for this wallet or
 * for another one, and whether nobody can tell. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import { followChain, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Book, ReadMoney, Said, SameWords, Settling } from '../resolve/known-alerts.ts'
import { type Moment, paired_ms, repeatedOf } from './same-message.ts'

type Message = { readonly moment: Moment; readonly sameWords: readonly SameWords[] }

/** Of the same text, those of this wallet, and those that came before anybody knew their wallet. */
const sameWallet = (item: Settling, message: Message): (SameWords & { readonly isDuplicate: boolean })[] => {
  const identity = item.understood.wallet?.identity ?? null
  return message.sameWords
    .filter((one) => one.identity === identity || one.identity === null)
    .map((one) => ({ ...one, isDuplicate: one.state === 'duplicate' }))
}

const sourceOf = (item: Settling, message: Message) => ({
  ...message.moment,
  deviceId: item.deviceId,
  adapter: item.adapter,
})

/** The alert that a message repeats that nobody could read. */
export const repeatedUnread = (item: Settling, message: Message): SameWords | undefined =>
  repeatedOf(sourceOf(item, message), sameWallet(item, message), 'none')

/** The alert that this one repeats, by its text. */
export const repeatedMoney = (
  item: Settling,
  money: ReadMoney,
  movement: Movement,
  message: Message,
  book: Book,
): SameWords | undefined => {
  const earlier = sameWallet(item, message)
  if (earlier.length === 0) return undefined
  const balance =
    money.balance === null || money.referenceKey !== null
      ? 'none'
      : couldMove(money, movement, book)
        ? 'second movement'
        : 'no second movement'
  return repeatedOf(sourceOf(item, message), earlier, balance)
}

/** Whether the balance that it shows follows from one that is known. */
const couldMove = (money: ReadMoney, movement: Movement, book: Book): boolean => {
  const { kind } = followChain(book.balances.get(money.wallet.identity), movement).link
  return kind === 'fits' || kind === 'doubtful'
}

const spokenFor: readonly AlertState[] = ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed']

/**
 * The same text with the same reference, reported for another wallet of the account: a phone was bound to another wallet
 * and sends its messages again, or a wallet was entered under a wrong number. Two SIMs of one phone are two wallets.
 */
export const sameMessageElsewhere = (
  item: Settling,
  money: ReadMoney,
  message: Message,
  from: 'same phone' | 'another phone',
): SameWords | undefined =>
  money.referenceKey === null
    ? undefined
    : message.sameWords.find((one) => {
        if (one.identity === null || one.identity === money.wallet.identity) return false
        if (one.referenceKey === null || !spokenFor.includes(one.state)) return false
        if (one.deviceId !== item.deviceId) return from === 'another phone'
        const { simSlot } = item.report
        return from === 'same phone' && (one.simSlot === '' || simSlot === '' || one.simSlot === simSlot)
      })

/** An earlier alert with the same words that may be this payment; nobody can tell. */
export const similarTo = (money: ReadMoney, message: Message, repeated: Said | undefined): AlertId | null => {
  if (money.referenceKey !== null || repeated !== undefined) return null
  const earlier = message.sameWords.filter(
    (one) =>
      one.identity === money.wallet.identity &&
      one.state !== 'duplicate' &&
      (money.balance !== null || message.moment.receivedAt - one.receivedAt < paired_ms),
  )
  return earlier.at(-1)?.id ?? null
}
