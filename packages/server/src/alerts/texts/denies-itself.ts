/**
 * Whether a text says somewhere that the money it tells of was taken back, did not arrive or has not arrived yet. Such a text
 * is for a person, whatever a template reads in it. Whole words only: a name that contains such a word denies nothing. Pure.
 */
import { DENIAL_WORDS, TRIAL_WORDS } from './denial-words.ts'
import { folded } from './folded-text.ts'
import { normalise } from './normalise.ts'

/** `isTest`: a wallet of the test provider, whose every text says "test". */
export const deniesItself = (text: string, isTest = false): boolean => denialIn(text, isTest) !== undefined

/** The word or words by which it does, in folded spelling. The text may be raw or normalised. */
export const denialIn = (text: string, isTest = false): string | undefined => {
  const known = isTest ? DENIALS : ALL
  for (const words of spellings(folded(normalise(text)).replace(LOOK_ALIKES, latinLetter)))
    for (const [i, written] of words.entries())
      for (const word of stems(written))
        for (const phrase of known.get(word) ?? [])
          if (phrase.every((one, j) => j === 0 || words[i + j] === one)) return phrase.join(' ')
  return undefined
}

// Latin letters as they look: a word in which some are Cyrillic or Greek reads the same to a person.
const LOOKS = 'аaеeоoсcрpхxуyіiѕsԁdԛqԝwһhјjνvοoαaιiρpτtκk'
const LATIN = new Map(Array.from({ length: LOOKS.length / 2 }, (_, i) => [LOOKS[i * 2]!, LOOKS[i * 2 + 1]!]))
const LOOK_ALIKES = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g')
const latinLetter = (letter: string): string => LATIN.get(letter)!

// Letters of two scripts are two words even where nothing stands between them: `YERملغي`.
const WORD = /\p{Script=Arabic}+|(?:(?!\p{Script=Arabic})\p{L})+/gu
const NOT_LETTERS = /\P{L}+/gu

/** The words of a text: as they stand, with what was put inside of them left out, and with single letters joined. */
const spellings = (text: string): string[][] => {
  const plain: string[] = text.match(WORD) ?? []
  // re-versed, f.a.i.l.e.d
  const joined = text.split(/[ 0-9]+/).flatMap((chunk) => chunk.replace(NOT_LETTERS, '').match(WORD) ?? [])
  return [plain, joined, lettersJoined(plain)]
}

/** r e v e r s e d */
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

// What Arabic writes in front of a word, as one with it: and, so, with, for, like, the.
const PREFIXES = ['و', 'ف', 'ب', 'ل', 'ك', 'ال', 'وال', 'فال', 'بال', 'كال', 'لل', 'وب', 'ول', 'ولل', 'وبال']
const PREFIXED = /^[وفبلكا]/

/** The words that a written one can be. ورد ("arrived") is not و with رد, so a short word stands alone, but for لم. */
const stems = (written: string): readonly string[] => {
  if (!PREFIXED.test(written)) return [written]
  const rests = PREFIXES.filter((prefix) => written.startsWith(prefix)).map((prefix) => written.slice(prefix.length))
  return [written, ...rests.filter((rest) => rest.length > 2 || rest === 'لم')]
}

/** Phrases by their first word. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

const byFirstWord = (all: readonly string[]): Phrases =>
  Map.groupBy(
    all.map((phrase) => phrase.split(' ')),
    ([first]) => first!,
  )
const DENIALS = byFirstWord(DENIAL_WORDS)
const ALL = byFirstWord([...DENIAL_WORDS, ...TRIAL_WORDS])
