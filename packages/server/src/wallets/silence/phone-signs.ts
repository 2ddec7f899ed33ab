/** The signs of life of a phone, by which silence.ts decides whether it is silent. Pure. */
import type { Instant } from '../../core/clock.ts'

/** Why a phone cannot be judged by its usual messages. Empty: it can. */
type Unjudged = '' | 'learning' | 'too_few'

export type PhoneRhythm =
  | {
      readonly unjudged: ''
      /** The value of `lastSeenAt` when `usualAt` and `alarmAt` were computed. */
      readonly heardAt: Instant
      /** By then there is usually a message. */
      readonly usualAt: Instant
      readonly alarmAt: Instant
    }
  | { readonly unjudged: 'learning' | 'too_few' }

export type PhoneSigns = {
  /** The phone has a secret from a pairing code: it uses our agent. */
  readonly paired: boolean
  /** A forwarding app has access. */
  readonly forwards: boolean
  /** When its access was last issued. Earlier heartbeats came from an app that may be gone. */
  readonly pairedAt: Instant | null
  readonly heartbeatAt: Instant | null
  readonly heartbeat_s: number | null
  /** Its last sign of life of any kind. */
  readonly lastSeenAt: Instant | null
  /** Computed from its usual messages. Null: not computed yet. */
  readonly rhythm: PhoneRhythm | null
}

/** The signs as statements return them (silence-sql.ts). */
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

/** The signs as statements return them inside of another row (`signsJson`). */
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
