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
  for (const words of spellings(folded(normalise(text)).replace(LOOK_ALIKES, latinLetter))) {
    for (let i = 0; i < words.length; i++)
      for (const phrase of known.get(bare(words[i]!)) ?? known.get(words[i]!) ?? [])
        if (phrase.every((word, j) => j === 0 || words[i + j] === word)) return phrase.join(' ')
  }
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

/** Without what Arabic writes in front of a word: and, so, with, for, the. */
const bare = (word: string): string => {
  const [, rest] = /^[وف]?(?:[بكل]?ال|لل|[بل])?(\p{Script=Arabic}{2,})$/u.exec(word) ?? []
  return rest !== undefined && FIRST_WORDS.has(rest)
    ? rest
    : /^[وف]/.test(word) && FIRST_WORDS.has(word.slice(1))
      ? word.slice(1)
      : word
}

type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

const byFirstWord = (all: readonly string[]): Phrases => {
  const found = new Map<string, string[][]>()
  for (const phrase of all) {
    const words = phrase.split(' ')
    found.set(words[0]!, [...(found.get(words[0]!) ?? []), words])
  }
  return found
}
const DENIALS = byFirstWord(DENIAL_WORDS)
const ALL = byFirstWord([...DENIAL_WORDS, ...TRIAL_WORDS])
const FIRST_WORDS: ReadonlySet<string> = new Set(ALL.keys())
