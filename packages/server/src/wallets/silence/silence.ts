/**
 * Whether a phone is silent, judged by what its app promises. The list of phones, the wallets, the overview, intents and
 * the operator's pages all use this rule. silence-sql.ts has the same rule in SQL, for counting phones.
 *
 * - An app with heartbeats (our agent; SMS Gateway with its ping switched on): silent when three heartbeats are missing.
 * - A forwarding app without heartbeats: silent when there was no message for unusually long (rhythm.ts). Until enough is
 *   learned, it is not judged, and only the time of the last message is shown.
 * - A phone that never made contact is silent. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_s } from '../../core/duration.ts'
import type { PhoneSigns } from './phone-signs.ts'

/** Seconds between the heartbeats of our agent (http/device/config-answer.ts sends it to the agent). */
export const agentHeartbeat_s = 60
/** A phone is silent when so many heartbeats are missing. */
const missedBeats = 3
/** Pings further apart than this are ignored: messages are the better sign. */
export const longestHeartbeat_s = 3600

export type Silence =
  /** The phone never made contact. */
  | { readonly kind: 'never' }
  | { readonly kind: 'heartbeat'; readonly period_s: number; readonly alarmAt: Instant }
  | { readonly kind: 'rhythm'; readonly usualAt: Instant; readonly alarmAt: Instant }
  /** Its silence cannot be judged (yet). `no_app`: it has no app that could report, like the simulated phone. */
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
  // After a contact the limits move by the same time, until they are computed again within minutes.
  const moved_ms = lastSeenAt - rhythm.heardAt
  return { kind: 'rhythm', usualAt: rhythm.usualAt + moved_ms, alarmAt: rhythm.alarmAt + moved_ms }
}

export const isSilent = (phone: PhoneSigns, now: Instant): boolean => {
  const silence = silenceOf(phone)
  if (silence.kind === 'never') return true
  return silence.kind !== 'unjudged' && now > silence.alarmAt
}

/**
 * The period of an app's pings, measured from the time between two pings, because the app does not send it. Pings that
 * arrive at once were queued while the phone had no network. One odd gap changes the period by a third at most, so that
 * three periods stay longer than the time between two pings.
 */
export const pingPeriod_s = (before_s: number | null, gap_s: number): number | null => {
  if (gap_s < 10) return before_s
  const gap = Math.min(Math.round(gap_s), day_s)
  if (before_s === null) return gap
  return gap < before_s ? Math.max(gap, Math.floor((before_s * 2) / 3)) : Math.min(gap, Math.ceil((before_s * 5) / 4))
}
