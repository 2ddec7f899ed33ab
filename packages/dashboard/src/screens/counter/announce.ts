/**
 * Chooses the money that is announced by sound: what arrived lately and was not heard on this device before. After a lost connection
 * old payments are not read out. A message that replaces another one of the same payment is not announced again. Pure.
 */
type Arrived = { readonly id: string; readonly received_at: string; readonly repeats: readonly string[] }
type Shown<P extends Arrived> = { readonly at: string; readonly entries: readonly P[] }

export const freshFor_ms = 120_000
/** More at once are not read out: it would take minutes. */
export const mostAtOnce = 20
/** How many entries a device remembers: many more than arrive while they are fresh. */
export const mostHeard = 500

/**
 * `heard`: what this device has announced or shown before; undefined: nothing yet, so that nothing is announced. Returns what is
 * announced, the oldest first, and what is remembered from now on.
 */
export const toAnnounce = <P extends Arrived>(
  heard: readonly string[] | undefined,
  { at, entries }: Shown<P>,
): { readonly announced: P[]; readonly heard: string[] } => {
  const known = new Set(heard ?? [])
  const isNew = ({ id, repeats }: P): boolean => !known.has(id) && !repeats.some((repeat) => known.has(repeat))
  const isFresh = ({ received_at }: P): boolean => Date.parse(at) - Date.parse(received_at) < freshFor_ms
  const announced =
    heard === undefined
      ? []
      : entries
          .filter((entry) => isNew(entry) && isFresh(entry))
          .slice(0, mostAtOnce)
          .reverse()
  const added = entries.flatMap(({ id, repeats }) => [id, ...repeats]).filter((id) => !known.has(id))
  // The oldest are forgotten first.
  return { announced, heard: [...known, ...added.reverse()].slice(-mostHeard) }
}

/** First words that are only a part of a name: عبد الله, Abu Bakr. */
const nameParts = /^(عبد|أبو|ابو|ام|أم|بن|ابن|abd|abdul|abdel|abu|umm|ibn)$/i

/** What stands between the parts of a name: spaces, and signs of companies that write ALI.SALEH.AHMED or Ali_Saleh. */
const between = /[\s._\-/,،·\u200b-\u200f\u2066-\u2069]+/u
const isName = /^\p{L}[\p{L}\p{M}'’]*$/u

/** A word of capitals, or of small letters, as a name is written; a word with both stays as it is. */
const titleCase = (word: string): string =>
  word === word.toUpperCase() || word === word.toLowerCase()
    ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
    : word

/** The first name of a payer, for a sentence that everybody at the counter hears; '': the message shows a number or nothing. */
export const spokenName = (payer: string): string => {
  const words = payer
    .normalize('NFC')
    .split(between)
    .filter((word) => word !== '')
  const [first = '', second = ''] = words
  if (!isName.test(first)) return ''
  return (nameParts.test(first) && isName.test(second) ? [first, second] : [first]).map(titleCase).join(' ')
}
