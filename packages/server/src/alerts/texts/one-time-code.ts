/**
 * Recognises texts with a one-time code, and masks their numbers. It is used only for texts that no template reads as money,
 * because a real alert may contain "code". In doubt, a text with the words of a one-time code and a number beside them counts
 * as one: the owner can reveal a hidden text, and a later template can read it, but a shown code cannot be hidden again. Pure.
 */
import { normalise } from './normalise.ts'
import {
  balanceWords,
  codeAdvice,
  codePhrases,
  confirmPhrases,
  currencies,
  otherCodes,
  otherCodesBefore,
  otherNumbers,
  paymentWords,
  weakPhrases,
} from './one-time-code-words.ts'

/** The text in lower case, with one spelling for interchangeable letters, without tatweel and vowel signs. */
export const foldWords = (text: string): string =>
  normalise(text)
    .toLowerCase()
    .replace(/[\u0640\u064b-\u065f\u0670]/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىی]/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/ک/g, 'ك')

/** Four to eight digits, also in groups or apart, after a letter or mixed with letters; not an amount. */
const number = String.raw`(?<![\da-z]|\d[.,:/])(?:[a-z]{1,2}-)?(?:\d{4,8}|\d{2}(?:[- ]\d{2}){2,3}|\d{2,4}[- ]\d{2,4}|\d(?: \d){3,7}|(?=[a-z]{0,8}\d)[a-z\d]{5,8})(?![\da-z]|[.,:/]\d|[ .]?${currencies})`
const numbers = new RegExp(number, 'g')

const ownWord = String.raw`(?<![\p{L}\p{N}])`
const strong = new RegExp(`(?:^|(?<=[^\\p{L}])|(?<=[^\\p{L}](?:ال|ك|ب|ل|و)))(?:${codePhrases.join('|')})`, 'gu')
const weak = new RegExp(
  `(?<!${otherCodesBefore})${ownWord}(?:ال|ك|ب|ل|و)?(?:${weakPhrases.join('|')})(?![\\p{L}])(?! ?${otherCodes})`,
  'gu',
)
const confirming = new RegExp(`${ownWord}(?:${confirmPhrases.join('|')})`, 'gu')
const advice = new RegExp(`${ownWord}(?:${codeAdvice.join('|')})`, 'u')
const notCodeBefore = new RegExp(`${ownWord}${otherNumbers}[ :#.-]*(?:هو |is |no\\.? ?|id ?)?[:#]?$`, 'u')
const linkWords = /^[\s:.,'"()-]*(?:هو|هي|is|are|as|ك|لل?|to|for|\(|$)/u
const useWords = /(?:استخدم|ادخل|اكتب|use|enter|type)[\s:'"]*$/u

const amount = new RegExp(String.raw`\d[ .]?${currencies}|${currencies}[ .:]?\d`, 'u')
const balance = new RegExp(`${ownWord}(?:ال|و)?${balanceWords}`, 'u')
const payment = new RegExp(`${ownWord}(?:و|تم )?${paymentWords}`, 'u')
const onlyNumber = /^[^\p{L}\d]*(?:[a-z]-)?\d{4,8}[^\p{L}\d]*$/u

const reachAfter = 80
const reachBefore = 40

/** Whether a raw text looks like a message with a one-time code. */
export const looksLikeCode = (raw: string): boolean => {
  const text = foldWords(raw)
  if (onlyNumber.test(text)) return true
  const found = [...text.matchAll(numbers)]
    .map((match) => ({ from: match.index, until: match.index + match[0].length, text: match[0] }))
    .filter(
      ({ from, text: candidate }) =>
        /\d/.test(candidate) && !notCodeBefore.test(text.slice(Math.max(0, from - 30), from)),
    )
  if (found.length === 0) return false
  const hasNumberBeside = (phrase: RegExpExecArray, reach: number): boolean => {
    const [start, end] = [phrase.index, phrase.index + phrase[0].length]
    return found.some(({ from, until }) => {
      if (from >= end) return from - end <= reach
      const between = text.slice(until, start)
      if (until > start || between.length > reachBefore) return false
      return linkWords.test(between) || useWords.test(text.slice(0, from))
    })
  }
  const hasAmount = amount.test(text)
  const hasBalance = balance.test(text)
  // A message with a code may have the amount of the payment that it confirms, but never a balance.
  if (!(hasAmount && hasBalance) && [...text.matchAll(strong)].some((phrase) => hasNumberBeside(phrase, reachAfter)))
    return true
  if (hasBalance || payment.test(text)) return false
  const followingAdvice = advice.exec(text)
  // "The confirmation code of your transfer of 5,000 is 123456. Tell nobody."
  if (hasAmount)
    return [...text.matchAll(confirming)].some(({ index, 0: { length } }) =>
      found.some(({ from, until }) => from >= index + length && until <= (followingAdvice?.index ?? 0)),
    )
  return followingAdvice !== null || [...text.matchAll(weak)].some((phrase) => hasNumberBeside(phrase, reachBefore))
}

const link = /\b[a-z][a-z\d+.-]*:\/\/\S+|\bwww\.\S+|\b[a-z\d-]+(?:\.[a-z\d-]+)+\/\S*/giu

/** The text with digits, links, words in capital letters and words with digits masked. */
export const maskCode = (text: string): string =>
  text
    .replace(link, '•••')
    .replace(/[\p{N}\p{Script=Latin}_-]*\p{N}[\p{N}\p{Script=Latin}_-]*/gu, (token) => '•'.repeat([...token].length))
    .replace(/\b[A-Z]{4,}\b/g, (token) => '•'.repeat(token.length))
