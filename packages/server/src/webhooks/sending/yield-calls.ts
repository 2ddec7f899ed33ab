/**
 * Payments before backlogs: how many deliveries may begin while requests wait. A quiet service sends as fast as it can. As
 * soon as requests stand beside each other, and until none have for a while, the sender begins so many as a small share of
 * what is answered meanwhile, and a few each second in any case, so that draining a queue takes no more than a tenth from
 * those who write, on a machine of any size. (What those requests pay is told besides: see the sender.) Pure; who counts
 * requests and begins deliveries is elsewhere.
 */
import type { WebhookSettings } from '../settings.ts'

/** Of a short while: requests under way, on average, and how many were answered. */
export type Load = { readonly underWay: number; readonly answered: number; readonly took_ms: number }

/** `credit`: how many may begin; infinite while it is quiet. `quiet_ms`: for how long it has been. */
export type Pace = { readonly credit: number; readonly quiet_ms: number }

type Rules = Pick<WebhookSettings, 'busy_requests' | 'busy_share' | 'busy_per_s'>

/** What is not used is kept for a moment: a payment that comes alone is told at once, however busy it is. */
export const mostCredit = 32
/** Requests share commits, so they come and go together: a moment without any is not yet quiet. */
export const quietAfter_ms = 200

export const quiet: Pace = { credit: Number.POSITIVE_INFINITY, quiet_ms: Number.POSITIVE_INFINITY }

export const paceAfter = (pace: Pace, load: Load, rules: Rules): Pace => {
  const quiet_ms = load.underWay < rules.busy_requests ? pace.quiet_ms + load.took_ms : 0
  if (quiet_ms >= quietAfter_ms) return quiet
  const earned = load.answered * rules.busy_share + (load.took_ms * rules.busy_per_s) / 1000
  return { credit: Math.min(mostCredit, pace.credit + earned), quiet_ms }
}

/** How many may begin. */
export const mayBegin = ({ credit }: Pace): number => Math.floor(credit)

export const afterBegun = (pace: Pace, begun: number): Pace => ({ ...pace, credit: pace.credit - begun })
