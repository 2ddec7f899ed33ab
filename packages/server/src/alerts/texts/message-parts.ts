/**
 * Whether one text is a part of another: an SMS in two parts of which one arrived first or alone, or a shortened notification.
 * Matching treats such texts of one sender within a short time as one message. Pure.
 */

/** Unrelated texts may have shorter beginnings and ends in common. */
const FEWEST_CHARACTERS = 4

/** A text prepared for comparison: once for each text, because each is compared with many. */
export type ComparedText = {
  readonly text: string
  /** The text with each accent as a character of its own. */
  readonly decomposed: string
  /** The text before the ellipsis with which a shortened notification ends. Undefined: it ends with none. */
  readonly beginning: string | undefined
}

/** `text` is normalised. */
export const comparedText = (text: string): ComparedText => {
  const beginning = text.replace(/ ?\.{2,}$/, '')
  return {
    text,
    decomposed: text.normalize('NFD'),
    beginning: beginning !== text && beginning.length >= FEWEST_CHARACTERS ? beginning : undefined,
  }
}

/** Whether `short` is a part of `long`. A text is not a part of itself, nor of its own parts. */
export const isPartOf = (short: ComparedText, long: ComparedText): boolean => {
  // Most pairs are two messages of about the same length.
  if (
    short.beginning === undefined &&
    short.decomposed.length > long.decomposed.length &&
    short.text.length > long.text.length
  )
    return false
  if (short.text.startsWith(long.text) || short.text.endsWith(long.text)) return false
  return isPiece(short, long) || (short.beginning !== undefined && long.text.startsWith(short.beginning))
}

const isPiece = (short: ComparedText, long: ComparedText): boolean => {
  if (short.text.length < FEWEST_CHARACTERS) return false
  if (long.text.startsWith(short.text) || long.text.endsWith(short.text)) return true
  // A cut between a letter and its accent leaves the letter alone in one part and the accent in the other.
  return long.decomposed.startsWith(short.decomposed) || long.decomposed.endsWith(short.decomposed)
}
