/**
 * How many deliveries may begin while requests run: requests come before a backlog. Without requests the sender sends as fast as
 * it can. While requests run concurrently, and for a moment after, it begins only a small share of the number of requests
 * answered meanwhile, and a few each second in any case. So a long queue slows requests by a tenth at most, on a machine of any
 * size. (The events of those requests are sent in addition: see `exempt` in sender-state.ts.) Pure; other files count requests
 * and send.
 */
import type { WebhookSettings } from '../settings.ts'

/** Measured over `took_ms`: how many requests were under way on average, and how many were answered. */
export type Load = { readonly underWay: number; readonly answered: number; readonly took_ms: number }

/** `credit`: how many deliveries may begin; infinite while there are no requests. `quiet_ms`: for how long there were none. */
export type Pace = { readonly credit: number; readonly quiet_ms: number }

type Rules = Pick<WebhookSettings, 'busy_requests' | 'busy_share' | 'busy_per_s'>

/** Unused credit is saved up to this: the event of a single payment is sent at once, however busy the service is. */
export const mostCredit = 32
/** Requests share commits, so they come in groups: a shorter pause between requests does not count as quiet. */
export const quietAfter_ms = 200

export const noLoad: Pace = { credit: Number.POSITIVE_INFINITY, quiet_ms: Number.POSITIVE_INFINITY }

export const paceAfter = (pace: Pace, load: Load, rules: Rules): Pace => {
  const quiet_ms = load.underWay < rules.busy_requests ? pace.quiet_ms + load.took_ms : 0
  if (quiet_ms >= quietAfter_ms) return noLoad
  const earned = load.answered * rules.busy_share + (load.took_ms * rules.busy_per_s) / 1000
  return { credit: Math.min(mostCredit, pace.credit + earned), quiet_ms }
}

/** How many deliveries may begin. */
export const mayBegin = ({ credit }: Pace): number => Math.floor(credit)

export const afterBegun = (pace: Pace, begun: number): Pace => ({ ...pace, credit: pace.credit - begun })
