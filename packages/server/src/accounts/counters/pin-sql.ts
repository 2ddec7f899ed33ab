import type { Instant } from '../../core/clock.ts'
import type { CounterId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bytes, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'
import type { Tries } from './pin-tries.ts'
import type { NewPin, PinId } from './sealed-pin.ts'

const triesColumns = {
  pauses: whole(),
  paused_until: nullable(instant()),
  wrong_total: whole(),
  tried_at: nullable(instant()),
  day_wrong: whole(),
  day_since: nullable(instant()),
}

/**
 * Locks a counter, with the tries of its round. Every try at a counter takes this lock first and the PIN's second, so tries are
 * counted one after another on all nodes. Index: primary keys.
 */
export const lockCounterTries = scoped(
  'lock_counter_tries',
  { id: uuid<CounterId>(), name: text(), ...triesColumns },
  (scope: Scope, id: CounterId) => [scope.accountId, id],
  `
  select id, name, pauses, paused_until, wrong_total, tried_at, day_wrong, day_since
    from counters
   where account_id = $1 and id = $2 and ended_at is null
     for no key update`,
)

/** The tries of a counter's round. Read under the lock of the counter, by a statement of its own: it must see what the holder of the
 *  lock before has written. Index: primary key. */
export const triesOfCounter = scoped(
  'tries_of_counter',
  { user_id: uuid<UserId>(), wrong: whole() },
  (scope: Scope, id: CounterId) => [scope.accountId, id],
  'select user_id, wrong from pin_tries where account_id = $1 and counter_id = $2 limit 20',
)

/** Locks the PIN of a cashier: a member who may take money at a counter. Indexes: primary keys. */
export const lockPin = scoped(
  'lock_pin',
  {
    id: uuid<PinId>(),
    user_id: uuid<UserId>(),
    hash: nullable(text()),
    hash_sealed: nullable(bytes()),
    name: text(),
    email: text(),
    valid_from: instant(),
    wrong: whole(),
    ...triesColumns,
  },
  (scope: Scope, userId: string) => [scope.accountId, userId],
  `
  select p.id, p.user_id, p.hash, p.hash_sealed, u.name, coalesce(u.email, '') as email, u.valid_from, p.wrong, p.pauses,
         p.paused_until, p.wrong_total, p.tried_at, p.day_wrong, p.day_since
    from pins p
    join members m on m.account_id = p.account_id and m.user_id = p.user_id and m.request_since is null and m.role <> 'viewer'
    join users u on u.id = p.user_id and u.disabled_at is null
   where p.account_id = $1 and p.user_id = $2
     for no key update of p`,
)

export const savePinTries = scoped(
  'save_pin_tries',
  noColumns,
  (scope: Scope, userId: UserId, tries: Tries, usedAt: Instant | null) => [
    scope.accountId,
    userId,
    tries.wrong,
    tries.pauses,
    tries.pausedUntil === null ? null : at(tries.pausedUntil),
    tries.total,
    tries.triedAt === null ? null : at(tries.triedAt),
    usedAt === null ? null : at(usedAt),
    tries.dayWrong,
    tries.daySince === null ? null : at(tries.daySince),
  ],
  `
  update pins set wrong = $3, pauses = $4, paused_until = $5, wrong_total = $6, tried_at = $7, used_at = coalesce($8, used_at),
                  day_wrong = $9, day_since = $10
   where account_id = $1 and user_id = $2`,
)

export const saveCounterTries = scoped(
  'save_counter_tries',
  noColumns,
  (scope: Scope, id: CounterId, tries: Omit<Tries, 'wrong'>) => [
    scope.accountId,
    id,
    tries.pauses,
    tries.pausedUntil === null ? null : at(tries.pausedUntil),
    tries.total,
    tries.triedAt === null ? null : at(tries.triedAt),
    tries.dayWrong,
    tries.daySince === null ? null : at(tries.daySince),
  ],
  `
  update counters set pauses = $3, paused_until = $4, wrong_total = $5, tried_at = $6, day_wrong = $7, day_since = $8
   where account_id = $1 and id = $2`,
)

/** One more try for a cashier at a counter. Index: primary key. */
export const addTry = scoped(
  'add_try',
  noColumns,
  (scope: Scope, id: CounterId, userId: string) => [scope.accountId, id, userId],
  `
  insert into pin_tries (account_id, counter_id, user_id, wrong) values ($1, $2, $3, 1)
  on conflict (account_id, counter_id, user_id) do update set wrong = pin_tries.wrong + 1`,
)

/** Takes the tries of one cashier at a counter back; `userId` null: of all. Index: primary key. */
export const deleteTries = scoped(
  'delete_tries',
  { wrong: whole() },
  (scope: Scope, id: CounterId, userId: string | null) => [scope.accountId, id, userId],
  `
  delete from pin_tries
   where account_id = $1 and counter_id = $2 and ($3::uuid is null or user_id = $3)
  returning wrong`,
)

/** Takes one try back. Index: primary key. */
export const deleteOneTry = scoped(
  'delete_one_try',
  noColumns,
  (scope: Scope, id: CounterId, userId: string) => [scope.accountId, id, userId],
  `
  with one as (delete from pin_tries where account_id = $1 and counter_id = $2 and user_id = $3 and wrong = 1)
  update pin_tries set wrong = wrong - 1 where account_id = $1 and counter_id = $2 and user_id = $3 and wrong > 1`,
)

/** The cashier of a counter from now on. Index: primary key. */
export const setCashier = scoped(
  'set_cashier',
  noColumns,
  (scope: Scope, id: CounterId, userId: UserId, now: Instant) => [scope.accountId, id, userId, at(now)],
  `
  update counters set cashier_id = $3, cashier_seen_at = $4, last_seen_at = greatest(last_seen_at, $4)
   where account_id = $1 and id = $2`,
)

/** A new PIN begins without tries: its owner has just been seen by an owner of the account. Index: primary key. */
export const savePin = scoped(
  'save_pin',
  noColumns,
  (scope: Scope, userId: UserId, pin: NewPin, now: Instant) => [scope.accountId, userId, pin.id, pin.sealed, at(now)],
  `
  insert into pins (account_id, user_id, id, hash_sealed, set_at) values ($1, $2, $3, $4, $5)
  on conflict (account_id, user_id) do update
     set id = $3, hash = null, hash_sealed = $4, set_at = $5, wrong = 0, pauses = 0, paused_until = null, wrong_total = 0,
         tried_at = null, day_wrong = 0, day_since = null`,
)

export const deletePin = scoped(
  'delete_pin',
  { user_id: uuid<UserId>() },
  (scope: Scope, userId: string) => [scope.accountId, userId],
  'delete from pins where account_id = $1 and user_id = $2 returning user_id',
)

/** Index: primary key. */
export const liftPinPause = scoped(
  'lift_pin_pause',
  { user_id: uuid<UserId>() },
  (scope: Scope, userId: string) => [scope.accountId, userId],
  `
  update pins set wrong = 0, pauses = 0, paused_until = null, wrong_total = 0, day_wrong = 0, day_since = null
   where account_id = $1 and user_id = $2
  returning user_id`,
)
