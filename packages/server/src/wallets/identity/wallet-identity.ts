/**
 * Which real wallet an entry stands for. A real wallet is its provider and its account number; all its entries, open
 * and closed, share one identity, so that money spent in one is spent in all. Two entries with one number and one
 * sender are one real wallet even under two providers: the same message would be read for both. Pure.
 */
import type { ProviderId, WalletId } from '../../core/ids.ts'
import { numberKey } from './account-number.ts'

/** What identifies a real wallet. */
export type IdentifyingFields = {
  readonly providerId: ProviderId
  readonly accountNumber: string
  readonly senderName: string
}

export type WalletEntry = IdentifyingFields & {
  readonly id: WalletId
  readonly identity: string
  readonly name: string
  readonly active: boolean
}

/** A number with which a real wallet was ever entered. */
export type NumberAlias = { readonly providerId: ProviderId; readonly identity: string }

const sameSender = (one: IdentifyingFields, other: IdentifyingFields): boolean =>
  one.senderName !== '' && one.senderName === other.senderName

/** Whether two entries are one real wallet, by their present data. */
export const isSameWallet = (one: IdentifyingFields, other: IdentifyingFields): boolean => {
  const key = numberKey(one.accountNumber)
  if (key === undefined || key !== numberKey(other.accountNumber)) return false
  return one.providerId === other.providerId || sameSender(one, other)
}

/**
 * The account's other entries of the same real wallet, and all entries that share an identity with one of these: the
 * number of an entry may have been corrected since. `aliases`: those of the wallet's number key, of all providers.
 */
export const entriesOfSame = <E extends WalletEntry>(
  wallet: IdentifyingFields & { readonly id: WalletId },
  entries: readonly E[],
  aliases: readonly NumberAlias[],
): E[] => {
  const others = entries.filter(({ id }) => id !== wallet.id)
  const identities = new Set(
    others
      .filter(
        (entry) =>
          isSameWallet(wallet, entry) ||
          aliases.some(
            (alias) =>
              alias.identity === entry.identity &&
              (alias.providerId === wallet.providerId || sameSender(wallet, entry)),
          ),
      )
      .map(({ identity }) => identity),
  )
  return others.filter(({ identity }) => identities.has(identity))
}

export type NewIdentity<E> =
  | { readonly kind: 'own' }
  | { readonly kind: 'shared'; readonly identity: string }
  /** The real wallet has an open entry. */
  | { readonly kind: 'open'; readonly entry: E }
  /** The real wallet has closed entries with different identities: they must be merged first. */
  | { readonly kind: 'closed'; readonly entry: E }

/**
 * The identity of a new entry. If the real wallet has only closed entries, the new entry shares their identity: money
 * that was spent there stays spent.
 */
export const identityOfNew = <E extends WalletEntry>(same: readonly E[]): NewIdentity<E> => {
  const open = same.find(({ active }) => active)
  if (open !== undefined) return { kind: 'open', entry: open }
  const [first, ...more] = same
  if (first === undefined) return { kind: 'own' }
  // Entries from before identities existed: a user must decide which of them the new entry continues.
  if (more.some(({ identity }) => identity !== first.identity)) return { kind: 'closed', entry: first }
  return { kind: 'shared', identity: first.identity }
}

type EntryState = IdentifyingFields & { readonly active: boolean }

/**
 * Why a change is refused; undefined: it is allowed. A corrected number or provider keeps the identity; a change to
 * another real wallet is refused. Twins can be changed in everything else. `before`, `after`: the entries of the same
 * real wallet before and after the change; `siblings`: the other entries of its identity.
 */
export const obstacleToChange = <E extends WalletEntry>(
  wallet: { readonly identity: string; readonly before: EntryState; readonly after: EntryState },
  same: { readonly before: readonly E[]; readonly after: readonly E[]; readonly siblings: readonly E[] },
): Extract<NewIdentity<E>, { kind: 'open' | 'closed' }> | undefined => {
  const others = same.after.filter(({ identity }) => identity !== wallet.identity)
  const opens = wallet.after.active && !wallet.before.active
  if (opens) {
    const open = [...same.siblings, ...others].find(({ active }) => active)
    if (open !== undefined) return { kind: 'open', entry: open }
  }
  // The entries that only this change makes the same real wallet. An entry that only an earlier number connected with the
  // wallet counts too, if the changed data connects it now.
  const joined = others.filter(
    (entry) =>
      same.before.every(({ id }) => id !== entry.id) ||
      (isSameWallet(wallet.after, entry) && !isSameWallet(wallet.before, entry)),
  )
  const [first] = joined
  if (first === undefined) return undefined
  const open = joined.find(({ active }) => active)
  return open === undefined ? { kind: 'closed', entry: first } : { kind: 'open', entry: open }
}
