import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

export const insertAccount = statement(
  'insert_account',
  noColumns,
  (account: { id: AccountId; name: string; quota: number | null; now: Instant }) => [
    account.id,
    account.name,
    account.quota,
    at(account.now),
  ],
  `insert into accounts (id, name, monthly_intent_quota, created_at) values ($1, $2, $3, $4)`,
)

export const findAccount = statement(
  'find_account',
  { id: uuid<AccountId>(), name: text() },
  (id: string) => [id],
  `select id, name from accounts where id = $1`,
)

/** 1 if there is any account, else 0. */
export const countAccounts = statement(
  'count_accounts',
  { accounts: whole() },
  () => [],
  `select count(*)::int as accounts from (select from accounts limit 1) as a`,
)

/** A user whom an operator's command creates: the operator says whose address it is, so it is proved. */
export const insertUser = statement(
  'insert_user',
  { id: uuid<UserId>() },
  (user: { id: UserId; email: string; name: string; passwordHash: string; now: Instant }) => [
    user.id,
    user.email,
    user.name,
    user.passwordHash,
    at(user.now),
  ],
  `
  insert into users (id, email, name, password_hash, created_at, proved_at) values ($1, $2, $3, $4, $5, $5)
  on conflict (email) do nothing
  returning id`,
)

/** A user who was invited. `provedAt`: null unless the link proves the address; `by`: null for an operator's command. */
export const insertInvitedUser = statement(
  'insert_invited_user',
  { id: uuid<UserId>() },
  (
    user: { id: UserId; email: string; name: string; passwordHash: string; now: Instant },
    invitation: { accountId: AccountId; by: UserId | null; provedAt: Instant | null },
  ) => [
    user.id,
    user.email,
    user.name,
    user.passwordHash,
    at(user.now),
    invitation.provedAt === null ? null : at(invitation.provedAt),
    invitation.by,
    invitation.accountId,
  ],
  `
  insert into users (id, email, name, password_hash, created_at, proved_at, invited_by, invited_to)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (email) do nothing
  returning id`,
)

/** A cashier of a counter, who has no address and no password. */
export const insertCashierUser = statement(
  'insert_cashier_user',
  noColumns,
  (user: { id: UserId; name: string; now: Instant }) => [user.id, user.name, at(user.now)],
  'insert into users (id, email, name, created_at) values ($1, null, $2, $3)',
)

export const insertMember = scoped(
  'insert_member',
  noColumns,
  (scope: Scope, userId: UserId, role: string, now: Instant) => [scope.accountId, userId, role, at(now)],
  `
  insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)`,
)

/** Index: primary key. */
export const saveQuota = scoped(
  'save_quota',
  { id: uuid<AccountId>() },
  (scope: Scope, quota: number | null) => [scope.accountId, quota],
  `update accounts set monthly_intent_quota = $2 where id = $1 returning id`,
)
