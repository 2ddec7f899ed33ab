import type { Instant } from '../../core/clock.ts'
import { largestId, type ShiftId, type UserId } from '../../core/ids.ts'
import type { DayParameters, Scope } from '../../core/scope.ts'
import { at, instant, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { type Only, type RowOf, scoped } from '../../postgres/query/statement.ts'
import type { Shift } from './shift.ts'

const shiftColumns = {
  id: uuid<ShiftId>(),
  user_id: uuid<UserId>(),
  started_at: instant(),
  latest_end: instant(),
  ended_at: nullable(instant()),
  ended_by: text(),
}
const columns = 's.id, s.user_id, s.started_at, s.latest_end, s.ended_at, s.ended_by'

export const shiftOf = (row: RowOf<typeof shiftColumns>): Shift => ({
  id: row.id,
  userId: row.user_id,
  startedAt: row.started_at,
  latestEnd: row.latest_end,
  endedAt: row.ended_at,
  endedBy: row.ended_by,
})

/** Locks a member until the transaction ends: two starts of one member come one after the other. Index: primary key. */
export const lockWorker = scoped(
  'lock_worker',
  { user_id: uuid<UserId>() },
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `select user_id from members where account_id = $1 and user_id = $2 for no key update`,
)

/** The newest shift of a member. Index: shifts_of_member. */
export const lastShift = scoped(
  'last_shift',
  shiftColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  select ${columns} from shifts s
   where s.account_id = $1 and s.user_id = $2
   order by s.started_at desc
   limit 1`,
)

/** Stores a shift. Returns no row if the member has a shift that nobody ended (index shifts_open): of two calls one wins. */
export const storeShift = scoped(
  'store_shift',
  { id: uuid<ShiftId>() },
  (scope: Scope, shift: Shift) => [scope.accountId, shift.id, shift.userId, at(shift.startedAt), at(shift.latestEnd)],
  `
  insert into shifts (account_id, id, user_id, started_at, latest_end) values ($1, $2, $3, $4, $5)
      on conflict (account_id, user_id) where ended_at is null do nothing
  returning id`,
)

/** A shift, locked until the transaction ends. Index: primary key. */
export const lockShift = scoped(
  'lock_shift',
  shiftColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `select ${columns} from shifts s where s.account_id = $1 and s.id = $2 for update`,
)

/** Ends a shift that nobody has ended. Index: primary key. */
export const setEnded = scoped(
  'set_ended',
  { id: uuid<ShiftId>() },
  (scope: Scope, id: ShiftId, endedAt: Instant, by: string) => [scope.accountId, id, at(endedAt), by.slice(0, 300)],
  `
  update shifts set ended_at = $3, ended_by = $4
   where account_id = $1 and id = $2 and ended_at is null
  returning id`,
)

/**
 * Shifts of members who have no wallet that the caller does not have; so the caller's own too. A member with all wallets has others.
 */
const ofOwnWallets = (only: Only): string =>
  only('g.wallet_id') === ''
    ? ''
    : `and exists (select from members o where o.account_id = s.account_id and o.user_id = s.user_id and o.limited)
     and not exists (select from member_wallets g
                      where g.account_id = s.account_id and g.user_id = s.user_id and not (true ${only('g.wallet_id')}))`

/** A shift of today: one that ended today or has not ended. It is shown whole, from its beginning. */
const ofToday = (day: DayParameters): string => `coalesce(s.ended_at, s.latest_end) >= ${day.since}`

const namedColumns = { ...shiftColumns, name: text(), email: text() }
/** A shift with the user whose it is. */
export type NamedShift = RowOf<typeof namedColumns>

/** A shift with its user. Indexes: primary keys. */
export const namedShift = scoped(
  'named_shift',
  namedColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) => `
  select ${columns}, u.name, coalesce(u.email, '') as email
    from shifts s
    join users u on u.id = s.user_id
   where s.account_id = $1 and s.id = $2 ${ofOwnWallets(only)} ${only.today(ofToday)}`,
)

/** A page of all shifts, newest first. Indexes: primary keys. */
export const listShifts = scoped(
  'list_shifts',
  namedColumns,
  (scope: Scope, after: string | undefined, limit: number) => [scope.accountId, after ?? largestId, limit],
  (only) => `
  select ${columns}, u.name, coalesce(u.email, '') as email
    from shifts s
    join users u on u.id = s.user_id
   where s.account_id = $1 and s.id < $2 ${ofOwnWallets(only)}
   order by s.id desc
   limit $3`,
)

/** The same of one member. Indexes: shifts_own, primary key of users. */
export const listOwnShifts = scoped(
  'list_own_shifts',
  namedColumns,
  (scope: Scope, userId: UserId, after: string | undefined, limit: number) => [
    scope.accountId,
    userId,
    after ?? largestId,
    limit,
  ],
  (only) => `
  select ${columns}, u.name, coalesce(u.email, '') as email
    from shifts s
    join users u on u.id = s.user_id
   where s.account_id = $1 and s.user_id = $2 and s.id < $3 ${only.everyWallet()} ${only.today(ofToday)}
   order by s.id desc
   limit $4`,
)
