/**
 * The testing wallet that every account begins with: what it looks like. It needs no phone; its provider is the one whose
 * alerts nobody but us writes, so no real money can be taken for a test, and no test for money.
 */
import { namedId, type ProviderId, plainId, type WalletId } from '../../core/ids.ts'

/** The same everywhere: the migrations bring it, and the shipped templates hang on it. */
export const testProviderId: ProviderId = namedId<ProviderId>('provider sanad-test')

export type TestWallet = {
  readonly id: WalletId
  readonly providerId: ProviderId
  readonly name: string
  readonly accountNumber: string
  readonly senderName: string
}

export const newTestWallet = (): TestWallet => ({
  id: plainId<WalletId>(),
  providerId: testProviderId,
  name: 'Test wallet',
  accountNumber: 'TEST',
  senderName: 'SanadTest',
})
