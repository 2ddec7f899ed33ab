import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { at, bool, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

const member = {
  user_id: uuid<UserId>(),
  email: text(),
  name: text(),
  role: text(),
  created_at: instant(),
  second_factor: bool(),
  /** Disabled for the whole service. */
  disabled: bool(),
  last_seen_at: nullable(instant()),
}
const memberSql = `
  select m.user_id, u.email, u.name, m.role, m.created_at, u.totp_since is not null as second_factor,
         u.disabled_at is not null as disabled,
         (select max(s.last_seen_at) from sessions s where s.user_id = m.user_id and s.account_id = $1) as last_seen_at
    from members m
    join users u on u.id = m.user_id
   where m.account_id = $1`

/** Indexes: primary key of members, sessions_of_user. */
export const membersOf = statement(
  'members_of_account',
  member,
  (accountId: AccountId) => [accountId],
  `${memberSql}
   order by m.created_at, m.user_id
   limit 500`,
)

export const findMember = statement(
  'find_member',
  member,
  (accountId: AccountId, userId: string) => [accountId, userId],
  `${memberSql} and m.user_id = $2`,
)

/** How many owners can sign in, not counting one user. Index: primary key of members. */
export const countOtherOwners = statement(
  'count_other_owners',
  { owners: whole() },
  (accountId: AccountId, without: UserId) => [accountId, without],
  `
  select count(*)::int as owners
    from members m
    join users u on u.id = m.user_id and u.disabled_at is null
   where m.account_id = $1 and m.role = 'owner' and m.user_id <> $2`,
)

/** Every account of a user, also suspended ones, in the order in which they are locked. Index: members_of_user. */
export const membershipsOf = statement(
  'memberships_of_user',
  { account_id: uuid<AccountId>() },
  (userId: UserId) => [userId],
  'select account_id from members where user_id = $1 order by account_id',
)

export const setRole = statement(
  'set_role',
  noColumns,
  (accountId: AccountId, userId: UserId, role: string) => [accountId, userId, role],
  'update members set role = $3 where account_id = $1 and user_id = $2',
)

export const deleteMember = statement(
  'delete_member',
  noColumns,
  (accountId: AccountId, userId: UserId) => [accountId, userId],
  'delete from members where account_id = $1 and user_id = $2',
)

/** A user who is a member already keeps their role. */
export const joinAccount = statement(
  'join_account',
  noColumns,
  (accountId: AccountId, userId: UserId, role: string, now: Instant) => [accountId, userId, role, at(now)],
  `
  insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)
  on conflict do nothing`,
)
