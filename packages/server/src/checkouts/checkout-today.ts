/**
 * Which checkouts are of today, for who sees no other day (docs/decisions/0095): made today, ended today, or still open. Pure.
 */ import type { DayParameters } from '../core/scope.ts'

/** `c`: the row of a checkout. Index: primary key, from the oldest on. */
export const checkoutOfToday =
  (c: string) =>
  (day: DayParameters): string =>
    `${c}.id >= ${day.oldest} and (${c}.id >= ${day.first} or coalesce(${c}.ended_at >= ${day.since}, false)
          or (${c}.status = 'OPEN' and ${c}.expires_at > ${day.now}))`
