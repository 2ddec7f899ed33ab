/**
 * Whether one text is a part of another: an SMS in two parts of which one arrived first, or alone; a notification that was
 * cut short. Matching treats such texts of one sender within a short time as one message. Pure.
 */

/** Shorter beginnings and ends are shared by texts that have nothing to do with each other. */
const FEWEST_CHARACTERS = 4

/** Both normalised. A text is no part of itself. */
export const isPartOf = (short: string, long: string): boolean =>
  isPiece(short, long) || isPiece(decomposed(short), decomposed(long))

const isPiece = (short: string, long: string): boolean => {
  if (short.length >= FEWEST_CHARACTERS && short.length < long.length)
    if (long.startsWith(short) || long.endsWith(short)) return true
  // Screens end a text that they cut with three points.
  const beginning = short.replace(/ ?\.{2,}$/, '')
  return beginning !== short && beginning.length >= FEWEST_CHARACTERS && beginning.length < long.length
    ? long !== short && long.startsWith(beginning)
    : false
}

// A cut between a letter and its accent leaves the bare letter: one character when composed, a prefix when not.
const decomposed = (text: string): string => text.normalize('NFD')
