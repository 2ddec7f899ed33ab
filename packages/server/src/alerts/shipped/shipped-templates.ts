/**
 * Every provider that comes with Sanad. The wording of the Yemeni wallets was seen in public code, not on a phone of ours;
 * whoever sees an alert that does not read publishes a new version. The others show that the language carries, and wait
 * as drafts.
 */
import { SHIPPED_ELSEWHERE } from './shipped-elsewhere.ts'
import type { ShippedProvider } from './shipped-provider.ts'
import { SHIPPED_YEMEN } from './shipped-yemen.ts'

export const SHIPPED_PROVIDERS: readonly ShippedProvider[] = [...SHIPPED_YEMEN, ...SHIPPED_ELSEWHERE]
