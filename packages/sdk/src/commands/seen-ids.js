/** Remembers the last ten thousand ids, and returns whether an id was seen before. */

const most = 10_000

/** @returns {(id: string) => boolean} */
export const seenIds = () => {
  /** @type {Set<string>} */
  const seen = new Set()
  return (id) => {
    const isKnown = seen.has(id)
    seen.add(id)
    if (seen.size > most)
      for (const oldest of seen) {
        seen.delete(oldest)
        break
      }
    return isKnown
  }
}
