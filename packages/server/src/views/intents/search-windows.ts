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

const digitsOf = (term: string): string => /[0-9]{8,}/.exec(term)?.[0] ?? ''

const chosen = (term: string): string[] => {
  const digits = digitsOf(term)
  if (digits.length > digitsLength) return [digits.slice(0, digitsLength), digits.slice(-digitsLength)]
  return digits === '' ? spread(term) : [digits, ...spread(term)]
}

/** Each window once, in a term like `000000000000` too. Empty: the term is too short for a window. */
export const windowsOf = (term: string): string[] => [...new Set(chosen(term))]

/**
 * Whether many intents may have the windows of a term and not the term: it has none, or the same one twice. `0000000000` has no other
 * windows than `00000000`, which stands in every order id like `000000001234`.
 */
export const saysLittle = (term: string): boolean => {
  const digits = digitsOf(term)
  const [characters, size] = digits.length > digitsLength ? [[...digits], digitsLength] : [[...term], length]
  if (characters.length < size) return true
  if (digits.length === digitsLength) return false
  const windows = characters.slice(size - 1).map((_, start) => characters.slice(start, start + size).join(''))
  return new Set(windows).size < windows.length
}
