/**
 * Payments before backlogs: how many deliveries may begin while requests wait. A quiet service sends as fast as it can. As
 * soon as requests stand beside each other, the sender begins so many as a small share of what is answered meanwhile, and a
 * few each second in any case, so that draining a queue takes no more than a tenth from those who write, on a machine of
 * any size. Pure; who counts requests and begins deliveries is elsewhere.
 */
import type { WebhookSettings } from './settings.ts'

/** Of a short while: requests under way, on average, and how many were answered. */
export type Load = { readonly underWay: number; readonly answered: number; readonly took_ms: number }

type Rules = Pick<WebhookSettings, 'busy_requests' | 'busy_share' | 'busy_per_s'>

/** What is not used is kept for a moment: a payment that comes alone is told at once, however busy it is. */
export const mostCredit = 16

/** Credit after such a while. Infinite: nobody waits. */
export const creditAfter = (credit: number, load: Load, rules: Rules): number => {
  if (load.underWay < rules.busy_requests) return Number.POSITIVE_INFINITY
  const left = Number.isFinite(credit) ? credit : 0
  return Math.min(mostCredit, left + load.answered * rules.busy_share + (load.took_ms * rules.busy_per_s) / 1000)
}

/** How many may begin. */
export const mayBegin = (credit: number): number => (Number.isFinite(credit) ? Math.floor(credit) : credit)
