/**
 * Payments before backlogs: how many deliveries may begin while requests wait. A quiet service sends as fast as it can. While
 * requests run concurrently, and until none have for a while, the sender begins only a small share of the number of requests
 * answered meanwhile, and a few each second in any case: so draining a queue costs requests no more than a tenth, on a machine of
 * any size. (Events of those requests are sent besides: see `owed` in sender-state.ts.) Pure; counting requests and sending are
 * done elsewhere.
 */
import type { WebhookSettings } from '../settings.ts'

/** Over a short time: requests under way, on average, and how many were answered. */
export type Load = { readonly underWay: number; readonly answered: number; readonly took_ms: number }

/** `credit`: how many may begin; infinite while it is quiet. `quiet_ms`: how long it has been quiet. */
export type Pace = { readonly credit: number; readonly quiet_ms: number }

type Rules = Pick<WebhookSettings, 'busy_requests' | 'busy_share' | 'busy_per_s'>

/** Unused credit is kept up to this: a payment that comes alone is sent at once, however busy the service is. */
export const mostCredit = 32
/** Requests share commits, so they come in groups: a moment without requests is not yet quiet. */
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
