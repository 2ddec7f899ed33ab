/**
 * Finds words of sentences where a template expects a name: verbs, nouns and small words about money, time and state, in Arabic and
 * English, with their inflections. A list of words that deny a payment always misses one; but whatever is added to a name
 * consists of words of sentences. Whole words are compared, so ردمان is not رد and سحبان is not سحب. Pure.
 */
import { LRUCache } from 'lru-cache'
import {
  COMPANY_HEADS,
  COMPANY_WORDS,
  NAMES,
  OTHER_NOUNS,
  OTHER_PARTICLES,
  OTHER_VERBS,
  STATE_NOUNS,
  STATE_PARTICLES,
  STATE_VERBS,
} from './arabic-sentence-words.ts'
import { DENIAL_WORDS, TRIAL_WORDS } from './denial-words.ts'
import {
  ENGLISH_COMPANY_HEADS,
  ENGLISH_COMPANY_WORDS,
  OTHER_WORDS,
  STATE_WORDS,
} from './english-sentence-words.ts'
import { bareLetters } from './folded-text.ts'

/** More words, or a longer one, are not a name. */
const MOST_WORDS = 12
const LONGEST_WORD = 16

/** `state`: changes what a message says. `plain`: shows that the text is a sentence. */
type Kind = 'state' | 'plain'

/** The first word of `name` that is not a part of a name, folded; undefined: it is a name. */
export const wordNotOfAName = (name: string): string | undefined => {
  const words = wordsOf(name)
  if (words.plain.length > MOST_WORDS) return words.plain[MOST_WORDS]
  const isCompany = words.plain.some(isCompanyHead)
  const found = (word: string, before: string | undefined) =>
    word.length > LONGEST_WORD || (kindOf(word) !== undefined && !isDivineName(word, before) && !(isCompany && isCompanyWord(word)))
  return words.plain.find((word, i) => found(word, words.plain[i - 1])) ?? words.hidden.find((word) => found(word, undefined))
}

/** The first word of `text` that changes what a message says, and that is not among `known`; folded. */
export const stateWordIn = (text: string, known: ReadonlySet<string>): string | undefined => {
  const { plain, hidden } = wordsOf(text)
  return [...plain, ...hidden].find((word) => !known.has(word) && kindOf(word) === 'state')
}

const WORD = /\p{Script=Arabic}+|(?:(?!\p{Script=Arabic})\p{L})+/gu
// Inside of a word: Ra'id.
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu
// Marks that hide letters of a name: what they separate is not one word.
const MASKED = /[*#•]/
/** Shorter joined letters may be initials: ص. ر. */
const FEWEST_JOINED = 4

/** The words of a text, folded: `plain` as written; `hidden` with what was put between their letters removed. */
export const wordsOf = (text: string): { readonly plain: readonly string[]; readonly hidden: readonly string[] } => {
  const letters = bareLetters(text).replace(APOSTROPHE, '')
  const plain = letters.match(WORD) ?? []
  const hidden: string[] = []
  let single = ''
  for (const chunk of [...letters.split(' '), '']) {
    const joined = chunk.replace(/\P{L}+/gu, '')
    if (joined.length === 1) single += joined
    else {
      if (single.length >= FEWEST_JOINED) hidden.push(single)
      single = ''
    }
    const isWhole = joined === chunk || (MASKED.test(chunk) && joined.length < FEWEST_JOINED)
    if (!isWhole && joined.length >= FEWEST_JOINED) hidden.push(...(joined.match(WORD) ?? []))
  }
  return { plain, hidden }
}

const kinds = new LRUCache<string, { readonly kind: Kind | undefined }>({ max: 10_000 })

const kindOf = (word: string): Kind | undefined => {
  const known = kinds.get(word)
  if (known !== undefined) return known.kind
  const kind = ARABIC.test(word) ? arabicKind(word) : englishKind(word)
  kinds.set(word, { kind })
  return kind
}

const ARABIC = /^\p{Script=Arabic}/u

// --- Arabic ---

type Words = ReadonlyMap<string, Kind>
const wordsFrom = (state: readonly string[], plain: readonly string[]): Words =>
  new Map([
    ...plain.map((word) => [bareLetters(word), 'plain'] as const),
    ...state.map((word) => [bareLetters(word), 'state'] as const),
  ])
const past = (verb: string): string[] => verb.split('/').slice(0, 1).filter(Boolean)
const present = (verb: string): string[] => verb.split('/').slice(1, 2).filter(Boolean)

const denials = [...DENIAL_WORDS, ...TRIAL_WORDS].filter((word) => !word.includes(' '))
const arabicDenials = denials.filter((word) => ARABIC.test(word))
const PAST = wordsFrom(STATE_VERBS.flatMap(past), OTHER_VERBS.flatMap(past))
const PRESENT = wordsFrom(STATE_VERBS.flatMap(present), OTHER_VERBS.flatMap(present))
const NOUNS = wordsFrom([...STATE_NOUNS, ...arabicDenials], OTHER_NOUNS)
const PARTICLES = wordsFrom(STATE_PARTICLES, OTHER_PARTICLES)
const NAME_WORDS: ReadonlySet<string> = new Set(NAMES.map(bareLetters))
const HEADS: ReadonlySet<string> = new Set([...COMPANY_HEADS, ...ENGLISH_COMPANY_HEADS].map(bareLetters))
const TRADE: ReadonlySet<string> = new Set([...COMPANY_WORDS, ...ENGLISH_COMPANY_WORDS].map(bareLetters))

// Written together with the next word: and, so; by, for, as; the.
const CONJUNCTIONS = ['', 'و', 'ف']
const PREPOSITIONS = ['', 'ب', 'ل', 'ك']
const ARTICLES = ['', 'ال']
const NOUN_PREFIXES = [
  ...new Set(
    CONJUNCTIONS.flatMap((and) =>
      PREPOSITIONS.flatMap((by) => ARTICLES.map((the) => and + (by === 'ل' && the !== '' ? 'لل' : by + the))),
    ),
  ),
]
const PRONOUNS = ['', 'ه', 'ها', 'هم', 'هما', 'ك', 'كم', 'نا', 'ني']
const combine = (first: readonly string[], second: readonly string[]): readonly string[] => [
  ...new Set(first.flatMap((a) => second.map((b) => a + b))),
]
const PAST_SUFFIXES = combine(['', 'ت', 'نا', 'وا', 'و', 'تم', 'تمو', 'تا', 'ا', 'تي'], PRONOUNS)
const PRESENT_SUFFIXES = combine(['', 'ون', 'وا', 'و', 'ان', 'ين', 'ي', 'ن'], PRONOUNS)
// After اء the hamza has a seat before a pronoun: الغاؤها, الغائها.
const NOUN_SUFFIXES = [
  ...new Set([
    ...combine(['', 'ت', 'ات'], ['ه', 'ها', 'هم', 'هما', 'ك', 'كم', 'نا']),
    ...['', 'ا', 'ات', 'ين', 'ون', 'ان', 'تان', 'تين', 'ت'],
  ]),
]
const AFTER_ALEF = combine(['اي', 'او'], ['', 'ه', 'ها', 'هم', 'هما', 'ك', 'كم', 'نا']).map((suffix) => [suffix, 'ا'] as const)
/** What is left of a word has three letters. With two, a noun counts only as it is, and a verb only without a prefix: ورد, وردة and
 *  ردين are not رد. */
const FEWEST_STEM = 3

const withoutPrefix = (word: string, prefixes: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => {
    const rest = word.startsWith(prefix) ? word.slice(prefix.length) : ''
    return rest.length >= (prefix === '' ? 1 : FEWEST_STEM) ? [rest] : []
  })

const withSuffix = (word: string, stems: Words, suffixes: readonly string[], fewest = 1): Kind | undefined => {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || (suffix !== '' && word.length - suffix.length < fewest)) continue
    const kind = stems.get(suffix === '' ? word : word.slice(0, -suffix.length))
    if (kind !== undefined) return kind
  }
  return undefined
}

const nounKind = (word: string): Kind | undefined => {
  const kind = withSuffix(word, NOUNS, NOUN_SUFFIXES, FEWEST_STEM)
  if (kind !== undefined) return kind
  for (const [suffix, alef] of AFTER_ALEF) {
    const found = word.endsWith(suffix) ? NOUNS.get(word.slice(0, -suffix.length) + alef) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const arabicKind = (word: string): Kind | undefined => {
  if (NAME_WORDS.has(word) || word.startsWith('عبدال')) return undefined
  for (const rest of withoutPrefix(word, CONJUNCTIONS)) {
    if (NAME_WORDS.has(rest)) continue
    const verb =
      PARTICLES.get(rest) ??
      withSuffix(rest, PAST, PAST_SUFFIXES, rest === word ? 1 : FEWEST_STEM) ??
      presentKind(rest)
    if (verb !== undefined) return verb
  }
  for (const rest of withoutPrefix(word, NOUN_PREFIXES)) {
    const noun = nounKind(rest)
    if (noun !== undefined) return noun
    if (!NAME_WORDS.has(rest) && VERBAL.test(rest)) return 'plain'
  }
  return gluedKind(word)
}

/** Present, future (س) and after ل: يودع, سيودع, ليودع. */
const presentKind = (word: string): Kind | undefined => {
  const [, future = '', person = '', rest] = /^([سل]?)([يتنا])(.+)$/.exec(word) ?? []
  if (rest === undefined) return undefined
  const kind = withSuffix(rest, PRESENT, /[يت]/.test(person) ? PRESENT_SUFFIXES : PRONOUNS)
  if (kind !== undefined) return future === 'س' ? 'state' : kind
  return FUTURE.test(word) ? 'state' : undefined
}

// س before any verb: سيحتسب. Names with سي and ست have fewer letters, or are in NAMES.
const FUTURE = /^س[يت](?!ف|د).{3,}$/
// The tenth form (استلام, يستلم, مستلم) and the noun of the second (تحويل) are verbal nouns, except for the names in NAMES.
const VERBAL = /^(?:[ايتن]ست.{2,}|مست.{2,}|ت..ي[^اهوي](?:ه|ات)?)$/

/** A word of a sentence that is written together with a name: المثالمرفوضة. */
const FEWEST_GLUED = 5
const gluedKind = (word: string): Kind | undefined => {
  for (let at = 3; at <= word.length - FEWEST_GLUED; at++) {
    const kind = NOUNS.get(word.slice(at)) ?? NOUNS.get(word.slice(0, -at))
    if (kind === 'state') return kind
  }
  return undefined
}

/** After عبد: عبد الباقي, عبد المعيد. */
const isDivineName = (word: string, before: string | undefined): boolean => before === 'عبد' && word.startsWith('ال')

const isCompanyHead = (word: string): boolean =>
  HEADS.has(word) || withoutPrefix(word, ['ال', 'و']).some((rest) => HEADS.has(rest)) || isTradeAfterFor(word)

/** للتجارة, للصرافة, لخدمات. */
const isTradeAfterFor = (word: string): boolean =>
  withoutPrefix(word, ['لل', 'ل']).some((rest) => rest !== word && (TRADE.has(rest) || HEADS.has(rest)))

const isCompanyWord = (word: string): boolean =>
  withoutPrefix(word, NOUN_PREFIXES).some((rest) => TRADE.has(rest) || HEADS.has(rest))

// --- English ---

const ENGLISH = wordsFrom([...STATE_WORDS, ...denials.filter((word) => !ARABIC.test(word))], OTHER_WORDS)

const englishKind = (word: string): Kind | undefined => {
  for (const base of englishBases(word)) {
    const kind = ENGLISH.get(base)
    if (kind !== undefined) return kind
  }
  return undefined
}

/** The word, and the words of which it may be a form: sends, added, charging, stopped, refunds. */
const englishBases = (word: string): string[] => {
  const bases = [word]
  for (const suffix of ['s', 'es', 'd', 'ed', 'ing', 'ly', 'able', 'ment', 'ments']) {
    const rest = word.endsWith(suffix) ? word.slice(0, -suffix.length) : ''
    if (rest.length < FEWEST_STEM) continue
    bases.push(rest, `${rest}e`)
    if (rest.at(-1) === rest.at(-2)) bases.push(rest.slice(0, -1))
    if (rest.endsWith('i') && suffix.startsWith('e')) bases.push(`${rest.slice(0, -1)}y`)
  }
  return bases
}
