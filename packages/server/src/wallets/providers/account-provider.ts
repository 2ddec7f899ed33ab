/** A provider that an account may use: one of the operator's, which all accounts share, or its own. Pure. */
import type { ProviderId } from '../../core/ids.ts'
import type { ProviderStatus } from '../wallets/wallet.ts'

export type ProviderSettings = {
  readonly name: string
  readonly displayName: string
  /** `#RRGGBB` */
  readonly themeColor: string
  readonly logoUrl: string
  readonly status: ProviderStatus
  /** The Android packages whose notifications count as the provider's (`provider-packages.ts`). */
  readonly packages: readonly string[]
}

export type AccountProvider = ProviderSettings & {
  readonly id: ProviderId
  readonly version: number
  readonly shared: boolean
  /** The senders of its active templates. */
  readonly senderNames: readonly string[]
  readonly activeTemplates: number
  /** Of this account. */
  readonly wallets: number
}
