/** The API types of checkouts, and how their states are shown. */
import type { Answer } from '../../api/call.ts'
import type { IntentState } from '../../parts/format/figures.tsx'

export type Listed = Answer<'listCheckouts'>['results'][number]
export type Shown = Answer<'showCheckout'>

/** A checkout waits and is paid like a payment request: both use the same words and icons. */
export const stateOf: Readonly<Record<Listed['status'], IntentState>> = {
  OPEN: 'PENDING',
  COMPLETE: 'VERIFIED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
}
