/**
 * Which alerts are of today, for who sees no other day (docs/decisions/0095): those that came today, and money that waits for a person
 * and came shortly before midnight. Pure.
 */

import { queueStates } from '../alerts/alert-list.ts'
import type { DayParameters } from '../core/scope.ts'

const open = queueStates.map((state) => `'${state}'`).join(', ')

/** For lists and sums of what waits. `a`: the row of an alert. Any index that ends with the id, from `firstOpen` on. */
export const alertOfToday =
  (a: string) =>
  (day: DayParameters): string =>
    `${a}.id >= ${day.firstOpen} and (${a}.id >= ${day.first} or ${a}.state in (${open}))`

/**
 * For alerts that are found by their ids: also what somebody did today with an earlier one, so that it can be undone. Indexes: primary
 * keys of intents and counter_sales.
 */
export const shownToday =
  (a: string) =>
  (day: DayParameters): string =>
    `(${a}.id >= ${day.first} or (${a}.id >= ${day.firstOpen} and ${a}.state in (${open}))
          or coalesce(${a}.dismissed_at >= ${day.since}, false)
          or exists (select from counter_sales y where y.account_id = ${a}.account_id and y.alert_id = ${a}.id and y.taken_at >= ${day.since})
          or exists (select from intents y where y.account_id = ${a}.account_id and y.id = ${a}.intent_id and y.verified_at >= ${day.since}))`
