import type { Instant } from '../../core/clock.ts'
import type { AccountId, CounterId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { cashiersSeeToday, walletsOfMember } from '../people/member-sql.ts'

/** The right of the owner who made a counter `c`: without it the counter is over. */
const rightOfMaker = `
    join users o on o.id = c.made_by and o.disabled_at is null and c.created_at >= o.valid_from
    join members om on om.account_id = c.account_id and om.user_id = c.made_by and om.role = 'owner'
                   and om.request_since is null`

/** The cashiers of an account: members with a PIN who may take money. A viewer's PIN, from an earlier role, does not count. */
const cashiers = `
         members m
    join pins p on p.account_id = m.account_id and p.user_id = m.user_id
    join users u on u.id = m.user_id and u.disabled_at is null`
const isCashier = `m.request_since is null and m.role <> 'viewer'`

/**
 * The counter of a cookie with its cashier. Read for every call and never cached: after a switch no node may act as the cashier
 * before. Indexes: counters_token_hash_key, primary keys.
 */
export const findCounter = statement(
  'find_counter',
  {
    id: uuid<CounterId>(),
    account_id: uuid<AccountId>(),
    account: text(),
    name: text(),
    idle_minutes: whole(),
    paused_until: nullable(instant()),
    last_seen_at: instant(),
    cashier_id: nullable(uuid<UserId>()),
    cashier_seen_at: nullable(instant()),
    cashier_name: nullable(text()),
    cashier_email: nullable(text()),
    valid_from: nullable(instant()),
    /** As in `members`: null for all. */
    wallets: nullable(jsonText()),
    /** Everybody is a cashier at a counter. */
    today_only: bool(),
  },
  (tokenHash: Buffer, unusedSince: Instant) => [tokenHash, at(unusedSince)],
  `
  select c.id, c.account_id, a.name as account, c.name, c.idle_minutes, c.paused_until, c.last_seen_at,
         w.id as cashier_id, c.cashier_seen_at, w.name as cashier_name, w.email as cashier_email, w.valid_from, w.wallets,
         ${cashiersSeeToday('c.account_id')} as today_only
    from counters c
    join accounts a on a.id = c.account_id and a.status = 'ACTIVE' ${rightOfMaker}
    left join lateral (select u.id, u.name, coalesce(u.email, '') as email, u.valid_from, ${walletsOfMember}
                         from ${cashiers}
                        where m.account_id = c.account_id and m.user_id = c.cashier_id and ${isCashier}) w on true
   where c.token_hash = $1 and c.ended_at is null and c.last_seen_at > $2`,
)

/** The names on the lock screen. An account has at most 200 members. Indexes: primary keys. */
export const cashiersOfAccount = scoped(
  'cashiers_of_account',
  { id: uuid<UserId>(), name: text(), paused_until: nullable(instant()) },
  (scope: Scope) => [scope.accountId],
  `
  select u.id, coalesce(nullif(u.name, ''), u.email, '') as name, p.paused_until
    from ${cashiers}
   where m.account_id = $1 and ${isCashier}
   order by name, u.id
   limit 500`,
)

export const insertCounter = scoped(
  'insert_counter',
  noColumns,
  (
    scope: Scope,
    counter: {
      id: CounterId
      name: string
      tokenHash: Buffer
      by: UserId
      idle_minutes: number
      address: string
      agent: string
      now: Instant
    },
  ) => [
    scope.accountId,
    counter.id,
    counter.name,
    counter.tokenHash,
    counter.by,
    counter.idle_minutes,
    counter.address,
    counter.agent,
    at(counter.now),
  ],
  // The clock of the node that changed the owner's credentials may be ahead: the counter must not look older than they are.
  `
  insert into counters (account_id, id, name, token_hash, made_by, idle_minutes, address, agent, created_at, last_seen_at)
  select $1, $2, $3, $4, u.id, $6, $7, $8, greatest($9::timestamptz, u.valid_from), $9
    from users u
   where u.id = $5`,
)

const listed = {
  id: uuid<CounterId>(),
  name: text(),
  made_by: text(),
  created_at: instant(),
  last_seen_at: instant(),
  address: text(),
  agent: text(),
  idle_minutes: whole(),
  cashier: nullable(text()),
  cashier_seen_at: nullable(instant()),
  paused_until: nullable(instant()),
  wrong_total: whole(),
}
const listedSql = `
  select c.id, c.name, coalesce(nullif(o.name, ''), o.email, '') as made_by, c.created_at, c.last_seen_at, c.address, c.agent,
         c.idle_minutes, w.name as cashier, c.cashier_seen_at, c.paused_until, c.wrong_total
    from counters c ${rightOfMaker}
    left join lateral (select coalesce(nullif(u.name, ''), u.email, '') as name
                         from ${cashiers}
                        where m.account_id = c.account_id and m.user_id = c.cashier_id and ${isCashier}) w on true
   where c.account_id = $1 and c.ended_at is null and c.last_seen_at > $2`

/** The open counters. An account has at most 50. Indexes: counters_of_account, primary keys. */
export const countersOfAccount = scoped(
  'counters_of_account',
  listed,
  (scope: Scope, unusedSince: Instant) => [scope.accountId, at(unusedSince)],
  `${listedSql}
   order by c.created_at, c.id
   limit 100`,
)

/** Indexes: primary keys. */
export const findListedCounter = scoped(
  'find_listed_counter',
  listed,
  (scope: Scope, id: string, unusedSince: Instant) => [scope.accountId, at(unusedSince), id],
  `${listedSql} and c.id = $3`,
)

export const changeCounterRow = scoped(
  'change_counter_row',
  noColumns,
  (scope: Scope, id: CounterId, name: string, idle_minutes: number) => [scope.accountId, id, name, idle_minutes],
  'update counters set name = $3, idle_minutes = $4 where account_id = $1 and id = $2',
)

/** A counter that was ended is locked too. Index: primary key. */
export const endCounterRow = scoped(
  'end_counter_row',
  { id: uuid<CounterId>(), name: text() },
  (scope: Scope, id: string, now: Instant) => [scope.accountId, id, at(now)],
  `
  update counters set ended_at = $3, cashier_id = null, cashier_seen_at = null
   where account_id = $1 and id = $2 and ended_at is null
  returning id, name`,
)

/** Ends the counters that a member made: one who is no longer an owner must not get them back with the role. Index:
 *  counters_of_account. */
export const endCountersMadeBy = scoped(
  'end_counters_made_by',
  { id: uuid<CounterId>(), name: text() },
  (scope: Scope, by: UserId, now: Instant) => [scope.accountId, by, at(now)],
  `
  update counters set ended_at = $3, cashier_id = null, cashier_seen_at = null
   where account_id = $1 and made_by = $2 and ended_at is null
  returning id, name`,
)

/** Locks the counters at which a member is the cashier. Index: counters_of_account. */
export const lockCountersOf = scoped(
  'lock_counters_of',
  noColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  'update counters set cashier_id = null, cashier_seen_at = null where account_id = $1 and cashier_id = $2',
)

/** Index: primary key. */
export const lockCounterRow = scoped(
  'lock_counter_row',
  { id: uuid<CounterId>() },
  (scope: Scope, id: CounterId) => [scope.accountId, id],
  `
  update counters set cashier_id = null, cashier_seen_at = null
   where account_id = $1 and id = $2 and cashier_id is not null
  returning id`,
)

export const markCounterSeen = scoped(
  'mark_counter_seen',
  noColumns,
  (scope: Scope, id: CounterId, address: string, now: Instant) => [scope.accountId, id, address, at(now)],
  'update counters set last_seen_at = greatest(last_seen_at, $4), address = $3 where account_id = $1 and id = $2',
)

/** A touch of the cashier; nothing if another cashier has the counter since. */
export const markCashierSeen = scoped(
  'mark_cashier_seen',
  noColumns,
  (scope: Scope, id: CounterId, userId: UserId, now: Instant) => [scope.accountId, id, userId, at(now)],
  `
  update counters set cashier_seen_at = greatest(cashier_seen_at, $4)
   where account_id = $1 and id = $2 and cashier_id = $3`,
)
