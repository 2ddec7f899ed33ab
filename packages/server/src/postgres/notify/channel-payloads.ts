/** What goes over the wire when a bell is rung, for whoever rings: a node, or a command that rings once. */

/** PostgreSQL takes less than 8,000 bytes at a time. */
const mostPayload_bytes = 7_900

/** As few payloads as hold the words, each beginning with who rings. One without words says that some were lost. */
export const payloadsOf = (self: string, words: Iterable<string>, most_bytes = mostPayload_bytes): string[] => {
  const payloads: string[] = []
  let lines = self
  for (const word of words) {
    const longer = `${lines}\n${word}`
    if (lines !== self && Buffer.byteLength(longer) > most_bytes) {
      payloads.push(lines)
      lines = `${self}\n${word}`
    } else lines = longer
  }
  if (lines !== self) payloads.push(lines)
  return payloads
}
