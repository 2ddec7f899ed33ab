/**
 * Whether a text calls a number its balance, by its words in Arabic or English. A balance is often far larger than the amount:
 * a template that reads the balance as the amount would prove a payment that never came. So the text is checked at every
 * reading, independently of the template and its samples. Pure.
 */
import { allCurrencyWords } from './currency-words.ts'
import { folded } from './folded-text.ts'

/** Balance words that also count inside longer words: رصيدك, الرصيد, ورصيدكم. */
const INSIDE = ['رصيد', 'balance']
/** Balance words that count only as whole words. */
const WHOLE = ['رص', 'متبقي', 'المتبقي', 'المتاح', 'المتوفر', 'bal', 'remaining', 'available']
/** Words that make the number an amount, if they are between the balance word and the number and the text says that money
 *  was added: "your balance was charged with the amount of 500". */
const AMOUNT = ['مبلغ', 'قيمه', 'amount', 'زاد', 'اضيف', 'with', 'by']
const ADDED = /شحن|اضاف|اضيف|ايداع|اودع|تغذي|زاد|credited|added|topped up|increased/u
/** Before the balance word: money was added to the balance, so the number is an amount. Also the prefix in لرصيدك. */
const TOWARDS = /(?:(?<!\p{L})(?:الي|to|into)(?: your| my| the)? ?|(?<!\p{L})ل)$/u
/** "Balance after a deposit of ...": the number is a balance. */
const AFTERWARDS = /(?:بعد|after)\P{N}{0,30}$/u

const NO_LETTER_BEFORE = '(?<!\\p{L})'
const NO_LETTER_AFTER = '(?!\\p{L})'
const BALANCE = `(?:${INSIDE.join('|')}|${NO_LETTER_BEFORE}(?:${WHOLE.join('|')})${NO_LETTER_AFTER})`
const BALANCES = new RegExp(BALANCE, 'gu')
const AMOUNTS = new RegExp(AMOUNT.join('|'), 'gu')

const escaped = (word: string): string => word.replace(/[.$|()[\]{}*+?\\^]/g, '\\$&')
const CURRENCY = allCurrencyWords.map((word) => escaped(folded(word))).join('|')
const BALANCE_NEXT = new RegExp(`^[\\s.:-]*(?:${CURRENCY})?[\\s.:-]*\\p{L}{0,2}${BALANCE}\\p{L}{0,3}(?!\\p{L})`, 'u')

/** A date or a time may come between the word and its number. */
const DATES = /[0-9]{1,4}(?:[/:-][0-9]{1,4})+/g
/** A word further away than this does not belong to the number. */
const REACH = 120

/** Whether words before the number, or right after it, call it a balance. `from` and `to`: its place in the normalised text. */
export const isCalledBalance = (text: string, from: number, to: number): boolean =>
  labelBefore(text.slice(Math.max(0, from - REACH), from)) || labelAfter(text.slice(to, to + REACH))

const labelBefore = (text: string): boolean => {
  // Words before an earlier number belong to that number.
  const words = folded(text.replace(DATES, ' ').replace(/^.*[0-9]/s, ''))
  const label = [...words.matchAll(BALANCES)].at(-1)
  if (label === undefined || TOWARDS.test(words.slice(0, label.index))) return false
  const between = words.slice(label.index)
  const isAmount = [...between.matchAll(AMOUNTS)].some(({ index }) => !AFTERWARDS.test(between.slice(0, index)))
  return !(isAmount && ADDED.test(words))
}

/** `51,245.30 YER رصيدك`, unless another number follows the balance word. */
const labelAfter = (text: string): boolean => {
  const label = BALANCE_NEXT.exec(folded(text))
  return label !== null && !/[0-9]/.test(folded(text).slice(label[0].length))
}
