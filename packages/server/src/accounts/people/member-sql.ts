import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'
import type { GivenWallets } from './wallet-limit.ts'

const member = {
  user_id: uuid<UserId>(),
  /** Empty: a cashier without an address. */
  email: text(),
  name: text(),
  role: text(),
  /** The wallets of a limited member, as JSON; null: all. */
  wallets: nullable(jsonText()),
  created_at: instant(),
  /** Signs in at a counter with a PIN, and nowhere else. */
  counter_only: bool(),
  second_factor: bool(),
  /** Disabled for the whole service. */
  disabled: bool(),
  /** Whether the address is proved. */
  proved: bool(),
  /** Since when the membership waits for an owner; null: it gives access. */
  request_since: nullable(instant()),
  last_seen_at: nullable(instant()),
  /** When their PIN for counters was set; null: they have none. */
  pin_set_at: nullable(instant()),
  pin_paused_until: nullable(instant()),
  pin_wrong: nullable(whole()),
}
/** Of `members` as m. Index: primary key of member_wallets. */
export const walletsOfMember = `case when m.limited then array_to_json(array(select g.wallet_id from member_wallets g
            where g.account_id = m.account_id and g.user_id = m.user_id order by g.wallet_id)) end as wallets`

/** Whether cashiers of the account see today only. Index: primary key of role_limits. */
export const cashiersSeeToday = (account: string): string =>
  `exists (select from role_limits l where l.account_id = ${account} and l.role = 'cashier' and not l.sees_other_days)`

const memberSql = `
  select m.user_id, coalesce(u.email, '') as email, u.name, m.role, ${walletsOfMember}, m.created_at, u.email is null as counter_only,
         u.totp_since is not null or exists (select from passkeys p where p.user_id = u.id) as second_factor,
         u.disabled_at is not null as disabled, u.proved_at is not null as proved, m.request_since,
         greatest((select max(s.last_seen_at) from sessions s where s.user_id = m.user_id and s.account_id = $1), p.used_at)
           as last_seen_at,
         p.set_at as pin_set_at, p.paused_until as pin_paused_until, p.wrong_total as pin_wrong
    from members m
    join users u on u.id = m.user_id
    left join pins p on p.account_id = m.account_id and p.user_id = m.user_id
   where m.account_id = $1`

/** Indexes: primary key of members, sessions_of_user. */
export const membersOfAccount = scoped(
  'members_of_account',
  member,
  (scope: Scope) => [scope.accountId],
  `${memberSql}
   order by m.created_at, m.user_id
   limit 500`,
)

export const findMember = scoped(
  'find_member',
  member,
  (scope: Scope, userId: string) => [scope.accountId, userId],
  `${memberSql} and m.user_id = $2`,
)

/** Whether another cashier without an address has this name: the names on the lock screen must differ. Index: primary keys. */
export const isCashierNamed = scoped(
  'is_cashier_named',
  { taken: bool() },
  (scope: Scope, name: string, except: UserId) => [scope.accountId, name, except],
  `
  select exists (select from members m
                   join users u on u.id = m.user_id and u.email is null
                  where m.account_id = $1 and u.id <> $3 and lower(u.name) = lower($2)) as taken`,
)

/** How many owners can sign in, and how many of them have proved their address, not counting one user. Index: primary key of
 *  members. */
export const countOtherOwners = scoped(
  'count_other_owners',
  { owners: whole(), proved: whole() },
  (scope: Scope, without: UserId) => [scope.accountId, without],
  `
  select count(*)::int as owners, count(u.proved_at)::int as proved
    from members m
    join users u on u.id = m.user_id and u.disabled_at is null
   where m.account_id = $1 and m.role = 'owner' and m.user_id <> $2 and m.request_since is null`,
)

/** Every account of a user that is used here, also suspended ones, in the order in which they are locked. Index: members_of_user. */
export const membershipsOfUser = statement(
  'memberships_of_user',
  { account_id: uuid<AccountId>(), request: bool() },
  (userId: UserId) => [userId],
  `
  select account_id, request_since is not null as request
    from members
   where user_id = $1 and ${isNotMoved('account_id')}
   order by account_id`,
)

/**
 * Sets the role, and the wallets ($4; null: all) in the place of those before. The caller has locked the account. A wallet of another
 * account is refused by the foreign key. Indexes: primary keys.
 */
export const setRights = scoped(
  'set_rights',
  noColumns,
  (scope: Scope, userId: UserId, role: string, wallets: GivenWallets) => [scope.accountId, userId, role, wallets],
  `
  with changed as (
    update members set role = $3, limited = $4::uuid[] is not null
     where account_id = $1 and user_id = $2
    returning account_id, user_id),
  taken as (
    delete from member_wallets
     where account_id = $1 and user_id = $2 and not (wallet_id = any (coalesce($4::uuid[], '{}'))))
  insert into member_wallets (account_id, user_id, wallet_id)
  select c.account_id, c.user_id, g.wallet_id from changed c, unnest($4::uuid[]) as g (wallet_id)
  on conflict do nothing`,
)

export const deleteMember = scoped(
  'delete_member',
  noColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  'delete from members where account_id = $1 and user_id = $2',
)

/** A user who is a member already keeps their role and their wallets. `wallets` null: all. */
export const joinAccount = scoped(
  'join_account',
  noColumns,
  (scope: Scope, userId: UserId, role: string, wallets: GivenWallets, now: Instant) => [
    scope.accountId,
    userId,
    role,
    at(now),
    wallets,
  ],
  `
  with joined as (
    insert into members (account_id, user_id, role, created_at, limited) values ($1, $2, $3, $4, $5::uuid[] is not null)
    on conflict do nothing
    returning account_id, user_id)
  insert into member_wallets (account_id, user_id, wallet_id)
  select j.account_id, j.user_id, g.wallet_id from joined j, unnest($5::uuid[]) as g (wallet_id)`,
)

/** Every membership of a user becomes a request. Index: members_of_user. */
export const makeRequests = statement(
  'make_requests',
  { account_id: uuid<AccountId>(), role: text() },
  (userId: UserId, now: Instant) => [userId, at(now)],
  'update members set request_since = $2 where user_id = $1 and request_since is null returning account_id, role',
)

/** Of two owners who confirm at once, the second changes nothing. */
export const confirmRequestRow = scoped(
  'confirm_request_row',
  { role: text() },
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  update members set request_since = null
   where account_id = $1 and user_id = $2 and request_since is not null
  returning role`,
)

/** The oldest requests of all accounts, and whether each account has an owner who can confirm it. Index: members_requests. */
export const listRequests = statement(
  'list_requests',
  {
    account_id: uuid<AccountId>(),
    account: text(),
    email: text(),
    role: text(),
    request_since: instant(),
    owners: whole(),
  },
  (limit: number) => [limit],
  `
  select m.account_id, a.name as account, u.email, m.role, m.request_since,
         (select count(*)::int from members o
            join users w on w.id = o.user_id and w.disabled_at is null
           where o.account_id = m.account_id and o.role = 'owner' and o.request_since is null) as owners
    from members m
    join accounts a on a.id = m.account_id
    join users u on u.id = m.user_id
   where m.request_since is not null
   order by m.request_since
   limit $1`,
)
