/**
 * Whether a password is one that many people use, or such a password with a little added. The password is simplified first:
 * case, Arabic digits and marks, and separators are folded; letters written as digits or signs are restored; digits, years
 * and signs at both ends are removed. It is common if the rest is in the list, repeats a part, or is two common words. Walks
 * over the keyboard, sequences and phone numbers of Yemen are common as well, and so is a password of one or two different
 * characters. Any other password of more than `most_characters` is not common. Pure.
 *
 * The list is that of zxcvbn (`@zxcvbn-ts/language-common`, some 49,000 passwords, the most used first), with local words
 * added (local-words.ts). It is loaded when the first password is checked.
 */
import { createRequire } from 'node:module'
import { asciiDigits } from '../../core/digits.ts'
import { localWords } from './local-words.ts'

const most_characters = 64
/** Two words together are common if both are among this many at the start of the list. */
const ranked_first = 3_000
/** A repeated part with fewer characters than this is common, whatever it is. */
const shortest_part = 5
/** Up to this many digits are often added to a word. More digits make a password stronger, unless they are a date or a sequence. */
const most_added_digits = 4

const foldArabic = (text: string): string =>
  text
    // Vowel signs and the tatweel, which stretches a word.
    .replace(/[\u064b-\u065f\u0670\u0640]/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')

const fold = (text: string): string => foldArabic(asciiDigits(text.normalize('NFKC'))).toLowerCase()

type Ranks = ReadonlyMap<string, number>
type CommonList = { readonly dictionary: { readonly 'passwords-common': readonly string[] } }
let loaded: Ranks | undefined

/** The rank of each common password: 0 is the most used. */
const commonRanks = (): Ranks => {
  if (loaded === undefined) {
    const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as CommonList
    const ranks = new Map(dictionary['passwords-common'].map((word, rank) => [word, rank]))
    for (const word of localWords) ranks.set(lettersAndDigits(fold(word)), 0)
    loaded = ranks
  }
  return loaded
}

/** Keys at the same index of two rows are under each other. An alphabet is a keyboard of one row. */
const keyboards: readonly (readonly string[])[] = [
  ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'],
  ['ضصثقفغعهخحجد', 'شسيبلاتنمكط', 'ئءؤرلايهوزظ'],
  ['789', '456', '123'],
  ['01234567890'],
  ['abcdefghijklmnopqrstuvwxyz'],
  ['ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
]

/** For two neighbouring keys: the directions from the first to the second, each with its keyboard. */
const steps = (() => {
  const found = new Map<string, Set<string>>()
  for (const [board, rows] of keyboards.entries())
    for (const [row, keys] of rows.entries())
      for (const [column, key] of [...keys].entries())
        for (const [down, right] of [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [y, x] as const))) {
          const next = rows[row + down]?.[column + right]
          if (next === undefined || next === key) continue
          const ways = found.get(key + next) ?? new Set()
          found.set(key + next, ways.add(`${board} ${down} ${right}`))
        }
  return found
})()

const noWays: ReadonlySet<string> = new Set()

/** The index after the straight run of keys that begins at `from`. */
const runEnd = (text: string, from: number): number => {
  let ways: ReadonlySet<string> | undefined
  let at = from + 1
  for (; at < text.length; at++) {
    const possible = steps.get(text[at - 1]! + text[at]!) ?? noWays
    ways = ways === undefined ? possible : ways.intersection(possible)
    if (ways.size === 0) break
  }
  return at
}

/** The text consists of straight runs of three or more keys or letters: `qwerty12345`, `1qaz2wsx`, `aaabbbccc`. */
const isWalk = (text: string): boolean => {
  const unrepeated = text.replace(/(.)\1+/gsu, '$1')
  let at = 0
  while (at < unrepeated.length) {
    const end = runEnd(unrepeated, at)
    if (end - at < 3) return false
    at = end
  }
  return unrepeated.length > 0
}

/** The part that the text repeats; the whole text if it repeats none. */
const repeatedPart = (text: string): string => {
  const again = (text + text).indexOf(text, 1)
  return again < text.length && text.length % again === 0 ? text.slice(0, again) : text
}

const year = '(?:19|20)\\d\\d|1[34]\\d\\d'
const dayOrMonth = '\\d{1,2}'
const dayAndMonth = dayOrMonth + dayOrMonth
const date = new RegExp(`^(?:${year}|${dayAndMonth}(?:${year})|(?:${year})${dayAndMonth}|(?:${year})(?:${year}))$`)

/** Digits that people usually add to a word. */
const isUsualSuffix = (digits: string): boolean =>
  digits.length <= most_added_digits || date.test(digits) || isWalk(digits) || commonRanks().has(digits)

/** A mobile number of Yemen: shops print theirs on paper. */
const phoneNumber = /^(?:(?:00)?967|0)?7[01378]\d{7}$/

const plainLetters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '(': 'c',
  '3': 'e',
  '€': 'e',
  '6': 'g',
  '9': 'g',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
}

/** The words that `p@ssw0rd` may stand for. A 1, a ! and a | stand for an i or an l. */
const withoutLeet = (text: string): string[] => {
  const plain = text.replace(/[@48(3€690$57+2]/g, (sign) => plainLetters[sign]!)
  return ['i', 'l'].map((letter) => plain.replace(/[1!|]/g, letter))
}

const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** The words that a password may be built on: the text itself, without separators, and without what was added at the ends. */
const cores = (text: string): string[] => {
  const found = new Set<string>([text, lettersAndDigits(text)])
  for (const form of [...found]) {
    const [, before = '', core = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(form)!
    if (isUsualSuffix(before.replace(/\D/g, '')) && isUsualSuffix(after.replace(/\D/g, ''))) found.add(core)
    // A sign at the beginning, or before the added digits, may be a letter of the word: `$ecret12`, `acce$$12`.
    const [, trimmed = '', digits = ''] = /^(.*?)(\d*)[^\p{L}\p{N}]*$/su.exec(form)!
    if (isUsualSuffix(digits)) found.add(trimmed)
  }
  for (const form of [...found]) for (const plain of withoutLeet(form)) found.add(plain).add(lettersAndDigits(plain))
  return [...found].filter((form) => form.length >= 3)
}

const isTwoCommonWords = (text: string, ranks: Ranks): boolean => {
  const isFirst = (word: string): boolean => (ranks.get(word) ?? ranked_first) < ranked_first
  for (let at = 3; at <= text.length - 3; at++) if (isFirst(text.slice(0, at)) && isFirst(text.slice(at))) return true
  return false
}

const isCommonCore = (core: string, own: readonly string[]): boolean => {
  const ranks = commonRanks()
  const part = repeatedPart(core)
  if (part !== core && (part.length < shortest_part || isCommonCore(part, own))) return true
  if (ranks.has(core) || own.includes(core) || isWalk(core) || ranks.has([...core].reverse().join(''))) return true
  return isTwoCommonWords(core, ranks)
}

/** `own`: words of the user, such as the name in their address, which count as common for them. */
export const isCommonPassword = (password: string, own: readonly string[] = []): boolean => {
  if (new Set(password.toLowerCase()).size < 3) return true
  if (password.length > most_characters) return false
  const text = fold(password).trim()
  if (new Set(text).size < 3 || phoneNumber.test(text.replace(/[\s+-]/g, ''))) return true
  const folded = own.map((word) => lettersAndDigits(fold(word))).filter((word) => word.length >= 3)
  return cores(text).some((core) => isCommonCore(core, folded))
}
