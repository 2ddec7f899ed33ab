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
export const isPartOf = (short: ComparedText, long: ComparedText): boolean =>
  (isPiece(short, long) || (short.beginning !== undefined && begins(long.text, short.beginning))) &&
  !begins(short.text, long.text) &&
  !ends(short.text, long.text)

const isPiece = (short: ComparedText, long: ComparedText): boolean => {
  if (short.text.length < FEWEST_CHARACTERS) return false
  if (begins(long.text, short.text) || ends(long.text, short.text)) return true
  // A cut between a letter and its accent leaves the letter alone in one part and the accent in the other.
  return begins(long.decomposed, short.decomposed) || ends(long.decomposed, short.decomposed)
}

// A message is compared with hundreds that have the same words and other numbers. So most pairs differ in one of a few characters, or
// have the same length.

/** As `whole.startsWith(part)`, of a part that is not empty. */
const begins = (whole: string, part: string): boolean => {
  const { length } = part
  if (length >= whole.length) return whole === part
  return hasSameCharacters(whole, 0, part) && whole.startsWith(part)
}

/** As `whole.endsWith(part)`, of a part that is not empty. */
const ends = (whole: string, part: string): boolean => {
  const { length } = part
  if (length >= whole.length) return whole === part
  return hasSameCharacters(whole, whole.length - length, part) && whole.endsWith(part)
}

/** Compares some characters of the part with those of the whole from `at` on. */
const hasSameCharacters = (whole: string, at: number, part: string): boolean => {
  const last = part.length - 1
  const middle = last >> 1
  return (
    part.charCodeAt(last) === whole.charCodeAt(at + last) &&
    part.charCodeAt(middle) === whole.charCodeAt(at + middle) &&
    part.charCodeAt(0) === whole.charCodeAt(at)
  )
}
