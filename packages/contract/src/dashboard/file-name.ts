/**
 * The name of a file for a member who was given some wallets: it says of which wallets the file is, because a file is sent to people
 * who do not see the screen it came from. Used by the server and by files that the dashboard makes. Pure.
 */

/** In code points: with a date and an id before them, a name stays below the 255 bytes of file systems. */
const longestNames = 40

/** Letters and digits of any language; a file system or a shell reads everything else in its own way. */
const plain = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')

/** `base` with the wallets after it. `wallets`: their names; null: all wallets, which need not be said. */
export const fileNameOf = (base: string, wallets: readonly string[] | null): string => {
  if (wallets === null) return base
  if (wallets.length === 0) return `${base}-no-wallets`
  const kept: string[] = []
  for (const name of wallets.map(plain)) {
    if ([...kept, name].join('_').length > longestNames) break
    if (name !== '') kept.push(name)
  }
  const left = wallets.length - kept.length
  if (kept.length === 0) return `${base}-of-${left}-wallet${left === 1 ? '' : 's'}`
  return `${base}-of-${kept.join('_')}${left > 0 ? `-and-${left}-more` : ''}`
}
