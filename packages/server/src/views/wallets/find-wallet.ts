/**
 * Finds a wallet by its id, in a cache (core/fresh-cache.ts), because every created intent and every answer needs one. The
 * statement that creates an intent checks the wallet's version again, so an outdated entry does no harm.
 */
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import { seesWallet, wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { findWallet, walletOf } from './wallet-sql.ts'

export const walletLookup = (db: Db): WalletLookup => {
  const cache = freshCache<string, Wallet>({
    load: async (key) => {
      const [accountId, id] = key.split('/') as [AccountId, string]
      const [row] = await findWallet(db, wholeAccount(accountId), id)
      return row === undefined ? undefined : walletOf(row)
    },
    max: 20_000,
  })
  return {
    get: (scope, id, now) => (seesWallet(scope, id) ? cache.get(`${scope.accountId}/${id}`, now) : undefined),
    forget: ({ accountId }, id) => cache.forget(`${accountId}/${id}`),
  }
}
