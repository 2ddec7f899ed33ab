/** The data of the counter: its roll, and the phones of the wallets. */
import type { Answer } from '../../api/call.ts'

export type Counter = Answer<'showCounter'>
export type RollEntry = Counter['roll']['results'][number]

/** The last four characters of a reference: enough to compare it with the buyer's screen. */
export const referenceEnd = (reference: string): string => reference.slice(-4)

/** A sale that has no intent yet: it can still be undone. */
export const isReserved = ({ state, intent }: Pick<RollEntry, 'state' | 'intent'>): boolean =>
  state === 'sale' && intent === null

/** The card of the money of one alert. */
export const moneyPath = (alert: string): string => `/counter?money=${alert}`
