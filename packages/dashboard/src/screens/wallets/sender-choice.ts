/**
 * The sender of a wallet's messages as the form fills it in: what choosing a provider does to it, and whether it differs
 * from a known one by its letters' case alone. Pure.
 */

/** What the user has typed stays; what was filled in for another provider does not. */
export const senderFor = (
  current: string,
  before: readonly string[] | undefined,
  chosen: readonly string[] | undefined,
): string => {
  const isFilledIn = current === '' || (before ?? []).includes(current)
  if (!isFilledIn) return current
  return chosen?.length === 1 ? chosen[0]! : ''
}

/** The known sender that was probably meant: the same letters, written otherwise. */
export const meantSender = (current: string, known: readonly string[]): string | undefined => {
  const plain = (text: string): string =>
    text
      .normalize('NFKC')
      .replaceAll(/[\s._-]/g, '')
      .toLowerCase()
  if (current.trim() === '' || known.includes(current.trim())) return undefined
  return known.find((one) => plain(one) === plain(current))
}

/** The senders of the provider first, then what the phone has received; none twice, at most six. */
export const senderChoices = (ofProvider: readonly string[], heard: readonly string[]): string[] =>
  [...new Set([...ofProvider, ...heard])].slice(0, 6)
