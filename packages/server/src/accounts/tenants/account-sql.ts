import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { at, text, uuid, whole } from '../../postgres/query/columns.ts'
import { none, statement } from '../../postgres/query/statement.ts'
import type { TestWallet } from './test-wallet.ts'

/** The account and its testing wallet, both or neither: there is none without. Its provider comes with the migrations. */
export const insertAccount = statement(
  'insert_account',
  { test_wallet: uuid() },
  (account: { id: AccountId; name: string; quota: number | null; testWallet: TestWallet; now: Instant }) => [
    account.id,
    account.name,
    account.quota,
    at(account.now),
    account.testWallet.id,
    account.testWallet.providerId,
    account.testWallet.name,
    account.testWallet.accountNumber,
    account.testWallet.senderName,
  ],
  `
  with made as (
    insert into accounts (id, name, monthly_intent_quota, created_at) values ($1, $2, $3, $4)
    returning id, created_at)
  insert into wallets (id, identity, account_id, provider_id, name, account_number, sender_name, is_test, created_at)
  select $5, $5, made.id, $6, $7, $8, $9, true, made.created_at from made
  returning id as test_wallet`,
)

export const findAccount = statement(
  'find_account',
  { id: uuid<AccountId>(), name: text() },
  (id: string) => [id],
  `select id, name from accounts where id = $1`,
)

/** Whether anybody is here yet: counts at most one. */
export const countAccounts = statement(
  'count_accounts',
  { accounts: whole() },
  () => [],
  `select count(*)::int as accounts from (select from accounts limit 1) as a`,
)

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
  insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)
  on conflict (email) do nothing
  returning id`,
)

export const insertMember = statement(
  'insert_member',
  none,
  (accountId: AccountId, userId: UserId, role: string, now: Instant) => [accountId, userId, role, at(now)],
  `
  insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)`,
)

/** Sets the quota and takes what this month already saw into account. Index: primary key of intents. */
export const setQuotaRow = statement(
  'set_quota',
  { used: whole() },
  (accountId: AccountId, quota: number | null, month: string, firstIdOfMonth: string) => [
    accountId,
    quota,
    month,
    firstIdOfMonth,
  ],
  `
  with account as (
    update accounts set monthly_intent_quota = $2 where id = $1 returning id),
  seen as (
    select count(*)::int as used
      from intents i join wallets w on w.id = i.wallet_id
     where i.account_id = $1 and i.id >= $4 and not w.is_test)
  insert into quota_months (account_id, month, used)
  select account.id, $3::date, seen.used from account, seen
  on conflict (account_id, month) do update set used = excluded.used
  returning used`,
)

/** Makes sure that the month has its row. */
export const openMonth = statement(
  'open_quota_month',
  none,
  (accountId: AccountId, month: string) => [accountId, month],
  `
  insert into quota_months (account_id, month, used) values ($1, $2, 0)
  on conflict do nothing`,
)

/** Takes one from the month's quota. The row is held until the transaction ends, so two cannot take the last one. */
export const takeFromQuota = statement(
  'take_from_quota',
  { used: whole() },
  (accountId: AccountId, month: string) => [accountId, month],
  `
  update quota_months q set used = used + 1
    from accounts a
   where q.account_id = $1 and q.month = $2 and a.id = $1
     and (a.monthly_intent_quota is null or q.used < a.monthly_intent_quota)
  returning q.used`,
)
