/** What is known of a phone's signs of life, for the rule of silence (silence.ts). Pure. */
import type { Instant } from '../../../core/clock.ts'

/** Why its usual messages say nothing; empty: they do. */
type Unjudged = '' | 'learning' | 'too_few'

export type PhoneRhythm =
  | {
      readonly unjudged: ''
      /** `lastSeenAt` when the two others were computed. */
      readonly heardAt: Instant
      /** By then there is usually a message. */
      readonly usualAt: Instant
      readonly alarmAt: Instant
    }
  | { readonly unjudged: 'learning' | 'too_few' }

export type PhoneSigns = {
  /** It has a secret of its own, from a pairing code: our agent. */
  readonly paired: boolean
  /** A forwarding app has access. */
  readonly forwards: boolean
  /** When its access was last issued. Heartbeats from before are of an app that may be gone. */
  readonly pairedAt: Instant | null
  readonly heartbeatAt: Instant | null
  readonly heartbeat_s: number | null
  /** Its last sign of life of any kind. */
  readonly lastSeenAt: Instant | null
  /** What was computed from its usual messages; null: nothing yet. */
  readonly rhythm: PhoneRhythm | null
}

/** As statements return it (silence-sql.ts). */
export type SignsRow = {
  readonly paired: boolean
  readonly forwards: boolean
  readonly paired_at: Instant | null
  readonly heartbeat_at: Instant | null
  readonly heartbeat_s: number | null
  readonly last_seen_at: Instant | null
  readonly rhythm_heard_at: Instant | null
  readonly rhythm_usual_at: Instant | null
  readonly rhythm_alarm_at: Instant | null
  readonly rhythm_unjudged: Unjudged | null
}

const rhythmOf = (
  unjudged: Unjudged | null,
  heardAt: Instant | null,
  usualAt: Instant | null,
  alarmAt: Instant | null,
): PhoneSigns['rhythm'] => {
  if (unjudged === null) return null
  if (unjudged !== '') return { unjudged }
  return heardAt === null || usualAt === null || alarmAt === null ? null : { unjudged, heardAt, usualAt, alarmAt }
}

export const signsOf = (row: SignsRow): PhoneSigns => ({
  paired: row.paired,
  forwards: row.forwards,
  pairedAt: row.paired_at,
  heartbeatAt: row.heartbeat_at,
  heartbeat_s: row.heartbeat_s,
  lastSeenAt: row.last_seen_at,
  rhythm: rhythmOf(row.rhythm_unjudged, row.rhythm_heard_at, row.rhythm_usual_at, row.rhythm_alarm_at),
})

/** As statements return it inside of another row. */
export type SignsList = [
  paired: boolean,
  forwards: boolean,
  pairedAt: Instant | null,
  heartbeatAt: Instant | null,
  heartbeat_s: number | null,
  lastSeenAt: Instant | null,
  unjudged: Unjudged | null,
  heardAt: Instant | null,
  usualAt: Instant | null,
  alarmAt: Instant | null,
]

export const signsIn = ([
  paired,
  forwards,
  pairedAt,
  heartbeatAt,
  heartbeat_s,
  lastSeenAt,
  ...rhythm
]: SignsList): PhoneSigns => ({
  paired,
  forwards,
  pairedAt,
  heartbeatAt,
  heartbeat_s,
  lastSeenAt,
  rhythm: rhythmOf(...rhythm),
})
