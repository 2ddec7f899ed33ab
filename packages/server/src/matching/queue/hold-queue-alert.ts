/**
 * An alert that a person wants to do something with: its reference locked, its row held, in the order in which everyone
 * takes them. So of two people, or a person and a message, one is second and sees what the first did. Refusals say plainly
 * who was first.
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

export type HeldAlert = RowOf<typeof storedColumns>

/** `more`: further locks of what is to be done with it. */
export const holdQueueAlert = async (
  tx: Tx,
  asked: { readonly accountId: AccountId; readonly alertId: string },
  zone: Zone,
  more: readonly bigint[] = [],
): Promise<HeldAlert | Refusal<'alert_unknown' | 'alert_not_open'>> => {
  const [seen] = await referenceOf(tx, asked.accountId, asked.alertId)
  if (seen === undefined) return refuse('alert_unknown')
  const own = seen.reference_key === null ? [] : [referenceLock(asked.accountId, seen.reference_key)]
  const locks = sortedLocks([...own, ...more])
  if (locks.length > 0) await lockKeys(tx, locks)
  const [row] = await holdAlert(tx, asked.accountId, asked.alertId)
  if (row === undefined) return refuse('alert_unknown')
  // It was read anew in between, and stands under a reference that nobody locked.
  return row.reference_key === seen.reference_key ? row : notOpen(tx, asked, zone)
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
})

const timeIn = (zone: Zone, at: Instant | null): Record<string, string> =>
  at === null ? {} : { at: zone.format(new Date(at)) }

/** Somebody was first. */
export const notOpen = async (
  tx: Tx,
  asked: { readonly accountId: AccountId; readonly alertId: string },
  zone: Zone,
): Promise<Refusal<'alert_not_open'>> => {
  const [fate] = await fateOfAlert(tx, asked.accountId, asked.alertId)
  const { state, intent_id, code, by, at, dismissed_by, dismissed_at } = fate!
  if (state === 'dismissed') return refuse('alert_not_open', { state, by: dismissed_by, ...timeIn(zone, dismissed_at) })
  return refuse('alert_not_open', {
    state,
    ...(intent_id === null ? {} : { intent: intent_id, payment: code ?? '', by: by ?? '' }),
    ...timeIn(zone, at),
  })
}

/** The intent ended before us. */
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
