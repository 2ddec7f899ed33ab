import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

export type ErasureState = 'asked' | 'waiting' | 'erasing' | 'checking' | 'done'

const columns = {
  id: uuid<AccountId>(),
  state: text<ErasureState>(),
  asked_at: instant(),
  due_at: instant(),
  erased_at: nullable(instant()),
  position: whole(),
  last_id: text(),
  row_counts: jsonText(),
}
const row = `e.id, e.state, e.asked_at, e.due_at, e.erased_at, e.position, e.last_id::text as last_id, e.row_counts`

/** Locked until the transaction ends. Index: primary key. */
export const lockErasure = statement(
  'lock_erasure',
  columns,
  (id: AccountId) => [id],
  `select ${row} from account_erasures e where e.id = $1 for update`,
)

/** What is being erased, waits for it, or was. Few rows. */
export const listErasures = statement(
  'list_erasures',
  columns,
  (most: number) => [most],
  `select ${row} from account_erasures e order by e.asked_at desc, e.id limit $1`,
)

/** Index: primary key. */
export const askErasure = statement(
  'ask_erasure',
  noColumns,
  (id: AccountId, now: Instant) => [id, at(now)],
  `
  insert into account_erasures (id, state, asked_at, due_at) values ($1, 'asked', $2, $2)
  on conflict (id) do update set asked_at = excluded.asked_at, due_at = excluded.due_at where account_erasures.state = 'asked'`,
)

/** The caller has locked the row. Index: primary key. */
export const confirmErasure = statement(
  'confirm_erasure',
  noColumns,
  (id: AccountId, now: Instant, dueAt: Instant) => [id, at(now), at(dueAt)],
  `update account_erasures set state = 'waiting', confirmed_at = $2, due_at = $3 where id = $1 and state = 'asked'`,
)

/** Before it has begun. Index: primary key. */
export const cancelErasure = statement(
  'cancel_erasure',
  { id: uuid<AccountId>() },
  (id: AccountId) => [id],
  `delete from account_erasures where id = $1 and state in ('asked', 'waiting') returning id`,
)

/** In the transaction that began it, or when an account that lives on elsewhere is gone from here. Index: primary key. */
export const forgetErasure = statement(
  'forget_erasure',
  noColumns,
  (id: AccountId) => [id],
  'delete from account_erasures where id = $1',
)

/** The erasure that is due first, locked until the transaction ends; those that another node works on are left out. Index:
 *  account_erasures_due. */
export const lockDueErasure = statement(
  'lock_due_erasure',
  columns,
  (now: Instant) => [at(now)],
  `
  select ${row}
    from account_erasures e
   where e.state not in ('asked', 'done') and e.due_at <= $1
   order by e.due_at
   limit 1
     for update skip locked`,
)

/** Index: primary key. */
export const saveErasure = statement(
  'save_erasure',
  noColumns,
  (
    id: AccountId,
    saved: {
      readonly state: ErasureState
      readonly dueAt: Instant
      readonly erasedAt: Instant | null
      readonly position: number
      readonly lastId: string
      readonly rowCounts: string
    },
  ) => [
    id,
    saved.state,
    at(saved.dueAt),
    saved.erasedAt === null ? null : at(saved.erasedAt),
    saved.position,
    saved.lastId,
    saved.rowCounts,
  ],
  `
  update account_erasures
     set state = $2, due_at = $3, erased_at = $4, position = $5, last_id = $6::uuid, row_counts = $7::json
   where id = $1`,
)

/** Lets this transaction delete the audit log of an account that is being erased (audit_log_stays). */
export const allowErasing = statement(
  'allow_erasing',
  { allowed: text() },
  (id: AccountId) => [id],
  `select set_config('sanad.erases', $1::text, true) as allowed`,
)

/** Members, and users who were invited to the account and belong to none, at most so many. `only`: they belong to no other account and
 *  host nothing. */
export const usersToErase = scoped(
  'users_to_erase',
  { id: uuid<UserId>(), only: bool() },
  (scope: Scope, most: number) => [scope.accountId, most],
  `
  select u.id, not u.operator and not exists (select from members o where o.user_id = u.id and o.account_id <> $1) as only
    from users u
   where exists (select from members m where m.account_id = $1 and m.user_id = u.id) or u.invited_to = $1
   order by u.id
   limit $2`,
)

/** Index: primary key. */
export const leaveAccount = scoped(
  'leave_account',
  noColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  with left_account as (delete from members where account_id = $1 and user_id = $2)
  update users set invited_to = null where id = $2 and invited_to = $1`,
)

/** Everything that is a user's own. Index: their indexes by user. */
export const eraseOfUser = {
  passkeys: statement(
    'erase_of_user_passkeys',
    noColumns,
    (id: UserId) => [id],
    'delete from passkeys where user_id = $1',
  ),
  sessions: statement(
    'erase_of_user_sessions',
    noColumns,
    (id: UserId) => [id],
    'delete from sessions where user_id = $1',
  ),
  browsers: statement(
    'erase_of_user_browsers',
    noColumns,
    (id: UserId) => [id],
    'delete from known_browsers where user_id = $1',
  ),
  links: statement('erase_of_user_links', noColumns, (id: UserId) => [id], 'delete from user_links where user_id = $1'),
  notices: statement(
    'erase_of_user_notices',
    noColumns,
    (id: UserId) => [id],
    'delete from user_notices where user_id = $1',
  ),
  failures: statement(
    'erase_of_user_failures',
    noColumns,
    (id: UserId) => [id],
    'delete from sign_in_failures where user_key = $1',
  ),
} as const

export const eraseUser = statement(
  'erase_user',
  noColumns,
  (id: UserId) => [id],
  `with heir as (update users set invited_by = null where invited_by = $1)
   delete from users where id = $1`,
)

/** Another account's records still name the user by id: the row stays and names nobody. Index: primary key. */
export const emptyUser = statement(
  'empty_user',
  noColumns,
  (id: UserId, now: Instant) => [id, at(now)],
  `
  update users
     set email = null, name = '', password_hash = null, totp_sealed = null, totp_since = null, recovery = '{}',
         disabled_at = coalesce(disabled_at, $2), proved_at = null, invited_by = null
   where id = $1`,
)

/** Index: primary key. */
export const eraseAccountRow = statement(
  'erase_account_row',
  { id: uuid<AccountId>() },
  (id: AccountId) => [id],
  `delete from accounts where id = $1 returning id`,
)

/** Index: primary key. */
export const stopAccount = statement(
  'stop_account',
  noColumns,
  (id: AccountId, now: Instant) => [id, at(now)],
  `update accounts set status = 'SUSPENDED', suspended_at = coalesce(suspended_at, $2) where id = $1`,
)
