/**
 * Finds words of sentences where a template expects a name: verbs, nouns and small words about money, time and state, in Arabic and
 * English, with their inflections. A list of words that deny a payment always misses one; but whatever is added to a name
 * consists of words of sentences. Whole words are compared, so ردمان is not رد and سحبان is not سحب. Pure.
 */
import { LRUCache } from 'lru-cache'
import {
  COMPANY_AIMS,
  COMPANY_HEADS,
  COMPANY_WORDS,
  NAMES,
  ONLY_FIRST_NAMES,
  OTHER_NOUNS,
  OTHER_PARTICLES,
  OTHER_VERBS,
  STATE_NOUNS,
  STATE_PARTICLES,
  STATE_VERBS,
} from './arabic-sentence-words.ts'
import { DENIAL_WORDS, TRIAL_WORDS } from './denial-words.ts'
import { ENGLISH_COMPANY_HEADS, ENGLISH_COMPANY_WORDS, OTHER_WORDS, STATE_WORDS } from './english-sentence-words.ts'
import { bareLetters } from './folded-text.ts'

/** More words, or a longer one, are not a name. A person has a name, a father's, a grandfather's and so on, a family, and
 *  titles. */
const MOST_WORDS = 9
const MOST_WORDS_OF_COMPANY = 12
const LONGEST_WORD = 16
/** More single letters spell a word: ط.ل.ب. */
const MOST_INITIALS = 3

/** `state`: changes what a message says. `plain`, and `noun` for an Arabic noun: shows that the text is a sentence. */
type Kind = 'state' | 'plain' | 'noun'

/** The first word of `name` that is not a part of a name, folded; undefined: it is a name. The text is normalised. */
export const wordNotOfAName = (name: string): string | undefined => {
  const { plain, hidden, initials } = wordsOf(name)
  const company = isCompany(plain)
  const most = company ? MOST_WORDS_OF_COMPANY : MOST_WORDS
  const isCut = CUT.test(name)
  const words = isCut ? withoutBeginning(plain) : plain
  return (
    plain[most] ??
    initials[MOST_INITIALS] ??
    (company ? undefined : (inAnotherScript(plain) ?? wordByForm(plain, isCut) ?? wordAfterAName(plain))) ??
    words.find((word, i) => isOfSentence(word, plain[i - 1], company)) ??
    hidden.find((word) => isOfSentence(word, undefined, company))
  )
}

const isOfSentence = (word: string, before: string | undefined, company: boolean): boolean => {
  if (word.length > LONGEST_WORD) return true
  const kind = kindOf(word)
  if (kind === undefined || isDivineName(word, before)) return false
  return !company || !(isHead(word) || isCompanyWord(word, before) || (kind === 'noun' && DEALT_IN.test(word)))
}

// What a company deals in: والتوكيلات, للحوالات.
const DEALT_IN = /^(?:وال|لل)/

/** People write their names in one script; a second one begins another text. A single letter is an initial. */
const inAnotherScript = (words: readonly string[]): string | undefined => {
  const [first, ...others] = words.filter((word) => word.length > 1)
  return others.find((word) => ARABIC.test(word) !== ARABIC.test(first!))
}

/** A word that no person's name has, by its form alone. The form of a word that was cut is not known. */
const wordByForm = (words: readonly string[], isCut: boolean): string | undefined =>
  (isCut ? words.slice(0, -1) : words).find((word) =>
    ARABIC.test(word) ? isParticiple(word) || isDeedOfAThing(word) : ABSTRACT.test(word),
  )

/** The past of a verb whose subject is feminine, as a transfer is: سقطت, انقلبت. */
const isDeedOfAThing = (word: string): boolean => FEMININE_PAST.test(word) && !NAME_WORDS.has(word)
const FEMININE_PAST = /^(?!ال|لل|عبد|محمد).{2,6}[^اوي]ت$/

/** A feminine participle describes a thing, as a transfer: معدومة, ملفقة, مكنسلة, مرتهنة, منسية, متنازعة; one in the plural, those who
 *  deal with it: منتظرين. The names of women that look like one are in NAMES. A company may have one: المتحدة, المحدودة. */
const isParticiple = (word: string): boolean => {
  const [, rest = ''] = /^(?:[وف]?(?:[بلك]?ال|لل)?)(م.+)$/.exec(word) ?? []
  return PARTICIPLE.test(rest) && !NAME_WORDS.has(rest)
}
const PARTICIPLE = /^م(?:(?:..و.|[^اوي]{3,4}|[^اوي]{2,3}ي|ت[^اوي]ا[^اوي]{2})ه|[^اوي][ات][^اوي]{2}ين)$/

/** A word that is a name only if it comes first: وديعة is a woman, and after a man's name it is a deposit. */
const wordAfterAName = ([, ...others]: readonly string[]): string | undefined =>
  others.find((word) => AFTER_A_NAME.test(word))
const AFTER_A_NAME = new RegExp(`^[وف]?(?:[بلك]?(?:ال)?|لل)(?:${ONLY_FIRST_NAMES.map(bareLetters).join('|')})$`)

const CUT = /\.{2,}\s*$/

/** The words of a name that was cut, without the first letters of a word at its end: `علي مع...` may be Ali Muammar. */
const withoutBeginning = (words: readonly string[]): readonly string[] => {
  const last = words.at(-1) ?? ''
  return last.length <= 3 && kindOf(last) !== 'state' ? words.slice(0, -1) : words
}

/** The first word of `text` that changes what a message says, and that is not among `known`; folded. The text is
 *  normalised. */
export const stateWordIn = (text: string, known: ReadonlySet<string>): string | undefined => {
  const { plain, hidden } = wordsOf(text)
  return [...plain, ...hidden].find((word) => !known.has(word) && kindOf(word) === 'state')
}

const WORD = /\p{Script=Arabic}+|(?:(?!\p{Script=Arabic})\p{L})+/gu
const LETTERS = /^\p{L}{2,}$/u
// Inside of a word: Ra'id.
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu
// Marks that hide letters of a name: what they separate is not one word.
const MASKED = /[*#•]/
/** Shorter joined letters may be initials: ص. ر. */
const FEWEST_JOINED = 4

type Words = {
  /** As written, folded. */
  readonly plain: readonly string[]
  /** With what was put between their letters removed. */
  readonly hidden: readonly string[]
  /** Single letters, except those of masked words. */
  readonly initials: readonly string[]
}

export const wordsOf = (text: string): Words => {
  const letters = bareLetters(text).replace(APOSTROPHE, '')
  const plain = letters.match(WORD) ?? []
  const hidden: string[] = []
  const initials: string[] = []
  let single = ''
  for (const chunk of [...letters.split(' '), '']) {
    const isWord = LETTERS.test(chunk)
    const isMasked = !isWord && MASKED.test(chunk)
    const joined = isWord ? chunk : chunk.replace(/\P{L}+/gu, '')
    if (joined.length === 1 && !isMasked) single += joined
    else {
      if (single.length >= FEWEST_JOINED) hidden.push(single)
      single = ''
    }
    if (isWord) continue
    if (!isMasked) initials.push(...(chunk.match(WORD) ?? []).filter((word) => word.length === 1))
    if (joined.length >= FEWEST_JOINED) hidden.push(...(joined.match(WORD) ?? []))
  }
  return { plain, hidden, initials }
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

type Lexicon = ReadonlyMap<string, Kind>
const wordsFrom = (state: readonly string[], others: readonly string[], kind: Kind = 'plain'): Lexicon =>
  new Map([
    ...others.map((word) => [bareLetters(word), kind] as const),
    ...state.map((word) => [bareLetters(word), 'state'] as const),
  ])
const past = (verb: string): string | [] => verb.split('/')[0] || []
const present = (verb: string): string | [] => verb.split('/')[1] || []

const denials = [...DENIAL_WORDS, ...TRIAL_WORDS].filter((word) => !word.includes(' '))
const arabicDenials = denials.filter((word) => ARABIC.test(word))
const PAST = wordsFrom(STATE_VERBS.flatMap(past), OTHER_VERBS.flatMap(past))
const PRESENT = wordsFrom(STATE_VERBS.flatMap(present), OTHER_VERBS.flatMap(present))
const NOUNS = wordsFrom([...STATE_NOUNS, ...arabicDenials], OTHER_NOUNS, 'noun')
const PARTICLES = wordsFrom(STATE_PARTICLES, OTHER_PARTICLES)
const NAME_WORDS: ReadonlySet<string> = new Set(NAMES.map(bareLetters))
const HEADS: ReadonlySet<string> = new Set([...COMPANY_HEADS, ...ENGLISH_COMPANY_HEADS].map(bareLetters))
const AIMS: ReadonlySet<string> = new Set(COMPANY_AIMS.map(bareLetters))
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
// ش ends a denial as spoken: ما وصلش.
const PAST_SUFFIXES = combine(combine(['', 'ت', 'نا', 'وا', 'و', 'تم', 'تمو', 'تا', 'ا', 'تي'], PRONOUNS), ['', 'ش'])
const PRESENT_SUFFIXES = combine(combine(['', 'ون', 'وا', 'و', 'ان', 'ين', 'ي', 'ن'], PRONOUNS), ['', 'ش'])
// A command: ادفعوا. Without ي, which ends names of families.
const COMMAND_SUFFIXES = combine(['', 'وا', 'و'], PRONOUNS)
// After اء the hamza has a seat before a pronoun: الغاؤها, الغائها.
const NOUN_SUFFIXES = [
  ...new Set([
    ...combine(['', 'ت', 'ات'], ['ه', 'ها', 'هم', 'هما', 'ك', 'كم', 'نا']),
    ...['', 'ا', 'ات', 'ين', 'ون', 'ان', 'تان', 'تين', 'ت'],
  ]),
]
const AFTER_TA = ['تك', 'تكم', 'ته', 'تها', 'تهم', 'تنا', 'تي', 'تين', 'تان', 'ات'].map(
  (suffix) => [suffix, 'ه'] as const,
)
const AFTER_ALEF = combine(['اي', 'او'], ['', 'ه', 'ها', 'هم', 'هما', 'ك', 'كم', 'نا']).map(
  (suffix) => [suffix, 'ا'] as const,
)
/** What is left of a word has three letters. With two, a noun counts only as it is, and a verb only without a prefix: ورد, وردة and
 *  ردين are not رد. */
const FEWEST_STEM = 3
const FEWEST_STEM_OF_VERB = 2

const withoutPrefix = (word: string, prefixes: readonly string[]): string[] =>
  prefixes
    .filter((prefix) => word.startsWith(prefix))
    .map((prefix) => word.slice(prefix.length))
    .filter((rest) => rest === word || rest.length >= FEWEST_STEM)

const withSuffix = (word: string, stems: Lexicon, suffixes: readonly string[], fewest: number): Kind | undefined => {
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
  for (const [suffix, letter] of [...AFTER_TA, ...AFTER_ALEF]) {
    const found = word.endsWith(suffix) ? NOUNS.get(word.slice(0, -suffix.length) + letter) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const arabicKind = (word: string): Kind | undefined => {
  if (NAME_WORDS.has(word) || word.startsWith('عبدال')) return undefined
  for (const rest of withoutPrefix(word, CONJUNCTIONS)) {
    // واردة ("incoming") is not و with ارد ("I return").
    if (NAME_WORDS.has(rest) || (rest !== word && NOUNS.has(word))) continue
    const verb =
      PARTICLES.get(rest) ?? verbKind(rest, rest === word ? FEWEST_STEM_OF_VERB : FEWEST_STEM) ?? negatedKind(rest)
    if (verb !== undefined) return verb
  }
  for (const rest of withoutPrefix(word, NOUN_PREFIXES)) {
    const noun = nounKind(rest)
    if (noun !== undefined) return noun
    if (!NAME_WORDS.has(rest) && VERBAL.test(rest)) return 'noun'
    if (POSSESSED.test(rest)) return 'plain'
  }
  return gluedKind(word)
}

const verbKind = (word: string, fewest: number): Kind | undefined =>
  withSuffix(word, PAST, PAST_SUFFIXES, fewest) ?? passiveKind(word) ?? presentKind(word)

/** The passive as spoken: اتلغت, انردت, تكنسلت. */
const passiveKind = (word: string): Kind | undefined => {
  const [, , stem] = /^(ا[تن]|ت(?=.{3,}(?:ت|تش|وا|نا)$))(.{2,})$/.exec(word) ?? []
  return stem === undefined ? undefined : withSuffix(stem, PAST, PAST_SUFFIXES, FEWEST_STEM_OF_VERB)
}

/** Present, future (س, and ع, ب, با, ش, شا, ه, ها, ح, حا as spoken) and after ل: يودع, سيودع, بايودع, هتودع, ليودع. */
const presentKind = (word: string): Kind | undefined => {
  const [, future = '', person = '', rest] =
    /^(س|ل|(?:ع|با?|شا?|ها?|حا?)(?=[يت])|ب(?=ن.{3})|[عشهح](?=[نا].{3}))?([يتنا])(.+)$/.exec(word) ?? []
  if (rest === undefined) return undefined
  const suffixes = /[يت]/.test(person) ? PRESENT_SUFFIXES : person === 'ا' ? COMMAND_SUFFIXES : PRONOUNS
  // The passive as spoken has ت or ن before its stem: يتلغي, هتتحول, تنسحب.
  const kind =
    withSuffix(rest, PRESENT, suffixes, /^[عبشهح]$/.test(future) ? FEWEST_STEM : FEWEST_STEM_OF_VERB) ??
    (/^[تن].{3}/.test(rest) ? withSuffix(rest.slice(1), PRESENT, suffixes, FEWEST_STEM) : undefined)
  if (kind !== undefined) return future === '' || future === 'ل' ? kind : 'state'
  return FUTURE.test(word) ? 'state' : undefined
}

/** A verb together with the word that denies it: ماوصلت, موصلتش, مابتوصل, مشوصلت. */
const negatedKind = (word: string): Kind | undefined => {
  const [, stem] = /^(?:ما|مش|م(?=.{4,}ش$))(.{3,})$/.exec(word) ?? []
  return stem !== undefined && verbKind(stem, FEWEST_STEM) !== undefined ? 'state' : undefined
}

// س before any verb: سيحتسب. Names with سي and ست have fewer letters, or are in NAMES.
const FUTURE = /^س[يت](?!ف|د).{3,}$/
// The tenth form (استلام, يستلم, مستلم) and the noun of the second (تحويل) are verbal nouns, except for the names in NAMES.
const VERBAL = /^(?:[ايتن]ست.{2,}|مست.{2,}|ت..ي[^اهوي](?:ه|ات)?)$/

// Your, her, their: محفظتك, موافقتكم, صاحبها, لأخيك. No name ends like this.
const POSSESSED = /^(?:.{3,}(?:تك|تكم|تها|تهم|ها)|ل[^ل].{2,4}كم?)$/

/** A word of a sentence that is written together with a name: المثالمرفوضة. */
const FEWEST_GLUED = 4
const gluedKind = (word: string): Kind | undefined => {
  for (let at = FEWEST_STEM; at <= word.length - FEWEST_GLUED; at++)
    if (NOUNS.get(word.slice(at)) === 'state' || NOUNS.get(word.slice(0, -at - 1)) === 'state') return 'state'
  return undefined
}

/** After عبد: عبد الباقي, عبد المعيد. */
const isDivineName = (word: string, before: string | undefined): boolean => before === 'عبد' && word.startsWith('ال')

/** The first words say that it is a company (شركة المثال), or any word says in what it deals (للتجارة) or its form (Ltd). */
const isCompany = (words: readonly string[]): boolean =>
  words.slice(0, 2).some(isHead) || words.some((word) => (ARABIC.test(word) ? isAim(word) : HEADS.has(word)))

const isHead = (word: string): boolean => withoutPrefix(word, ['', 'ال', 'و']).some((rest) => HEADS.has(rest))

/** للتجارة, لخدمات, للعطور. */
const isAim = (word: string): boolean =>
  withoutPrefix(word, ['لل', 'ل']).some((rest) => AIMS.has(rest)) ||
  (word.startsWith('لل') && word.length > 4 && kindOf(word) === undefined)

/** A word of trade: with a prefix, or after the word for the company (مكتب خدمات). */
const isCompanyWord = (word: string, before: string | undefined): boolean =>
  withoutPrefix(word, NOUN_PREFIXES).some(
    (rest) => TRADE.has(rest) && (rest !== word || !ARABIC.test(word) || (before !== undefined && isHead(before))),
  )

// --- English ---

const ENGLISH = wordsFrom([...STATE_WORDS, ...denials.filter((word) => !ARABIC.test(word))], OTHER_WORDS)

const englishKind = (word: string): Kind | undefined => {
  for (const base of englishBases(word)) {
    const kind = ENGLISH.get(base)
    if (kind !== undefined) return kind
  }
  // The opposite of a word of sentences: unprocessed, misposted, nonpayment.
  const [, opposite] = /^(?:un|non|mis|dis|mal)(.{3,})$/.exec(word) ?? []
  if (opposite !== undefined && englishBases(opposite).some((base) => ENGLISH.has(base))) return 'state'
  // Written together with a name: EXAMPLEREVERSED.
  for (let at = FEWEST_STEM; at <= word.length - FEWEST_GLUED - 1; at++)
    if (ENGLISH.get(word.slice(at)) === 'state') return 'state'
  return undefined
}

// Endings of English words that no name has, neither English nor written in Latin letters: intention, collectible, corrupted, begging.
const ABSTRACT =
  /.{3,}(?:tion|tions|ment|ments|able|ible|ness|less|fully|ously|ically|[cnspfr]ted|[aiu]ted|ssed|[cr]ked|[nr]ged|[nrl]ded|[ai]ved|[lr]ved|[iy]sed|[iy]zed|ified|gned|uced|ered|ured|ored)$|.(?:[aeiou]{2}[ckdgsvz]|[^aeiou]{2})ing$/

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
