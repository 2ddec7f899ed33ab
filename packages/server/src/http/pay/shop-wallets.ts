/**
 * The wallets of an account as its buyers' pages show them: the usable wallets, their companies, and the wallets whose
 * phone is silent. Cached for at most 1.5 seconds (core/fresh-cache.ts), because every page needs them and they rarely
 * change. Choosing a wallet checks it again.
 */
import { silentWallets } from '../../checkouts/buyer/page-wallets-sql.ts'
import type { LocalizedCompany } from '../../checkouts/company/company.ts'
import { readCompanies } from '../../checkouts/company/read-companies.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId, ProviderId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { listWallets, walletOf } from '../../views/wallets/wallet-sql.ts'
import { obstacle, type Wallet } from '../../wallets/wallet.ts'

export type ShopWallets = {
  /** The wallets that can collect money now. */
  readonly usable: readonly Wallet[]
  readonly companies: ReadonlyMap<ProviderId, LocalizedCompany>
  /** Ids of wallets whose phone is silent. */
  readonly silent: ReadonlySet<string>
}

export type ShopWalletLookup = (accountId: AccountId, now: Instant) => ShopWallets | Promise<ShopWallets>

const mostAccounts = 5_000

export const shopWalletLookup = (db: Session, clock: Clock): ShopWalletLookup => {
  const cache = freshCache<AccountId, ShopWallets>({
    load: async (accountId) => {
      const wallets = (await listWallets(db, wholeAccount(accountId))).map(walletOf)
      const real = wallets.filter((wallet) => !wallet.isTest).map((wallet) => wallet.id)
      const providers = wallets.map((wallet) => wallet.provider.id)
      const [companies, silent] = await Promise.all([
        readCompanies(db, wholeAccount(accountId), providers),
        real.length === 0 ? [] : silentWallets(db, wholeAccount(accountId), real, clock.now()),
      ])
      return {
        usable: wallets.filter((wallet) => obstacle(wallet) === undefined),
        companies,
        silent: new Set(silent.map(({ id }) => id)),
      }
    },
    max: mostAccounts,
  })
  return (accountId, now) => cache.get(accountId, now) as ShopWallets | Promise<ShopWallets>
}
