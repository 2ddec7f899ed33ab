/**
 * Finds the sections of the guide that fit a reader's words. Pure, and plain JavaScript because it runs in the browser: it is
 * sent before guide-search.js in one file, without the keyword `export`.
 */

/**
 * Replaces different spellings of a letter by one, and removes vowel marks and the elongation of letters.
 *
 * @param {string} text
 */
export const fold = (text) =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\u064B-\u0652\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')

/** Words that are ignored in a search, folded. */
const skippedWords = new Set(
  'how to the a an in for of on is my i do with from not كيف على علي من في الى الي ما هل مع'.split(' '),
)

/** Words that developers type, with the guide's words for the same thing, folded. Only words that were tried in searches. */
const otherWords = new Map(
  Object.entries({
    duplicate: ['twice'],
    install: ['sanad-sdk.tgz', 'sanad-php.zip', 'sanad-python.whl'],
    limit: ['throttled', 'calls a minute'],
    hosted: ['payment page'],
    localhost: ['sanad listen'],
    mismatch: ['signature', 'forged'],
    mock: ['sdk/testing'],
    ngrok: ['sanad listen'],
    overpaid: ['wrong amount'],
    partial: ['wrong amount', 'allow_remaining'],
    polling: ['intents.wait'],
    rate: ['throttled'],
    retries: ['sent again'],
    sandbox: ['test wallet'],
    unit: ['sdk/testing'],
    underpaid: ['wrong amount'],
    اجرب: ['تجرب', 'تجريبي'],
    استرداد: ['استرجاع'],
    الغاء: ['cancelled'],
    بايثون: ['python'],
    تثبيت: ['sanad-sdk.tgz', 'sanad-php.zip', 'sanad-python.whl'],
    تجربه: ['تجرب', 'تجريبي'],
    جهازي: ['جهازك'],
    زائد: ['غير المطابق'],
    سيرفر: ['خادم'],
    مرتجع: ['استرجاع'],
    ناقص: ['غير المطابق'],
    هوك: ['webhook'],
    ويب: ['webhook'],
    ويبهوك: ['webhook'],
  }),
)

/** A word without the Arabic article or the English plural, so that both forms are found. @param {string} word */
const stemOf = (word) => word.replace(/^[وبف]?ال(?=.{3})/, '').replace(/([a-z]{3}[a-rt-z])s$/, '$1')

/**
 * The terms of a search: for each word, its possible spellings.
 *
 * @param {string} words
 * @returns {string[][]}
 */
export const termsOf = (words) => {
  const all = fold(words)
    .split(/\s+/)
    .map((word) => word.replace(/^[?؟!,،."'()]+|[?؟!,،."'()]+$/g, ''))
    .filter(Boolean)
  const significant = all.filter((word) => !skippedWords.has(word))
  return (significant.length > 0 ? significant : all).map((word) => [
    ...new Set([word, stemOf(word), ...(otherWords.get(word) ?? otherWords.get(stemOf(word)) ?? [])]),
  ])
}

/**
 * @typedef {{ inHeading: string, inText: string, inPage: string }} Row
 */

/**
 * How well a text fits a word. 3: the text has the whole word. 2: a word begins with it. 1: it is inside an Arabic word,
 * because Arabic joins "and", "the" and "to" to the next word. 0: not at all.
 *
 * @param {string} text
 * @param {string} term
 */
const fitOf = (text, term) => {
  let best = 0
  for (let at = text.indexOf(term); at !== -1 && best < 3; at = text.indexOf(term, at + 1)) {
    const begins =
      at === 0 ||
      !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ||
      /(?:^|[^\p{L}])[وبف]?ال$/u.test(text.slice(Math.max(0, at - 4), at))
    const ends = !/[\p{L}\p{N}]/u.test(text.charAt(at + term.length))
    const fit = begins ? (ends ? 3 : 2) : /\p{Script=Arabic}/u.test(term) ? 1 : 0
    best = Math.max(best, fit)
  }
  return best
}

/**
 * How well a section fits a word: its heading counts most, then its text, then the title of its page.
 *
 * @param {Row} row
 * @param {string} term
 */
const rankOf = ({ inHeading, inText, inPage }, term) =>
  4 * fitOf(inHeading, term) + 2 * fitOf(inText, term) + fitOf(inPage, term)

/**
 * The sections that contain the largest number of the words, best first. Usually that is every word. A word that is not in
 * the guide does not hide a section.
 *
 * @template {Row} T
 * @param {readonly T[]} rows
 * @param {string} words
 * @returns {{ row: T, term: string }[]} `term`: the snippet shows the text around it.
 */
export const findSections = (rows, words) => {
  const terms = termsOf(words)
  const ranked = rows.map((row) => {
    const ranks = terms.map((spellings) => Math.max(...spellings.map((spelling) => rankOf(row, spelling))))
    const term = terms.flat().find((spelling) => row.inText.includes(spelling)) ?? ''
    return {
      row,
      term,
      found: ranks.filter((rank) => rank > 0).length,
      rank: ranks.reduce((sum, rank) => sum + rank, 0),
    }
  })
  const most = Math.max(0, ...ranked.map(({ found }) => found))
  if (most === 0) return []
  return ranked
    .filter(({ found }) => found === most)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, 12)
    .map(({ row, term }) => ({ row, term }))
}
