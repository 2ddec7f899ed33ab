/**
 * The wallets of an account into which its merchants can collect now, from a cache (core/fresh-cache.ts), because shops ask for
 * them before every payment and they rarely change. At most 1.5 seconds old on every node; a change that this process makes, or
 * of which it gets a hint, is in the next answer. The statement that creates an intent checks its wallet again.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Scope, seesWallet, wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { obstacle, type Wallet } from '../../wallets/wallet.ts'
import { listWallets, walletOf } from './wallet-sql.ts'

type Wallets = readonly Wallet[]

export type OfferedWallets = {
  /** By name. For a scope of all days. */
  list(scope: Scope, now: Instant): Wallets | Promise<Wallets>
  /** Called for each hint, of this node and of others, after the commit of its change. Account null: all accounts. */
  follow(accountId: AccountId | null, change: { readonly kind: string }): void
  /** Hints of other nodes may have been lost. */
  forgetAll(): void
}

const mostAccounts = 5_000
/** An account has at most 1,000. */
const mostWallets = 50_000

/** Objects whose changes can change what is offered: `approval` because a confirmed one changes the others. */
const kindsOfWallets: ReadonlySet<string> = new Set(['account', 'approval', 'phone', 'provider', 'template', 'wallet'])

export const offeredWallets = (db: Session): OfferedWallets => {
  const cache = freshCache<AccountId, Wallets>({
    load: async (accountId) =>
      (await listWallets(db, wholeAccount(accountId))).map(walletOf).filter((wallet) => obstacle(wallet) === undefined),
    max: mostAccounts,
    size: { most: mostWallets, of: ({ length }) => length + 1 },
  })
  const visible = (scope: Scope, wallets: Wallets): Wallets =>
    scope.wallets === null ? wallets : wallets.filter(({ id }) => seesWallet(scope, id))
  return {
    list(scope, now) {
      // Never undefined: an account without wallets has an empty list.
      const all = cache.get(scope.accountId, now) as Wallets | Promise<Wallets>
      return all instanceof Promise ? all.then((wallets) => visible(scope, wallets)) : visible(scope, all)
    },
    follow(accountId, { kind }) {
      if (!kindsOfWallets.has(kind)) return
      if (accountId === null) cache.forgetAll()
      else cache.forget(accountId)
    },
    forgetAll: cache.forgetAll,
  }
}
