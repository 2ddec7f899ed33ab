/** A wallet with its provider and its phone, and whether intents can be created for it. Pure. */
import { usualCurrency } from '@sanad/contract/currency'
import type { AccountId, PhoneId, ProviderId, WalletId, WalletIdentity } from '../core/ids.ts'
import type { Minor } from '../core/money.ts'
import type { SimSlot, WalletPhones } from './wallet-phones.ts'

export type ProviderStatus = 'ACTIVE' | 'INACTIVE' | 'MAINTENANCE'

export type Provider = {
  readonly id: ProviderId
  readonly name: string
  readonly displayName: string
  readonly themeColor: string
  readonly logoUrl: string
  readonly status: ProviderStatus
  readonly version: number
}

/** Every buyer is asked for a different amount: 1 to `most` whole units more or less than the order's amount. */
export type UniqueAmountsSetting = { readonly direction: 'more' | 'less'; readonly most: number }

export type Wallet = {
  readonly id: WalletId
  /** The identity of the real wallet, which all its entries share. */
  readonly identity: WalletIdentity
  readonly accountId: AccountId
  readonly name: string
  readonly accountNumber: string
  readonly senderName: string
  readonly currency: string
  readonly simSlot: SimSlot
  readonly active: boolean
  readonly isTest: boolean
  /** The first of its phones. */
  readonly phoneId: PhoneId | null
  /** At least one of its phones is switched on. */
  readonly phoneOn: boolean
  /** Its provider has an active template; without one, no alert of the wallet could be read. */
  readonly readable: boolean
  /** Null: buyers are asked for the order's own amount. */
  readonly uniqueAmounts: UniqueAmountsSetting | null
  readonly version: number
  readonly provider: Provider
}

/** What members set of a wallet. */
export type WalletSettings = WalletPhones & {
  readonly name: string
  readonly accountNumber: string
  readonly providerId: ProviderId
  readonly senderName: string
  readonly active: boolean
  readonly reviewAbove: Minor | null
  readonly lowTrustLimit: Minor
  readonly reviewBrokenChains: boolean
  readonly reviewLaterMessages: boolean
}

/** What a shop with these wallets is paid in, if nobody says it: the currency that all of them have, or else the usual one. */
export const currencyOf = (wallets: readonly Pick<Wallet, 'currency' | 'isTest'>[]): string => {
  const real = wallets.filter(({ isTest }) => !isTest)
  const [first, ...others] = new Set((real.length > 0 ? real : wallets).map(({ currency }) => currency))
  return first === undefined || others.length > 0 ? usualCurrency : first
}

/** The wallet has a phone that is switched on, its sender is known, and its alerts can be read. */
export const monitored = (wallet: Wallet): boolean =>
  wallet.phoneId !== null && wallet.senderName !== '' && wallet.readable && wallet.phoneOn

/** Why no intent can be created for the wallet. The test wallet needs no phone. */
export const obstacle = (wallet: Wallet): 'wallet_unknown' | 'wallet_not_monitored' | undefined => {
  if (!wallet.active) return 'wallet_unknown'
  if (!wallet.isTest && !monitored(wallet)) return 'wallet_not_monitored'
  return undefined
}
