/**
 * Entries of one real wallet that have different identities. They were created before identities existed, or by a writer
 * that did not follow the rules. Pure.
 */
import { isSameWallet, type WalletEntry } from './wallet-identity.ts'

/** Groups of an account's entries that are one real wallet and have different identities. */
export const twinsAmong = <E extends WalletEntry>(entries: readonly E[]): E[][] => {
  const groups: E[][] = []
  for (const entry of entries) {
    const same = groups.filter((group) => group.some((other) => isSameWallet(other, entry)))
    for (const group of same) groups.splice(groups.indexOf(group), 1)
    groups.push([...same.flat(), entry])
  }
  return groups.filter((group) => new Set(group.map(({ identity }) => identity)).size > 1)
}
