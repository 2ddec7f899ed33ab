/** The dependencies of the routes of intents and of the overview, and the look-ups they share. */

import type { TermsLookup } from '../../../accounts/tenants/account-terms.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId, IntentId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Intent } from '../../../intents/intent.ts'
import type { FindIntent } from '../../../views/intents/find-intents.ts'
import type { ListIntents } from '../../../views/intents/list-intents.ts'
import type { Wallet } from '../../../wallets/wallets/wallet.ts'
import type { WalletLookup } from '../../../wallets/wallets/wallet-lookup.ts'
import { notFound } from '../../answers.ts'
import { idIn } from '../../path-id.ts'
import type { Call, DashboardContext } from '../route.ts'

export type IntentRouteDeps = DashboardContext & {
  /** The zone of the service: a month of the quota begins in it. Answers use the zone of the account. */
  readonly zone: Zone
  readonly terms: TermsLookup
  readonly find: FindIntent
  readonly list: ListIntents
  readonly wallets: WalletLookup
  readonly window_ms: number
  /** The instant before which the stored figures no longer change. */
  readonly talliedUntil: (now: Instant) => Instant | Promise<Instant>
  /** Wakes the sender of webhooks, because events may be due. */
  readonly wake: (accountId: AccountId) => void
}

export const intentIn = async (deps: IntentRouteDeps, { request, member }: Call): Promise<Intent> => {
  const intent = await deps.find(member.accountId, idIn<IntentId>(request, 'id'))
  if (intent === undefined) throw notFound()
  return intent
}

export const walletOf = async (deps: IntentRouteDeps, intent: Intent, now: Instant): Promise<Wallet> => {
  const wallet = await deps.wallets.get(intent.accountId, intent.walletId, now)
  if (wallet === undefined) throw new Error(`intent ${intent.id} has no wallet`)
  return wallet
}
