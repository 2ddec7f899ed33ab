/**
 * Every provider that comes with Sanad. The wording of the Yemeni wallets is taken from public code; an alert that is worded
 * differently needs a new version of its template. The templates of other countries are drafts, and show that the template
 * language works for them.
 */
import { SHIPPED_ELSEWHERE } from './shipped-elsewhere.ts'
import type { ShippedProvider } from './shipped-provider.ts'
import { SHIPPED_YEMEN } from './shipped-yemen.ts'

export const SHIPPED_PROVIDERS: readonly ShippedProvider[] = [...SHIPPED_YEMEN, ...SHIPPED_ELSEWHERE]
