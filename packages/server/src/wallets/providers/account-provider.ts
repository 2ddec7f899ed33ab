/** A provider as an account may use it: the operator's, which everybody sees, or one of its own. Pure. */
import type { ProviderId } from '../../core/ids.ts'
import type { ProviderStatus } from '../wallets/wallet.ts'

export type ProviderSettings = {
  readonly name: string
  readonly displayName: string
  /** `#RRGGBB` */
  readonly themeColor: string
  readonly logoUrl: string
  readonly status: ProviderStatus
  /** Whose notifications are its own (`provider-packages.ts`). */
  readonly packages: readonly string[]
}

export type ManagedProvider = ProviderSettings & {
  readonly id: ProviderId
  readonly version: number
  readonly shared: boolean
  /** From whom the active templates read. */
  readonly senderNames: readonly string[]
  readonly activeTemplates: number
  /** Of the account that asks. */
  readonly wallets: number
}
