/**
 * Entries of one real wallet that have different identities: created before identities existed, or around the rules.
 * Pure.
 */
import { isSameWallet, type WalletEntry } from './wallet-identity.ts'

/** Groups of an account's entries that are one real wallet and have different identities. */
export const twinsAmong = <E extends WalletEntry>(entries: readonly E[]): E[][] => {
  const groups: E[][] = []
  for (const entry of entries) {
    const near = groups.filter((group) => group.some((one) => isSameWallet(one, entry)))
    for (const group of near) groups.splice(groups.indexOf(group), 1)
    groups.push([...near.flat(), entry])
  }
  return groups.filter((group) => new Set(group.map(({ identity }) => identity)).size > 1)
}
