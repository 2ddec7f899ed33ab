/**
 * Which intents are of today, for who sees no other day (docs/decisions/0095): made today, paid today, or without money and with a
 * window that reached into today. The same rule for an intent that was read, and as a condition of a statement. Pure.
 */
import type { DayParameters, Scope } from '../core/scope.ts'
import type { Intent } from './intent.ts'

type Known = Pick<Intent, 'createdAt' | 'expiresAt' | 'verifiedAt' | 'status' | 'matched'>

const hasMoney = ({ status }: Pick<Intent, 'status'>): boolean => status === 'VERIFIED' || status === 'WRONG_AMOUNT'

export const isOfDay = ({ today }: Pick<Scope, 'today'>, intent: Known): boolean =>
  today === null ||
  intent.createdAt >= today.since ||
  (intent.createdAt >= today.oldest &&
    ((intent.verifiedAt ?? 0) >= today.since ||
      (intent.matched?.receivedAt ?? 0) >= today.since ||
      (!hasMoney(intent) && intent.expiresAt >= today.since)))

/** `i`: the row of an intent. Index: primary key, from the oldest on. */
export const intentOfToday =
  (i: string) =>
  (day: DayParameters): string =>
    `${i}.id >= ${day.oldest} and (${i}.id >= ${day.first} or coalesce(${i}.verified_at >= ${day.since}, false)
          or coalesce(${i}.alert_id >= ${day.first}, false)
          or (${i}.status not in ('VERIFIED', 'WRONG_AMOUNT') and ${i}.expires_at >= ${day.since}))`
