/**
 * The search windows of a term. The search index contains every four characters in a row of an intent, and every eight
 * digits in a row. A few windows cover a term: hardly any intent has all of them without the term itself, and the
 * text is compared afterwards. Pure. The database turns a window into a number (`search_window`).
 */

/** The same lengths as in the database's function. */
const length = 4
const digitsLength = 8
/** The most windows of a search. More than an order number and a reference of 128 characters have together. */
const most = 72

/** A run of digits, as long as a window of digits or longer. */
const runs = /[0-9]{8,}/g

/**
 * As few windows as cover every character, with as little overlap as possible. A part that no window covers may be the only one in which
 * a full order number differs from all others of the shop.
 */
const cover = (characters: readonly string[], size: number): string[] => {
  const last = characters.length - size
  if (last < 0) return []
  const gaps = Math.ceil(characters.length / size) - 1
  return Array.from({ length: gaps + 1 }, (_, n) => {
    const start = gaps === 0 ? 0 : Math.round((n * last) / gaps)
    return characters.slice(start, start + size).join('')
  })
}

/** The windows of what is between runs of digits. A part that is shorter than a window takes some of its neighbours. */
const coverBetween = (characters: readonly string[], from: number, until: number): string[] => {
  if (from === until) return []
  const start = Math.max(0, Math.min(from, until - length))
  return cover(characters.slice(start, Math.max(until, start + length)), length)
}

const allWindows = (term: string): string[] => {
  const characters = Array.from(term)
  const windows: string[] = []
  let at = 0
  let index = 0
  for (const run of term.matchAll(runs)) {
    const [digits] = run
    // A place in the text counts halves of surrogate pairs, a place in `characters` does not.
    const start = at + Array.from(term.slice(index, run.index)).length
    windows.push(...cover([...digits], digitsLength), ...coverBetween(characters, at, start))
    at = start + digits.length
    index = run.index + digits.length
  }
  if (at === characters.length && windows.length === 1) windows.push(...cover(characters, length))
  return [...windows, ...coverBetween(characters, at, characters.length)]
}

/** Each window once, in a term like `000000000000` too. Empty: the term is too short for a window. */
export const windowsOf = (term: string): string[] => [...new Set(allWindows(term))]

/** The windows that an index is asked for, each once; of too many some, spread evenly over all. */
export const windowsOfAll = (terms: readonly string[]): string[] => {
  const all = [...new Set(terms.flatMap(windowsOf))]
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))]!)
}

const digitsOf = (term: string): string => /[0-9]{8,}/.exec(term)?.[0] ?? ''

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
