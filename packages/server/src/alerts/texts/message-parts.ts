/**
 * Whether one text is a part of another: an SMS in two parts of which one arrived first or alone, or a shortened notification.
 * Matching treats such texts of one sender within a short time as one message. Pure.
 */

/** Unrelated texts may share shorter beginnings and ends. */
const FEWEST_CHARACTERS = 4

/** Both texts are normalised. A text is not a part of itself, nor of its own parts. */
export const isPartOf = (short: string, long: string): boolean => {
  if (short.startsWith(long) || short.endsWith(long)) return false
  return isPiece(short, long) || isBeginning(short, long)
}

const isPiece = (short: string, long: string): boolean => {
  if (short.length < FEWEST_CHARACTERS) return false
  if (long.startsWith(short) || long.endsWith(short)) return true
  // A cut between a letter and its accent leaves the letter alone in one part and the accent in the other.
  const [part, whole] = [short.normalize('NFD'), long.normalize('NFD')]
  return whole.startsWith(part) || whole.endsWith(part)
}

/** A shortened notification ends with an ellipsis. */
const isBeginning = (short: string, long: string): boolean => {
  const beginning = short.replace(/ ?\.{2,}$/, '')
  return beginning !== short && beginning.length >= FEWEST_CHARACTERS && long.startsWith(beginning)
}
