/**
 * The counters of an account: an owner makes the browser in front of them one, renames it, lifts a pause, ends it. Under the lock of
 * the account the right of the owner is checked again. The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { type CounterId, newSecret, randomId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { findMember } from '../people/member-sql.ts'
import { type MemberRole, mayDo } from '../people/permission.ts'
import type { ClientInfo } from '../people/signed-in-user.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { counterIdleLife_ms, mostCounters } from './counter.ts'
import {
  changeCounterRow,
  countersOfAccount,
  endCounterRow,
  findListedCounter,
  insertCounter,
  lockCountersOf,
} from './counter-sql.ts'
import { deletePin, deleteTries, lockCounterTries, saveCounterTries } from './pin-sql.ts'

export type ListedCounter = RowOf<(typeof countersOfAccount)['columns']>

export const listCounters = (db: Session, scope: Scope, now: Instant): Promise<ListedCounter[]> =>
  countersOfAccount(db, scope, now - counterIdleLife_ms)

export const findCounterOf = async (
  db: Session,
  scope: Scope,
  id: string,
  now: Instant,
): Promise<ListedCounter | Refusal<'counter_unknown'>> =>
  (await findListedCounter(db, scope, id, now - counterIdleLife_ms))[0] ?? refuse('counter_unknown')

/** The token goes into the cookie of the browser; only its hash is stored. */
export const openCounter = async (
  tx: Tx,
  scope: Scope,
  wanted: { readonly name: string; readonly idle_minutes: number },
  by: UserId,
  from: ClientInfo,
  now: Instant,
): Promise<
  { readonly counter: ListedCounter; readonly token: string } | Refusal<'no_longer_allowed' | 'counter_limit'>
> => {
  await lockAccount(tx, scope)
  const [owner] = await findMember(tx, scope, by)
  if (owner === undefined || owner.disabled || owner.request_since !== null) return refuse('no_longer_allowed')
  if (!mayDo(owner.role as MemberRole, 'members.write')) return refuse('no_longer_allowed')
  if ((await listCounters(tx, scope, now)).length >= mostCounters) return refuse('counter_limit')
  const id = randomId<CounterId>()
  const token = newSecret()
  await insertCounter(tx, scope, { ...wanted, ...from, id, tokenHash: fingerprint(token), by, now })
  const [counter] = await findListedCounter(tx, scope, id, now - counterIdleLife_ms)
  // A change of credentials of this moment has ended the session that asked for it.
  return counter === undefined ? refuse('no_longer_allowed') : { counter, token }
}

export const changeCounter = async (
  tx: Tx,
  scope: Scope,
  id: string,
  wanted: { readonly name?: string | undefined; readonly idle_minutes?: number | undefined },
  now: Instant,
): Promise<{ readonly before: ListedCounter; readonly after: ListedCounter } | Refusal<'counter_unknown'>> => {
  await lockAccount(tx, scope)
  const before = await findCounterOf(tx, scope, id, now)
  if ('refused' in before) return before
  const { name = before.name, idle_minutes = before.idle_minutes } = wanted
  await changeCounterRow(tx, scope, before.id, name, idle_minutes)
  return { before, after: { ...before, name, idle_minutes } }
}

export const endCounter = async (
  tx: Tx,
  scope: Scope,
  id: string,
  now: Instant,
): Promise<{ readonly id: CounterId; readonly name: string } | Refusal<'counter_unknown'>> =>
  (await endCounterRow(tx, scope, id, now))[0] ?? refuse('counter_unknown')

/** Ends the pause of a counter: an owner says that it was no guessing. */
export const liftCounterPause = async (
  tx: Tx,
  scope: Scope,
  id: CounterId,
): Promise<{ readonly name: string } | Refusal<'counter_unknown'>> => {
  const [row] = await lockCounterTries(tx, scope, id)
  if (row === undefined) return refuse('counter_unknown')
  await deleteTries(tx, scope, id, null)
  await saveCounterTries(tx, scope, id, {
    pauses: 0,
    pausedUntil: null,
    total: 0,
    triedAt: row.tried_at,
    dayWrong: 0,
    daySince: null,
  })
  return { name: row.name }
}

/** The member can no longer sign in at a counter, and is signed out where they are. */
export const takePinAway = async (tx: Tx, scope: Scope, userId: UserId): Promise<boolean> => {
  await lockCountersOf(tx, scope, userId)
  return (await deletePin(tx, scope, userId)).length > 0
}
