/** The lengths of time of which others are made: `30 * day_ms`. A day has 24 hours here; days of a time zone are in zone.ts. */

export const second_ms = 1_000
export const minute_ms = 60 * second_ms
export const hour_ms = 60 * minute_ms
export const day_ms = 24 * hour_ms

export const day_s = day_ms / second_ms
