/**
 * The windows of a term. The search index knows an intent by every four characters in a row, and by every eight where
 * digits stand in a row; a few of them are enough to name hardly more than what is looked for, and the text itself is
 * asked afterwards. Pure. How a window becomes a number is the database's own (`search_window`).
 */

/** As in the database's function. */
const length = 4
const digitsLength = 8
/** Three windows leave one in some millions by chance; more would only be looked up. One more, for those that many share. */
const most = 4

/** Spread over the whole term, its ends included, so that they overlap as little as can be. */
const spread = (term: string): string[] => {
  const characters = Array.from(term)
  const last = characters.length - length
  if (last < 0) return []
  const gaps = Math.min(most, Math.ceil(characters.length / length)) - 1
  return Array.from({ length: gaps + 1 }, (_, n) => {
    const start = gaps === 0 ? 0 : Math.round((n * last) / gaps)
    return characters.slice(start, start + length).join('')
  })
}

/** None: the term is too short. */
export const windowsOf = (term: string): string[] => {
  const digits = /[0-9]{8,}/.exec(term)?.[0] ?? ''
  if (digits.length > digitsLength) return [digits.slice(0, digitsLength), digits.slice(-digitsLength)]
  return digits === '' ? spread(term) : [digits, ...spread(term)]
}
