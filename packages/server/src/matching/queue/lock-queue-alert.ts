/**
 * Locks an alert for an action of a member: first its reference, then its row, in the same order as every other transaction.
 * If two members, or a member and a new alert, act at once, the second sees what the first did, and the refusal names the
 * first.
 */
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { AlertRef } from '../records/alert-row.ts'
import { referenceLock, sortedLocks } from '../resolve/alert-locks.ts'
import { lockKeys } from '../resolve/matching-sql.ts'
import type { ResolvingAlert } from '../resolve/resolution.ts'
import { lockAlert, type storedColumns } from '../resolve/stored-alert-sql.ts'
import { referenceOf } from './book-sql.ts'
import { fateOfAlert, fateOfIntent } from './queue-sql.ts'

export type LockedAlert = RowOf<typeof storedColumns>

/** `more`: further locks that the caller needs. */
export const lockQueueAlert = async (
  tx: Tx,
  ref: AlertRef,
  zone: Zone,
  more: readonly bigint[] = [],
): Promise<LockedAlert | Refusal<'alert_unknown' | 'alert_not_open'>> => {
  const [unlocked] = await referenceOf(tx, ref.scope, ref.alertId)
  if (unlocked === undefined) return refuse('alert_unknown')
  const own = unlocked.reference_key === null ? [] : [referenceLock(ref.scope.accountId, unlocked.reference_key)]
  const locks = sortedLocks([...own, ...more])
  if (locks.length > 0) await lockKeys(tx, locks)
  const [row] = await lockAlert(tx, ref.scope, ref.alertId)
  if (row === undefined) return refuse('alert_unknown')
  // If the alert was reread in between, it may have another reference, which is not locked: then the action is refused.
  return row.reference_key === unlocked.reference_key ? row : notOpen(tx, ref, zone)
}

/** The facts of the alert that a resolution needs. */
export const resolvingAlert = (alert: LockedAlert): ResolvingAlert => ({
  accountId: alert.account_id,
  id: alert.id,
  from: alert.state,
  trusted: alert.trusted,
  chain: alert.chain,
  chainMissing: alert.chain_missing,
  phoneNew: alert.phone_new,
  senderNew: alert.sender_new,
  deniedBy: alert.denied_by,
  similarTo: alert.similar_to,
  referenceKey: alert.reference_key,
})

export const timeIn = (zone: Zone, at: Instant | null): Record<string, string> =>
  at === null ? {} : { at: zone.format(new Date(at)) }

/** The refusal if another member, or the service, was first. */
export const notOpen = async (tx: Tx, ref: AlertRef, zone: Zone): Promise<Refusal<'alert_not_open'>> => {
  const [fate] = await fateOfAlert(tx, ref.scope, ref.alertId)
  const { state, intent_id, code, by, at, dismissed_by, dismissed_at } = fate!
  if (state === 'dismissed') return refuse('alert_not_open', { state, by: dismissed_by, ...timeIn(zone, dismissed_at) })
  // Taken as a sale, whose intent is not made yet.
  if (state === 'booked' && intent_id === null)
    return refuse('alert_not_open', { state: 'taken', by: by ?? '', ...timeIn(zone, at) })
  return refuse('alert_not_open', {
    state,
    ...(intent_id === null ? {} : { intent: intent_id, payment: code ?? '', by: by ?? '' }),
    ...timeIn(zone, at),
  })
}

/** The refusal if the intent has ended meanwhile. */
export const notPending = async (
  tx: Tx,
  scope: Scope,
  intent: { readonly id: string; readonly code: string; readonly status: string },
  zone: Zone,
): Promise<Refusal<'intent_not_pending'>> => {
  const [fate] = await fateOfIntent(tx, scope, intent.id)
  return refuse('intent_not_pending', {
    status: intent.status,
    intent: intent.id,
    payment: intent.code,
    ...(fate === undefined ? {} : { by: fate.by, ...timeIn(zone, fate.at) }),
  })
}
