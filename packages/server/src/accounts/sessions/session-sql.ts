import type { Instant } from '../../core/clock.ts'
import type { AccountId, SessionId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, bytes, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { cashiersSeeToday, walletsOfMember } from '../people/member-sql.ts'
import type { SessionKind } from './session.ts'

const userColumns = {
  user_id: uuid<UserId>(),
  email: text(),
  name: text(),
  operator: bool(),
  valid_from: instant(),
  account_id: nullable(uuid<AccountId>()),
  role: nullable(text()),
  /** The wallets of a limited member, as JSON; null: all. */
  wallets: nullable(jsonText()),
  /** Whether they see today only. */
  today_only: bool(),
  has_factor: bool(),
  /** Null: no rule, or no account. */
  factor_rule_since: nullable(instant()),
  factor_grace_days: nullable(whole()),
  joined_at: nullable(instant()),
}

/** Whether the user u has a second factor. Index: passkeys_of_user. */
const hasFactor = 'u.totp_since is not null or exists (select from passkeys p where p.user_id = u.id)'

/** What decides whether the user needs a second factor. Only the rule of an account that they belong to counts. */
const factorColumns = `${hasFactor} as has_factor, case when m.user_id is not null then a.factor_rule_since end as factor_rule_since,
         a.factor_grace_days, m.created_at as joined_at`

const todayOnly = `coalesce(m.role = 'cashier' and ${cashiersSeeToday('m.account_id')}, false) as today_only`

const sessionColumns = {
  ...userColumns,
  id: uuid<SessionId>(),
  created_at: instant(),
  last_seen_at: instant(),
  expires_at: instant(),
  ended_at: nullable(instant()),
}

/** Browser sessions, each with its user and their role in the account they act for. Indexes: sessions_token_hash_key, keys,
 *  passkeys_of_user. */
export const findSessions = statement(
  'find_sessions',
  { token_hash: bytes(), ...sessionColumns },
  (tokenHashes: readonly Buffer[]) => [tokenHashes],
  `
  select s.token_hash, u.id as user_id, u.email, u.name, u.operator, u.valid_from, m.account_id, m.role,
         ${walletsOfMember}, ${todayOnly}, ${factorColumns},
         s.id, s.created_at, s.last_seen_at, s.expires_at, s.ended_at
    from sessions s
    join users u on u.id = s.user_id and u.disabled_at is null
    left join accounts a on a.id = s.account_id and a.status = 'ACTIVE'
    left join members m on m.account_id = a.id and m.user_id = u.id and m.request_since is null
   where s.token_hash = any ($1::bytea[])`,
)

/** Token sessions, in the same way. Index: primary keys. */
export const findTokenSessions = statement(
  'find_token_sessions',
  sessionColumns,
  (ids: readonly string[]) => [ids],
  `
  select u.id as user_id, u.email, u.name, u.operator, u.valid_from, m.account_id, m.role,
         ${walletsOfMember}, ${todayOnly}, ${factorColumns},
         s.id, s.created_at, s.last_seen_at, s.expires_at, s.ended_at
    from sessions s
    join users u on u.id = s.user_id and u.disabled_at is null
    left join accounts a on a.id = s.account_id and a.status = 'ACTIVE'
    left join members m on m.account_id = a.id and m.user_id = u.id and m.request_since is null
   where s.id = any ($1::uuid[]) and s.kind = 'token'`,
)

export type UserInAccount = { readonly userId: string; readonly accountId: string }

/** Users, each in the account that is given with them. Index: primary keys. */
export const findUsersInAccounts = statement(
  'find_users_in_accounts',
  { ...userColumns, requested_account: uuid<AccountId>() },
  (users: readonly UserInAccount[]) => [users.map(({ userId }) => userId), users.map(({ accountId }) => accountId)],
  `
  select u.id as user_id, u.email, u.name, u.operator, u.valid_from, m.account_id, m.role,
         ${walletsOfMember}, ${todayOnly}, ${factorColumns}, n.account_id as requested_account
    from unnest($1::uuid[], $2::uuid[]) as n (user_id, account_id)
    join users u on u.id = n.user_id and u.disabled_at is null
    left join accounts a on a.id = n.account_id and a.status = 'ACTIVE'
    left join members m on m.account_id = a.id and m.user_id = u.id and m.request_since is null`,
)

/** Indexes: users_email_key, passkeys_of_user. */
export const findSigningIn = statement(
  'find_signing_in',
  {
    id: uuid<UserId>(),
    email: text(),
    password_hash: nullable(text()),
    totp_sealed: nullable(bytes()),
    totp_step: whole(),
    disabled: bool(),
    valid_from: instant(),
    has_passkey: bool(),
  },
  (email: string) => [email],
  `
  select id, email, password_hash, case when totp_since is not null then totp_sealed end as totp_sealed, totp_step,
         disabled_at is not null as disabled, valid_from,
         exists (select from passkeys p where p.user_id = users.id) as has_passkey
    from users
   where email = $1`,
)

/** A code is valid once: of two requests with the same code the second finds the step taken. */
export const takeTotpStep = statement(
  'take_totp_step',
  { id: uuid<UserId>() },
  (userId: UserId, step: number) => [userId, step],
  'update users set totp_step = $2 where id = $1 and totp_step < $2 returning id',
)

/** Removes a recovery code, in either stored form (second-factor.ts), so that it is valid once. Index: primary key. */
export const takeRecoveryCode = statement(
  'take_recovery_code',
  { left: whole() },
  (userId: UserId, keyed: Buffer, plain: Buffer) => [userId, keyed, plain],
  `
  update users set recovery = array_remove(array_remove(recovery, $2), $3)
   where id = $1 and ($2 = any (recovery) or $3 = any (recovery))
  returning cardinality(recovery) as left`,
)

/**
 * Inserts nothing if the credentials were changed since they were checked. A change of credentials locks the user's row: so
 * either it ends this session, or this statement sees the change. When the person proved that it is them: proof.ts.
 */
export const insertSession = statement(
  'insert_session',
  { id: uuid<SessionId>() },
  (session: {
    id: SessionId
    kind: SessionKind
    /** The hash of the token in a browser's cookie; null for an access token, which contains the session's id. */
    tokenHash: Buffer | null
    userId: UserId
    accountId: AccountId | null
    address: string
    agent: string
    validFrom: Instant
    now: Instant
    provedAt: Instant
    expiresAt: Instant
  }) => [
    session.id,
    session.tokenHash,
    session.userId,
    session.accountId,
    at(session.now),
    at(session.expiresAt),
    session.address,
    session.agent,
    at(session.validFrom),
    session.kind,
    at(session.provedAt),
  ],
  `
  insert into sessions (id, token_hash, user_id, account_id, created_at, last_seen_at, expires_at, address, agent, kind,
                        proved_at)
  select $1::uuid, $2::bytea, u.id, $4::uuid, $5::timestamptz, $5::timestamptz, $6::timestamptz, $7::text, $8::text,
         $10::text, $11::timestamptz
    from users u
   where u.id = $3 and u.valid_from = $9
     for share
  returning id`,
)

/** Ends all but the newest `keep` open sessions of a user and kind, so that tokens end no browser session. Index:
 *  sessions_of_user. */
export const endOldestSessions = statement(
  'end_oldest_sessions',
  noColumns,
  (userId: UserId, kind: SessionKind, keep: number, now: Instant) => [userId, kind, keep, at(now)],
  `
  update sessions set ended_at = $4
   where id in (select id from sessions
                 where id in (select id from sessions
                               where user_id = $1 and kind = $2 and ended_at is null and expires_at > $4
                               order by last_seen_at desc, created_at desc, id offset $3::int)
                 order by id for update)`,
)

/** The sessions that are not over, by the rule of session.ts. Index: sessions_of_user. */
export const openSessionsOfUser = statement(
  'open_sessions_of_user',
  {
    id: uuid<SessionId>(),
    kind: text<SessionKind>(),
    account_id: nullable(uuid<AccountId>()),
    created_at: instant(),
    last_seen_at: instant(),
    expires_at: instant(),
    address: text(),
    agent: text(),
  },
  (userId: UserId, idleSince: Instant, now: Instant) => [userId, at(idleSince), at(now)],
  `
  select s.id, s.kind, s.account_id, s.created_at, s.last_seen_at, s.expires_at, s.address, s.agent
    from sessions s
    join users u on u.id = s.user_id and s.created_at >= u.valid_from
   where s.user_id = $1 and s.ended_at is null and (s.kind = 'token' or s.last_seen_at > $2) and s.expires_at > $3
   order by s.last_seen_at desc, s.id
   limit 100`,
)

/** Ends all open sessions of a user except one, of browsers and of tokens. Index: sessions_of_user. */
export const endOtherSessionRows = statement(
  'end_other_session_rows',
  { id: uuid<SessionId>() },
  (userId: UserId, except: SessionId | null, now: Instant) => [userId, except, at(now)],
  `
  update sessions set ended_at = $3
   where user_id = $1 and ended_at is null and id is distinct from $2::uuid
  returning id`,
)

/** Ends the sessions in which a user acts for one account, except one session. Index: sessions_of_user. */
export const endSessionsForAccount = scoped(
  'end_sessions_for_account',
  noColumns,
  (scope: Scope, userId: UserId, except: SessionId | null, now: Instant) => [scope.accountId, userId, except, at(now)],
  `
  update sessions set ended_at = $4
   where user_id = $2 and account_id = $1 and ended_at is null and id is distinct from $3::uuid`,
)

export const markSessionSeen = statement(
  'mark_session_seen',
  noColumns,
  (id: SessionId, address: string, now: Instant) => [id, address, at(now)],
  'update sessions set last_seen_at = greatest(last_seen_at, $3), address = $2 where id = $1',
)

/** Ends one of the user's own sessions. */
export const endSessionRow = statement(
  'end_session_row',
  { id: uuid<SessionId>() },
  (userId: UserId, id: string, now: Instant) => [userId, id, at(now)],
  'update sessions set ended_at = $3 where user_id = $1 and id = $2 and ended_at is null returning id',
)

/** Changes the account that a session acts for; returns the previous one. */
export const actForAccount = statement(
  'act_for_account',
  { account_id: nullable(uuid<AccountId>()) },
  (id: SessionId, accountId: AccountId | null) => [id, accountId],
  `
  with old as (select id, account_id from sessions where id = $1 for update)
  update sessions s set account_id = $2 from old where s.id = old.id
  returning old.account_id`,
)

/** Browser sessions in which a user acts for no account act for this one from now on. Index: sessions_of_user. */
export const actForWhereNone = statement(
  'act_for_where_none',
  noColumns,
  (userId: UserId, scope: Scope) => [userId, scope.accountId],
  `
  update sessions set account_id = $2
   where user_id = $1 and account_id is null and ended_at is null and kind = 'browser'`,
)

/** The accounts that a user may act for, the oldest membership first. A request gives no access. Index: members_of_user. */
export const accountsOfUser = statement(
  'accounts_of_user',
  { id: uuid<AccountId>(), name: text(), role: text(), time_zone: text() },
  (userId: UserId) => [userId],
  `
  select a.id, a.name, m.role, a.time_zone
    from members m
    join accounts a on a.id = m.account_id and a.status = 'ACTIVE'
   where m.user_id = $1 and m.request_since is null
   order by m.created_at, a.id
   limit 100`,
)

/** The accounts whose owners have not confirmed the membership of a user yet. Index: members_of_user. */
export const requestsOfUser = statement(
  'requests_of_user',
  { id: uuid<AccountId>(), name: text(), role: text(), time_zone: text() },
  (userId: UserId) => [userId],
  `
  select a.id, a.name, m.role, a.time_zone
    from members m
    join accounts a on a.id = m.account_id and a.status = 'ACTIVE'
   where m.user_id = $1 and m.request_since is not null
   order by m.created_at, a.id
   limit 100`,
)

/** Deletes sessions that expired long ago. */
export const pruneSessions = statement(
  'prune_sessions',
  { id: uuid<SessionId>() },
  (before: Instant) => [at(before)],
  `
  delete from sessions where id in (select id from sessions where expires_at < $1 limit 1000)
  returning id`,
)

/** Whether signing in requires a second factor, and whether the address is proved. Indexes: primary key, passkeys_of_user. */
export const protectionOfUser = statement(
  'protection_of_user',
  { second_factor: bool(), proved: bool() },
  (userId: UserId) => [userId],
  `
  select totp_since is not null or exists (select from passkeys p where p.user_id = users.id) as second_factor,
         proved_at is not null as proved
    from users
   where id = $1`,
)

/**
 * Why a user must keep a second factor: whether they are an operator, and the name of an account of theirs that requires one; null:
 * none does. Indexes: primary key, members_of_user.
 */
export const factorRulesOfUser = statement(
  'factor_rules_of_user',
  { operator: bool(), account: nullable(text()) },
  (userId: UserId) => [userId],
  `
  select u.operator,
         (select a.name
            from members m
            join accounts a on a.id = m.account_id and a.status = 'ACTIVE' and a.factor_rule_since is not null
           where m.user_id = u.id and m.request_since is null
           order by m.created_at, a.id
           limit 1) as account
    from users u
   where u.id = $1`,
)
