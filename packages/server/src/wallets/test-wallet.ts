/**
 * The test wallet that every account begins with. It needs no phone. No real phone reports alerts of its provider, so
 * real money cannot be taken for a test, nor a test for money. Pure.
 */
import { usualCurrency } from '@sanad/contract/currency'
import { nameBasedId, type ProviderId, randomId, type WalletId } from '../core/ids.ts'

/** The same id in every installation: the migrations insert it, and the shipped templates refer to it. */
export const testProviderId: ProviderId = nameBasedId<ProviderId>('provider sanad-test')

export type TestWallet = {
  readonly id: WalletId
  readonly providerId: ProviderId
  readonly name: string
  readonly accountNumber: string
  readonly senderName: string
  readonly currency: string
}

export const newTestWallet = (): TestWallet => ({
  id: randomId<WalletId>(),
  providerId: testProviderId,
  name: 'Test wallet',
  accountNumber: 'TEST',
  senderName: 'SanadTest',
  currency: usualCurrency,
})
