/** The wallet that was used last on this device. The test wallet is never remembered. */
import { readPreference, savePreference } from '../../../words/preferences.ts'

const preference = 'counter-wallet'

export const lastWallet = (): string | null => readPreference(preference)

export const rememberWallet = (wallet: { readonly id: string; readonly is_test: boolean } | undefined): void => {
  if (wallet !== undefined && !wallet.is_test) savePreference(preference, wallet.id)
}
