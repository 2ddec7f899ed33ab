/**
 * The texts of the two headers for developers: `X-Service-Hint`, one sentence, and `X-Service-Ignored`, names of what was sent
 * and not used. Both are printable ASCII and bounded, so that nothing a caller sent can end a header or fill a log. Pure.
 */
import { withoutSecrets } from '../../calls/api-call.ts'

export const longestHint = 300
export const mostIgnored = 10
const longestName = 60

const printable = /^[\x20-\x7e]*$/

/** The sentence as it is sent. A sentence is ours; one with another character would be a fault of ours, and is left out. */
export const hintText = (sentence: string): string | undefined =>
  sentence === '' || !printable.test(sentence) ? undefined : sentence.slice(0, longestHint)

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** A name of the caller, such as a field: short, without what may be a secret, and with every other character as `%XX`. */
export const safeName = (sent: string): string => {
  let name = ''
  for (const char of withoutSecrets(sent.slice(0, 4 * longestName)).toWellFormed()) {
    const longer = name + encoded(char)
    if (longer.length > longestName) break
    name = longer
  }
  return name
}

/** The names in their order, at most ten. Empty: there are none. */
export const ignoredText = (names: readonly string[]): string =>
  names
    .slice(0, mostIgnored)
    .map(safeName)
    .filter((name) => name !== '')
    .join(', ')
