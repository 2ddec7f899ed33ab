/** The dependencies of the routes of intents and of the overview, and the look-ups they share. */

import type { Instant } from '../../../core/clock.ts'
import type { AccountId } from '../../../core/ids.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Intent } from '../../../intents/intent.ts'
import type { FindIntent } from '../../../views/intents/find-intents.ts'
import type { ListIntents } from '../../../views/intents/list-intents.ts'
import type { WalletLookup } from '../../../wallets/entries/wallet-lookup.ts'
import type { Wallet } from '../../../wallets/wallet.ts'
import { notFound } from '../../answers.ts'
import type { DashboardContext, NamedCall } from '../route.ts'

export type IntentRouteDeps = DashboardContext & {
  readonly find: FindIntent
  readonly list: ListIntents
  readonly wallets: WalletLookup
  readonly window_ms: number
  /** The instant before which the stored figures no longer change. */
  readonly talliedUntil: (now: Instant) => Instant | Promise<Instant>
  /** Wakes the sender of webhooks, because events may be due. */
  readonly wake: (accountId: AccountId) => void
}

/** The intent that the path names, in the account of the member. */
export const intentIn =
  ({ find }: IntentRouteDeps) =>
  async ({ path, member }: NamedCall): Promise<Intent> => {
    const intent = await find(member.scope, path.id)
    if (intent === undefined) throw notFound()
    return intent
  }

export const walletOf = async (deps: IntentRouteDeps, intent: Intent, now: Instant): Promise<Wallet> => {
  const wallet = await deps.wallets.get(wholeAccount(intent.accountId), intent.walletId, now)
  if (wallet === undefined) throw new Error(`intent ${intent.id} has no wallet`)
  return wallet
}
