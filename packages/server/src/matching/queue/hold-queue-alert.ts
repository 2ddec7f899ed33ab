/**
 * Holds an alert for something that a member does with it: first the lock of its reference, then its row, in the order in
 * which every transaction takes them. Of two members, or a member and a new alert, the second sees what the first did, and
 * a refusal names who was first.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { holdAlert, type storedColumns } from '../reread/stored-alert-sql.ts'
import { referenceLock, sortedLocks } from '../resolve/alert-locks.ts'
import { lockKeys } from '../resolve/matching-sql.ts'
import type { ResolvingAlert } from '../resolve/resolution.ts'
import { referenceOf } from './book-sql.ts'
import { fateOfAlert, fateOfIntent } from './queue-sql.ts'

export type AlertRef = { readonly accountId: AccountId; readonly alertId: string }

export type HeldAlert = RowOf<typeof storedColumns>

/** `more`: further locks that the caller needs. */
export const holdQueueAlert = async (
  tx: Tx,
  ref: AlertRef,
  zone: Zone,
  more: readonly bigint[] = [],
): Promise<HeldAlert | Refusal<'alert_unknown' | 'alert_not_open'>> => {
  const [seen] = await referenceOf(tx, ref.accountId, ref.alertId)
  if (seen === undefined) return refuse('alert_unknown')
  const own = seen.reference_key === null ? [] : [referenceLock(ref.accountId, seen.reference_key)]
  const locks = sortedLocks([...own, ...more])
  if (locks.length > 0) await lockKeys(tx, locks)
  const [row] = await holdAlert(tx, ref.accountId, ref.alertId)
  if (row === undefined) return refuse('alert_unknown')
  // It was read again in between, and now has a reference that is not locked.
  return row.reference_key === seen.reference_key ? row : notOpen(tx, ref, zone)
}

/** The alert as it resolves an intent. */
export const resolvingAlert = (alert: HeldAlert): ResolvingAlert => ({
  accountId: alert.account_id,
  id: alert.id,
  from: alert.state,
  trusted: alert.trusted,
  chain: alert.chain,
  chainMissing: alert.chain_missing,
  phoneNew: alert.phone_new,
  similarTo: alert.similar_to,
  referenceKey: alert.reference_key,
})

const timeIn = (zone: Zone, at: Instant | null): Record<string, string> =>
  at === null ? {} : { at: zone.format(new Date(at)) }

/** Another member, or the service, was first. */
export const notOpen = async (tx: Tx, ref: AlertRef, zone: Zone): Promise<Refusal<'alert_not_open'>> => {
  const [fate] = await fateOfAlert(tx, ref.accountId, ref.alertId)
  const { state, intent_id, code, by, at, dismissed_by, dismissed_at } = fate!
  if (state === 'dismissed') return refuse('alert_not_open', { state, by: dismissed_by, ...timeIn(zone, dismissed_at) })
  return refuse('alert_not_open', {
    state,
    ...(intent_id === null ? {} : { intent: intent_id, payment: code ?? '', by: by ?? '' }),
    ...timeIn(zone, at),
  })
}

/** The intent has ended meanwhile. */
export const notPending = async (
  tx: Tx,
  accountId: AccountId,
  intent: { readonly id: string; readonly code: string; readonly status: string },
  zone: Zone,
): Promise<Refusal<'intent_not_pending'>> => {
  const [fate] = await fateOfIntent(tx, accountId, intent.id)
  return refuse('intent_not_pending', {
    status: intent.status,
    intent: intent.id,
    payment: intent.code,
    ...(fate === undefined ? {} : { by: fate.by, ...timeIn(zone, fate.at) }),
  })
}
