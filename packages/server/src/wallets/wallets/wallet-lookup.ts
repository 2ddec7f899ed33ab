/**
 * A wallet by its id, for every create and every answer, without asking the database each time (core/fresh-cache.ts).
 * Creating an intent holds what it saw here against the rows again, in its own statement.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Wallet } from './wallet.ts'
import { findWallet, walletOf } from './wallet-sql.ts'

export type WalletLookup = {
  get(accountId: AccountId, id: string, now: Instant): Wallet | undefined | Promise<Wallet | undefined>
  forget(accountId: AccountId, id: string): void
}

export const walletLookup = (db: Db): WalletLookup => {
  const cache = freshCache<string, Wallet>({
    load: async (key) => {
      const [accountId, id] = key.split('/') as [AccountId, string]
      const [row] = await findWallet(db, accountId, id)
      return row === undefined ? undefined : walletOf(row)
    },
    max: 20_000,
  })
  return {
    get: (accountId, id, now) => cache.get(`${accountId}/${id}`, now),
    forget: (accountId, id) => cache.forget(`${accountId}/${id}`),
  }
}
