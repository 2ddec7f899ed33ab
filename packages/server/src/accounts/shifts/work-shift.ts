/**
 * Starts and ends shifts. A member has at most one open shift, and the shifts of a member do not overlap. A shift that nobody ended
 * is over at its latest end on every node, without a job: the next start only writes that down.
 */
import type { Instant } from '../../core/clock.ts'
import { type ShiftId, timeOrderedId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { endNow, endOf, isOpen, type Shift, startNow } from './shift.ts'
import { lastShift, lockShift, lockWorker, setEnded, shiftOf, storeShift } from './shift-sql.ts'

export const startShift = async (
  tx: Tx,
  scope: Scope,
  userId: UserId,
  now: Instant,
): Promise<Shift | Refusal<'shift_open'>> => {
  await lockWorker(tx, scope, userId)
  const [row] = await lastShift(tx, scope, userId)
  const last = row === undefined ? undefined : shiftOf(row)
  if (last !== undefined && isOpen(last, now)) return refuse('shift_open', { shift: last.id })
  if (last?.endedAt === null) await setEnded(tx, scope, last.id, endOf(last), '')
  const times = startNow(last, now)
  const shift = { id: timeOrderedId<ShiftId>(times.startedAt), userId, ...times, endedAt: null, endedBy: '' }
  const stored = await storeShift(tx, scope, shift)
  return stored.length === 1 ? shift : refuse('shift_open')
}

/** `only`: the member whose shift it must be; undefined: anyone's. */
export const endShift = async (
  tx: Tx,
  scope: Scope,
  request: { readonly id: string; readonly by: string; readonly only: UserId | undefined },
  now: Instant,
): Promise<Shift | Refusal<'shift_unknown' | 'shift_over'>> => {
  const [row] = await lockShift(tx, scope, request.id)
  if (row === undefined || (request.only !== undefined && row.user_id !== request.only)) return refuse('shift_unknown')
  const shift = shiftOf(row)
  if (!isOpen(shift, now)) return refuse('shift_over', shift.endedBy === '' ? {} : { by: shift.endedBy })
  const ended = { ...shift, endedAt: endNow(shift, now), endedBy: request.by }
  await setEnded(tx, scope, shift.id, ended.endedAt, request.by)
  return ended
}
