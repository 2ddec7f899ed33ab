/**
 * Whether a phone is silent, judged by what its app promises. The one rule for the list of phones, the wallets, the overview,
 * intents and the operator; silence-sql.ts says the same in SQL where phones are counted.
 *
 * - An app with heartbeats (our agent; SMS Gateway with its ping switched on): silent when three of them are missing.
 * - A forwarding app without: silent when there was no message for unusually long (rhythm.ts). While that is not known, it is
 *   not judged, and only the time of the last message is shown.
 * - A phone that was never heard of is silent. Pure.
 */
import type { Instant } from '../../../core/clock.ts'
import type { PhoneSigns } from './phone-signs.ts'

/** Seconds between the heartbeats of our agent (http/device/config-answer.ts tells it). */
export const agentHeartbeat_s = 60
/** So many heartbeats must be missing. */
const missedBeats = 3
/** Pings that are further apart than this tell less than the messages do. */
export const longestHeartbeat_s = 3600

export type Silence =
  /** Nothing was ever heard of it. */
  | { readonly kind: 'never' }
  | { readonly kind: 'heartbeat'; readonly period_s: number; readonly alarmAt: Instant }
  | { readonly kind: 'rhythm'; readonly usualAt: Instant; readonly alarmAt: Instant }
  /** Its silence says nothing (yet). `no_app`: it has no app that could report, as the simulated phone. */
  | { readonly kind: 'unjudged'; readonly reason: 'learning' | 'too_few' | 'no_app' }

const periodOf = ({ paired, forwards, pairedAt, heartbeatAt, heartbeat_s }: PhoneSigns): number | undefined => {
  if (paired && !forwards) return agentHeartbeat_s
  const current = heartbeatAt !== null && (pairedAt === null || heartbeatAt >= pairedAt)
  return current && heartbeat_s !== null && heartbeat_s <= longestHeartbeat_s ? heartbeat_s : undefined
}

export const silenceOf = (phone: PhoneSigns): Silence => {
  const { lastSeenAt, rhythm } = phone
  if (lastSeenAt === null) return { kind: 'never' }
  const period_s = periodOf(phone)
  if (period_s !== undefined)
    return { kind: 'heartbeat', period_s, alarmAt: lastSeenAt + missedBeats * period_s * 1000 }
  if (!phone.forwards) return { kind: 'unjudged', reason: 'no_app' }
  if (rhythm === null || rhythm.unjudged !== '') return { kind: 'unjudged', reason: rhythm?.unjudged || 'learning' }
  // Heard of since the limits were computed: they move along until they are computed again, within minutes.
  const moved_ms = lastSeenAt - rhythm.heardAt
  return { kind: 'rhythm', usualAt: rhythm.usualAt + moved_ms, alarmAt: rhythm.alarmAt + moved_ms }
}

export const isSilent = (phone: PhoneSigns, now: Instant): boolean => {
  const silence = silenceOf(phone)
  if (silence.kind === 'never') return true
  return silence.kind !== 'unjudged' && now > silence.alarmAt
}

/**
 * The period of an app's pings, from the time between two of them. The app does not say it. Pings that come at once were
 * queued while the phone had no network. A single odd gap moves the period by a third at most: three periods stay longer than
 * the time between two pings.
 */
export const pingPeriod_s = (before_s: number | null, gap_s: number): number | null => {
  if (gap_s < 10) return before_s
  const gap = Math.min(Math.round(gap_s), 86_400)
  if (before_s === null) return gap
  return gap < before_s ? Math.max(gap, Math.floor((before_s * 2) / 3)) : Math.min(gap, Math.ceil((before_s * 5) / 4))
}
