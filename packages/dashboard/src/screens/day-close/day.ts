/** The API types of a wallet's day, and date arithmetic. */
import type { Answer } from '../../api/call.ts'

export type Day = Answer<'showDayClose'>
export type DayLine = Answer<'listDayLines'>['results'][number]

const day_ms = 86_400_000

/** Noon of the day: it is on the same date in nearly every time zone, and adding 24 hours gives the next date. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`

export const addDays = (day: string, by: number): string =>
  new Date(Date.parse(noonOf(day)) + by * day_ms).toISOString().slice(0, 10)
