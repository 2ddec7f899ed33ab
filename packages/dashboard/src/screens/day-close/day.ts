/** The API types of a wallet's day, and date arithmetic. */
import type { Answer } from '../../api/call.ts'

export type Day = Answer<'showDayClose'>
export type DayLine = Answer<'listDayLines'>['results'][number]

const day_ms = 86_400_000

export const addDays = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * day_ms).toISOString().slice(0, 10)
