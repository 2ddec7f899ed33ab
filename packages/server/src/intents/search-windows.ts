/**
 * The windows of a term: every four characters in a row are one, and the search index knows an intent by its windows. A
 * few of a term's are enough to name hardly more than what is looked for; the text itself is asked afterwards. Pure. How
 * a window becomes a number is the database's own (`windows_of`).
 */

/** As in the database's function. */
const length = 4
/** Three windows leave one in some billions by chance; more would only be looked up. One more, for those that many share. */
const most = 4

/** Spread over the whole term, its ends included, so that they overlap as little as can be. None: the term is too short. */
export const windowsOf = (term: string): string[] => {
  const characters = Array.from(term)
  const last = characters.length - length
  if (last < 0) return []
  const gaps = Math.min(most, Math.ceil(characters.length / length)) - 1
  return Array.from({ length: gaps + 1 }, (_, n) => {
    const start = gaps === 0 ? 0 : Math.round((n * last) / gaps)
    return characters.slice(start, start + length).join('')
  })
}
