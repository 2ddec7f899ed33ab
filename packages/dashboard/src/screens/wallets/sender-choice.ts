/**
 * The sender of a wallet's messages in the form: the value after a provider is chosen, the known sender that a typed one
 * resembles, and the senders to choose from. Pure.
 */

/** The sender after a provider is chosen. A typed sender stays; one that was filled in for another provider does not. */
export const senderFor = (
  current: string,
  before: readonly string[] | undefined,
  chosen: readonly string[] | undefined,
): string => {
  const isFilledIn = current === '' || (before ?? []).includes(current)
  if (!isFilledIn) return current
  return chosen?.length === 1 ? chosen[0]! : ''
}

/** The known sender that differs from the typed one only by case, spaces, dots or hyphens. */
export const similarSender = (current: string, known: readonly string[]): string | undefined => {
  const plain = (text: string): string =>
    text
      .normalize('NFKC')
      .replaceAll(/[\s._-]/g, '')
      .toLowerCase()
  if (current.trim() === '' || known.includes(current.trim())) return undefined
  return known.find((sender) => plain(sender) === plain(current))
}

/** The senders of the provider first, then those that the phone received; none twice, at most six. */
export const senderChoices = (ofProvider: readonly string[], received: readonly string[]): string[] =>
  [...new Set([...ofProvider, ...received])].slice(0, 6)
