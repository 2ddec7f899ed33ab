/**
 * The search windows of a term. The search index contains every four characters in a row of an intent, and every eight
 * digits in a row. A few windows of a term are enough: hardly any intent has all of them without the term itself, and the
 * text is compared afterwards. Pure. The database turns a window into a number (`search_window`).
 */

/** The same lengths as in the database's function. */
const length = 4
const digitsLength = 8
/**
 * By chance hardly any intent has three windows of a term; more windows only cost lookups. There is one more, because many
 * intents may share a window.
 */
const most = 4

/** Windows spread evenly over the whole term, both ends included, with as little overlap as possible. */
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

/** Empty: the term is too short for a window. */
export const windowsOf = (term: string): string[] => {
  const digits = /[0-9]{8,}/.exec(term)?.[0] ?? ''
  if (digits.length > digitsLength) return [digits.slice(0, digitsLength), digits.slice(-digitsLength)]
  return digits === '' ? spread(term) : [digits, ...spread(term)]
}
