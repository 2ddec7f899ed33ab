/**
 * Compares names of payers. These make no difference: the order of the parts, case, marks above letters, the spellings of
 * hamza, taa marbuta and alif maqsura, the article, and `bin`. عبد الله is عبدالله, and نور الدين is نورالدين. Messages may show
 * a part of a name: its first letters (`علي ص. المثال`, `ع*** المثال`, `علي صا...`), or two parts of four. Names in two scripts
 * are not compared. Spellings of one name in Latin letters (Mohammed, Muhammad) are neither the same nor different. Pure.
 */

export type NameLikeness = 'same' | 'same_as_far_as_shown' | 'differs' | 'unknown'

/** One part of a name. `masked`: only its first letters are shown. */
type Part = { readonly letters: string; readonly masked: boolean }
type Name = {
  readonly parts: readonly Part[]
  /** The end of the name is not shown, or a whole part is hidden. */
  readonly cut: boolean
}

const marks = /[\p{Mn}\p{Cf}\u0640]/gu
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[أإآٱ]/g, 'ا'],
  [/ة/g, 'ه'],
  [/[ىیئ]/g, 'ي'],
  [/ؤ/g, 'و'],
  [/[کگ]/g, 'ك'],
  [/ء/g, ''],
  // Signs inside of one word: O'Brien.
  [/['’‘ʼ`]/g, ''],
]
/** Whole words with more than one usual spelling, after `spellings` was applied. */
const otherSpellings = new Map([
  ['يحيا', 'يحيي'],
  ['اسحق', 'اسحاق'],
  ['اسمعيل', 'اسماعيل'],
  ['داوود', 'داود'],
  ['هرون', 'هارون'],
  ['عبدالرحمان', 'عبدالرحمن'],
])
/** Words that are written together with the next word, or apart. */
export const joinedToNext = new Set([
  'عبد',
  'ابو',
  'ابا',
  'ابي',
  'ام',
  'ذو',
  'با',
  'abd',
  'abdul',
  'abdel',
  'abdal',
  'abu',
])
const father = new Set(['ابا', 'ابي'])
/** Words that are written together with the word before, or apart: نور الدين, جار الله. */
export const joinedToPrevious = new Set(['الدين', 'الله'])
export const article = /^(?:ال|al|el)$/
export const ignored = new Set(['بن', 'ابن', 'بنت', 'bin', 'bint', 'ibn', 'ben'])
const maskMark = /[*#•…]/
const mostParts = 10

export const fold = (text: string): string => {
  let folded = text.normalize('NFKD').replaceAll('\u2026', '...').normalize('NFKC')
  // Spellings are replaced before NFD, which would separate the hamza from its letter.
  for (const [from, to] of spellings) folded = folded.replace(from, to)
  return folded.normalize('NFD').replace(marks, '').normalize('NFC').toLowerCase()
}

const withoutArticle = (word: string): string => (/^(?:ال.{3,}|[ae]l.{4,})$/u.test(word) ? word.slice(2) : word)

/** One spelling of a whole word: Abdelrahman and Abd al-Rahman are both abdrahman. */
const oneSpelling = (word: string): string => {
  const usual = otherSpellings.get(word) ?? word
  return withoutArticle(usual).replace(/^abd[uea]l(?=.{3})/, 'abd')
}

const nameOf = (text: string): Name => {
  const folded = fold(text.slice(0, 200))
  let cut = /\.{2,}\s*$/.test(folded)
  const words = folded
    .replace(/\.{2,}/g, '* ')
    // `ص.` is the beginning of a part.
    .replace(/(?<=^|\s)(\p{L})\./gu, '$1* ')
    .split(/[^\p{L}*#•]+/u)
    .filter((word) => word !== '')
  const parts: Part[] = []
  for (let at = 0; at < words.length && parts.length < mostParts; at++) {
    let word = words[at]!
    if (father.has(word)) word = 'ابو'
    if (ignored.has(word)) continue
    const next = words[at + 1]
    if (next !== undefined && (joinedToNext.has(word) || article.test(word)) && !maskMark.test(next)) {
      // `abd al rahman` and `عبد الرحمن`: the article belongs to the name that follows.
      const second = article.test(next) && words[at + 2] !== undefined ? next + words[++at + 1]! : next
      word = article.test(word) ? (/^\p{Script=Latin}/u.test(word) ? second : word + second) : word + second
      at++
    } else if (article.test(word)) continue
    else if (next !== undefined && joinedToPrevious.has(next)) word += words[++at]!
    const letters = word.split(maskMark)[0]!
    // A completely hidden part is skipped; a single letter is the beginning of a part.
    if (letters === '') cut = true
    else parts.push({ letters: oneSpelling(letters), masked: maskMark.test(word) || letters.length === 1 })
  }
  return { parts, cut }
}

const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text)

type PairCounts = { readonly exact: number; readonly partial: number }

/** Whether two parts are the same, or one is the beginning of the other. */
const matchOf = (a: Part, b: Part): 'exact' | 'partial' | undefined => {
  if (!a.masked && !b.masked) return a.letters === b.letters ? 'exact' : undefined
  const [short, long] = a.letters.length <= b.letters.length ? [a, b] : [b, a]
  return (short.masked || a.letters === b.letters) && long.letters.startsWith(short.letters) ? 'partial' : undefined
}

/** How many parts of the shorter name have a partner in the longer one. Exact partners are paired first. */
const countPairs = (short: readonly Part[], long: readonly Part[]): PairCounts => {
  const free = new Set(long.keys())
  /** Pairs parts with free parts of the longer name. Returns those that found no partner. */
  const pairUp = (kind: 'exact' | 'partial', parts: readonly Part[]): Part[] =>
    parts.filter((part) => {
      const partners = [...free].filter((at) => matchOf(part, long[at]!) === kind)
      // The partner with the most letters: `م` is left for a part that only `م` fits.
      const [partner] = partners.sort((one, other) => long[other]!.letters.length - long[one]!.letters.length)
      if (partner !== undefined) free.delete(partner)
      return partner === undefined
    })
  const rest = pairUp('exact', short)
  // Parts with more letters are paired first: `مح` before `م`.
  const unpaired = pairUp(
    'partial',
    rest.toSorted((a, b) => b.letters.length - a.letters.length),
  )
  return { exact: short.length - rest.length, partial: rest.length - unpaired.length }
}

/** The consonants of a word in Latin letters: Mohammed and Muhammad have the same. */
const consonants = (letters: string): string => letters.replace(/[aeiouy]/g, '').replace(/(.)\1+/g, '$1')

const soundAlike = (a: readonly Part[], b: readonly Part[]): boolean => {
  const sounds = new Set(a.map(({ letters }) => consonants(letters)))
  return b.some(({ letters }) => /^\p{Script=Latin}/u.test(letters) && sounds.has(consonants(letters)))
}

/** Only names with two parts or more are compared: a single part is too common. */
export const compareNames = (claimed: string, shown: string): NameLikeness => {
  const a = nameOf(claimed)
  const b = nameOf(shown)
  const [short, long] = a.parts.length <= b.parts.length ? [a, b] : [b, a]
  if (short.parts.length < 2 || isArabic(claimed) !== isArabic(shown)) return 'unknown'
  const { exact, partial } = countPairs(short.parts, long.parts)
  const found = exact + partial
  if (found === 0) return short.cut || long.cut || soundAlike(short.parts, long.parts) ? 'unknown' : 'differs'
  if (found < short.parts.length || exact === 0) return 'unknown'
  return partial === 0 && !short.cut && !long.cut ? 'same' : 'same_as_far_as_shown'
}
