/**
 * Whether one text is a part of another: an SMS in two parts of which one arrived first, or alone; a notification that was
 * cut short. Matching treats such texts of one sender within a short time as one message. Pure.
 */

/** Shorter beginnings and ends are shared by texts that have nothing to do with each other. */
const FEWEST_CHARACTERS = 4

/** Both normalised. A text is no part of itself, nor of one of its own parts. */
export const isPartOf = (short: string, long: string): boolean => {
  if (short.startsWith(long) || short.endsWith(long)) return false
  return isPiece(short, long) || isBeginning(short, long)
}

const isPiece = (short: string, long: string): boolean => {
  if (short.length < FEWEST_CHARACTERS) return false
  if (long.startsWith(short) || long.endsWith(short)) return true
  // A cut between a letter and its accent leaves the bare letter, and the accent alone.
  const [part, whole] = [short.normalize('NFD'), long.normalize('NFD')]
  return whole.startsWith(part) || whole.endsWith(part)
}

/** Screens end a text that they cut with three points. */
const isBeginning = (short: string, long: string): boolean => {
  const beginning = short.replace(/ ?\.{2,}$/, '')
  return beginning !== short && beginning.length >= FEWEST_CHARACTERS && long.startsWith(beginning)
}
