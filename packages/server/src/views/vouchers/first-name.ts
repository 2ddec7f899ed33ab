/**
 * The first name of a payer, for a page that everybody with its address can read: never more of the name, and never a number. A
 * first name may have two words: Abdul Rahman, أبو بكر, نور الدين. Names whose parts are joined by other signs than spaces
 * (ALI.SALEH, Ali_Saleh, AliSaleh) are cut there too. Pure.
 */
import { article, fold, ignored, joinedToNext, joinedToPrevious } from '../../matching/rules/payer-name.ts'

/** Titles before a name: they are left out. In the form that `fold` gives them. */
const titles = new Set([
  ...[
    'السيد',
    'السيده',
    'الاخ',
    'الاخت',
    'الاستاذ',
    'استاذ',
    'الدكتور',
    'دكتور',
    'المهندس',
    'مهندس',
    'الشيخ',
    'الحاج',
    'ا',
    'د',
    'م',
  ],
  ...['mr', 'mrs', 'ms', 'dr', 'eng', 'sheikh', 'haj'],
])
/** Words that are no name without the next one. */
const leading = new Set([...joinedToNext, ...ignored, 'ال', 'umm', 'um', 'abi', 'al', 'el', 'abd', 'عبدال'])
const word = /^\p{L}[\p{L}\p{M}'’ʼ]*$/u

export const longestFirstName = 24
const mostWords = 3

/** Empty: the text is no name, or begins with what is none. */
export const firstNameOf = (payer: string): string => {
  const words = payer
    .normalize('NFC')
    // U+200C keeps two words apart; other invisible characters are inside of a word.
    .replace(/\u200c/g, ' ')
    .replace(/\p{Cf}/gu, '')
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[\s._/\\|,،;:·\-–—‐‑]+/u)
    .filter((part) => part !== '')
  while (words.length > 1 && titles.has(fold(words[0]!))) words.shift()
  const name: string[] = []
  for (const next of words) {
    if (!word.test(next)) break
    const last = name.at(-1)
    const goesOn =
      last === undefined ||
      leading.has(fold(last)) ||
      article.test(fold(last)) ||
      (name.length === 1 && joinedToPrevious.has(fold(next)))
    if (!goesOn || name.length === mostWords) break
    name.push(next)
  }
  return [...name.join(' ')].slice(0, longestFirstName).join('')
}
