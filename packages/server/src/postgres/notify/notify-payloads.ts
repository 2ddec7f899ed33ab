/** The payloads of notifications, for a node, or for a command that notifies once. Pure. */

/** PostgreSQL accepts less than 8,000 bytes in a payload. */
const mostPayload_bytes = 7_900

/** As few payloads as possible, each beginning with the sender. (A payload without messages means that some were lost.) */
export const payloadsOf = (self: string, messages: Iterable<string>, most_bytes = mostPayload_bytes): string[] => {
  const payloads: string[] = []
  let lines = self
  for (const message of messages) {
    const longer = `${lines}\n${message}`
    if (lines !== self && Buffer.byteLength(longer) > most_bytes) {
      payloads.push(lines)
      lines = `${self}\n${message}`
    } else lines = longer
  }
  if (lines !== self) payloads.push(lines)
  return payloads
}
