/** A provider that an account may use: one of the operator's, which all accounts share, or its own. Pure. */
import type { ProviderId } from '../../core/ids.ts'
import type { ProviderStatus } from '../wallet.ts'
import type { NumberRule } from './number-rule.ts'
import type { PaySteps } from './pay-steps.ts'

export type ProviderSettings = {
  readonly name: string
  readonly displayName: string
  /** Empty: the provider has only `displayName`. */
  readonly displayNameArabic: string
  /** Two letters (ISO 3166-1). Empty: not set. */
  readonly country: string
  /** `#RRGGBB` */
  readonly themeColor: string
  readonly logoUrl: string
  readonly status: ProviderStatus
  /** The Android packages whose notifications count as the provider's (`provider-packages.ts`). */
  readonly packages: readonly string[]
  /** Its own steps. A language without any gets the general ones of `pay-steps.ts`. */
  readonly paySteps: PaySteps
  readonly numberLengths: NumberRule['lengths']
  readonly numberPrefixes: NumberRule['prefixes']
}

export type AccountProvider = ProviderSettings & {
  readonly id: ProviderId
  readonly version: number
  readonly shared: boolean
  /** The senders of its active templates. */
  readonly senderNames: readonly string[]
  readonly activeTemplates: number
  /** How many wallets of this account use it. */
  readonly wallets: number
  /** The sort key of the list: the account's country first, then the other countries, each by name. */
  readonly place: string
}
