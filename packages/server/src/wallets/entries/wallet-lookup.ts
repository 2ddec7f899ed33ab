/**
 * The interface of a lookup: a wallet by its id, from a cache that is at most 1.5 seconds old. Whether a wallet's alerts
 * can be read depends on templates, so a module above implements it (views/wallets/find-wallet.ts).
 */
import type { Instant } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { Wallet } from '../wallet.ts'

export type WalletLookup = {
  get(scope: Scope, id: string, now: Instant): Wallet | undefined | Promise<Wallet | undefined>
  forget(scope: Scope, id: string): void
}
