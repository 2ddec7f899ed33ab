/**
 * What a caller may see and change: an account, and of it all wallets or some. It is made once, when the caller is known (a
 * member, an API key, a phone); background jobs and commands act for the whole account. Statements take it instead of an
 * account's id. Pure.
 */
import type { AccountId, WalletId } from './ids.ts'

export type Scope = {
  readonly accountId: AccountId
  /** Null: all wallets, also those that are added later. */
  readonly wallets: readonly WalletId[] | null
}

/** Whether the scope has the wallet, if it is one of the account. */
export const seesWallet = ({ wallets }: Scope, walletId: string): boolean =>
  wallets === null || wallets.some((id) => id === walletId)

/**
 * All wallets of the account of a scope: for a verb whose object the caller has found within the scope, because rules about money see
 * the whole account, and for what belongs to no wallet, such as the names of members.
 */
export const wholeOf = ({ accountId }: Scope): Scope => wholeAccount(accountId)

export const wholeAccount = (accountId: AccountId): Scope => ({ accountId, wallets: null })
