/**
 * Whether a text says that its money was taken back, did not arrive or has not arrived yet. Such an alert goes to review,
 * whatever a template reads in it. Only whole words count: a name that contains such a word denies nothing. Pure.
 */
import { DENIAL_WORDS, TRIAL_WORDS } from './denial-words.ts'
import { bareLetters } from './folded-text.ts'
import { normalise } from './normalise.ts'

/** `isTest`: the text is of the test provider, whose texts always contain "test". */
export const deniesItself = (text: string, isTest = false): boolean => denialIn(text, isTest) !== undefined

/** The denying word or phrase, folded. The text may be raw or normalised. */
export const denialIn = (text: string, isTest = false): string | undefined => {
  const known = isTest ? DENIALS : ALL
  for (const words of spellings(bareLetters(normalise(text))))
    for (const [i, written] of words.entries())
      for (const word of stems(written))
        for (const phrase of known.get(word) ?? [])
          if (phrase.every((part, j) => j === 0 || words[i + j] === part)) return phrase.join(' ')
  return undefined
}

// Letters of two scripts are two words even without a space: `YERملغي`.
const WORD = /\p{Script=Arabic}+|(?:(?!\p{Script=Arabic})\p{L})+/gu
const NOT_LETTERS = /\P{L}+/gu

/** The words of a text: as written, without characters that were put inside them, and with single letters joined. */
const spellings = (text: string): string[][] => {
  const plain: string[] = text.match(WORD) ?? []
  // Such as re-versed and f.a.i.l.e.d.
  const joined = text.split(/[ 0-9]+/).flatMap((chunk) => chunk.replace(NOT_LETTERS, '').match(WORD) ?? [])
  return [plain, joined, lettersJoined(plain)]
}

/** Joins single letters to words: `r e v e r s e d`. */
const lettersJoined = (words: readonly string[]): string[] => {
  const joined: string[] = []
  let letters = ''
  for (const word of [...words, '']) {
    if (word.length === 1) letters += word
    else {
      if (letters !== '') joined.push(letters)
      letters = ''
      joined.push(word)
    }
  }
  return joined
}

// Arabic prefixes that are written together with the word: and, so, with, for, like, the.
const PREFIXES = ['و', 'ف', 'ب', 'ل', 'ك', 'ال', 'وال', 'فال', 'بال', 'كال', 'لل', 'وب', 'ول', 'ولل', 'وبال']
const PREFIXED = /^[وفبلكا]/

// Arabic suffixes for "it" and "them": إرجاعها, إلغاؤه.
const SUFFIXED = /(?:ها|ه|هم)$/

/** The forms of a word without a prefix, without a suffix, and as it is written. What is left must have three letters, except
 *  لم: ورد ("arrived") is not و with رد. */
const stems = (written: string): readonly string[] => {
  const rests = PREFIXED.test(written)
    ? PREFIXES.filter((prefix) => written.startsWith(prefix)).map((prefix) => written.slice(prefix.length))
    : []
  const known = [written, ...rests.filter((rest) => rest.length > 2 || rest === 'لم')]
  if (!SUFFIXED.test(written)) return known
  return [...known, ...known.map((word) => word.replace(SUFFIXED, '')).filter((rest) => rest.length > 2)]
}

/** Phrases by their first word. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

const byFirstWord = (all: readonly string[]): Phrases =>
  Map.groupBy(
    all.map((phrase) => bareLetters(phrase).split(' ')),
    ([first]) => first!,
  )
const DENIALS = byFirstWord(DENIAL_WORDS)
const ALL = byFirstWord([...DENIAL_WORDS, ...TRIAL_WORDS])
