/**
 * How far the clock of this machine is from the database's clock, and what follows. Pure. All nodes share the database, so its
 * clock is the one that counts.
 *
 * A sample is one question to the database: what time is it? The answer was written at some moment between sending and
 * receiving, so it is exact to half the round trip. Samples are compared with the ticks of the machine, which never jump, and
 * not with its time of day: so a jump of the time of day is seen at once, without asking the database again.
 */

import { day_ms, hour_ms, minute_ms } from '../../core/duration.ts'

/** Beyond this a node says that its clock differs. */
export const warnBeyond_ms = 2_000
/** Beyond this a node is not ready, and does nothing that depends on the time. */
export const refuseBeyond_ms = 10_000

/** How many samples count: the best of some seconds. */
export const mostSamples = 10
/** How much two right clocks may drift apart between two samples: far more than a quartz does in a second. */
const drift_ms = 1

/** The database's time minus the ticks, and by how much that may be wrong at most. */
export type DatabaseLead = { readonly lead_ms: number; readonly error_ms: number }

export type Agreement = 'agrees' | 'differs' | 'refused'

export type ClockState = {
  readonly agreement: Agreement
  /** The time of day of this machine minus the database's time: positive if this machine is ahead. */
  readonly offset_ms: number
  /** By how much the offset may be wrong at most: half of the shortest round trip. */
  readonly error_ms: number
}

/** `sentAt` and `receivedAt` are ticks. */
export const sampleOf = (sentAt: number, databaseTime_ms: number, receivedAt: number): DatabaseLead => ({
  lead_ms: databaseTime_ms - (sentAt + receivedAt) / 2,
  error_ms: Math.max(0, receivedAt - sentAt) / 2,
})

/**
 * What all samples allow, the newest first: each says that the lead is between two limits. A sample that contradicts the newer
 * ones is older than a jump of the database's clock, or than a pause of the ticks: it no longer counts, nor do those before it.
 */
export const leadOf = (samples: readonly DatabaseLead[]): DatabaseLead => {
  let from = Number.NEGATIVE_INFINITY
  let to = Number.POSITIVE_INFINITY
  for (const [age, { lead_ms, error_ms }] of samples.entries()) {
    const low = Math.max(from, lead_ms - error_ms - age * drift_ms)
    const high = Math.min(to, lead_ms + error_ms + age * drift_ms)
    if (low > high) break
    from = low
    to = high
  }
  return { lead_ms: (from + to) / 2, error_ms: (to - from) / 2 }
}

/** Doubt is in the machine's favour: what the round trip may explain is taken off. */
export const agreementOf = (offset_ms: number, error_ms: number): Agreement => {
  const sure_ms = Math.abs(offset_ms) - error_ms
  return sure_ms > refuseBeyond_ms ? 'refused' : sure_ms > warnBeyond_ms ? 'differs' : 'agrees'
}

/** `wall_ms` and `ticks` were read together. */
export const clockStateOf = ({ lead_ms, error_ms }: DatabaseLead, wall_ms: number, ticks: number): ClockState => {
  const offset_ms = wall_ms - ticks - lead_ms
  return { agreement: agreementOf(offset_ms, error_ms), offset_ms, error_ms }
}

const units = [
  ['d', day_ms],
  ['h', hour_ms],
  ['min', minute_ms],
] as const

/** "3.2 s", "4 min", "2 h": in the largest unit of which there are at least two. */
const durationText = (duration_ms: number): string => {
  for (const [name, unit_ms] of units)
    if (duration_ms >= 1.995 * unit_ms) return `${Math.round((duration_ms / unit_ms) * 10) / 10} ${name}`
  return `${(duration_ms / 1000).toFixed(1)} s`
}

/** "2 h ahead of", "3.0 s behind". */
export const offsetText = (offset_ms: number): string =>
  `${durationText(Math.abs(offset_ms))} ${offset_ms > 0 ? 'ahead of' : 'behind'}`

const timeText = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')

/** For the log, /readyz and commands. `wall_ms`: the time of this machine when the state was computed. */
export const clockSentence = ({ offset_ms }: ClockState, wall_ms: number): string =>
  `The clock of this machine is ${offsetText(offset_ms)} the database's: ` +
  `here it is ${timeText(wall_ms)}, there ${timeText(wall_ms - offset_ms)}.`
