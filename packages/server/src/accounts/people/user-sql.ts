import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, bytes, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

// A change of credentials ends all sessions and tokens of the old ones: `valid_from` moves forward, and the user's row stays
// locked until the commit (see insert_session).
export const endOpened = `valid_from = greatest($2::timestamptz, valid_from + interval '1 millisecond')`

/** The credentials of a user. Indexes: primary key, passkeys_of_user. */
export const findCredentials = statement(
  'find_credentials',
  {
    id: uuid<UserId>(),
    email: text(),
    name: text(),
    password_hash: nullable(text()),
    totp_sealed: nullable(bytes()),
    totp_since: nullable(instant()),
    totp_step: whole(),
    recovery_left: whole(),
    valid_from: instant(),
    passkeys: whole(),
  },
  (userId: UserId) => [userId],
  `
  select id, email, name, password_hash, totp_sealed, totp_since, totp_step, cardinality(recovery) as recovery_left,
         valid_from, (select count(*) from passkeys p where p.user_id = users.id) as passkeys
    from users
   where id = $1 and disabled_at is null`,
)

export const setName = statement(
  'set_name',
  noColumns,
  (userId: UserId, name: string) => [userId, name],
  'update users set name = $2 where id = $1',
)

/** Changes nothing if the password was changed since it was checked. */
export const changePasswordRow = statement(
  'change_password_row',
  { valid_from: instant() },
  (userId: UserId, now: Instant, hash: string, old: string) => [userId, at(now), hash, old],
  `update users set password_hash = $3, ${endOpened} where id = $1 and password_hash = $4 returning valid_from`,
)

/** For a user whose address is proved; of one whose address is not, see `takeOverUserRow` (addresses/address-sql.ts). */
export const setPasswordRow = statement(
  'set_password_row',
  { valid_from: instant(), email: text() },
  (userId: UserId, now: Instant, hash: string) => [userId, at(now), hash],
  `update users set password_hash = $3, ${endOpened} where id = $1 and disabled_at is null returning valid_from, email`,
)

/**
 * Stores the secret of a second factor that is not required yet. Not if the credentials were changed since the password was
 * checked ($3): whoever knew the old ones must not lock out who has the new ones.
 */
export const beginSecondFactorRow = statement(
  'begin_second_factor_row',
  { id: uuid<UserId>() },
  (userId: UserId, sealed: Buffer, validFrom: Instant) => [userId, sealed, at(validFrom)],
  // The last used step belongs to the old secret: a code of the new one may be of the same half minute.
  'update users set totp_sealed = $2, totp_step = 0 where id = $1 and totp_since is null and valid_from = $3 returning id',
)

/**
 * Switches the second factor on, only with the secret that the code was checked against, only once for a code, and only for a
 * session of the present credentials ($6): a session that has ended may still be in the cache of a node.
 */
export const confirmSecondFactorRow = statement(
  'confirm_second_factor_row',
  { valid_from: instant() },
  (userId: UserId, now: Instant, sealed: Buffer, step: number, recovery: readonly Buffer[], validFrom: Instant) => [
    userId,
    at(now),
    sealed,
    step,
    recovery,
    at(validFrom),
  ],
  `
  update users set totp_since = $2, totp_step = $4, recovery = $5, ${endOpened}
   where id = $1 and totp_since is null and totp_sealed = $3 and totp_step < $4 and valid_from = $6
  returning valid_from`,
)

export const endSecondFactorRow = statement(
  'end_second_factor_row',
  { valid_from: instant() },
  (userId: UserId, now: Instant) => [userId, at(now)],
  `
  update users
     set totp_since = null, totp_sealed = null, ${endOpened},
         recovery = case when exists (select from passkeys p where p.user_id = users.id) then recovery else '{}' end
   where id = $1 and totp_since is not null
  returning valid_from`,
)

/** For an operator who helps a locked-out user: the app, the passkeys and the recovery codes at once. Returns the passkeys' number, and no row if
 *  there was no second factor. Sessions and tokens from before end. Indexes: primary key, passkeys_of_user. */
export const endAllFactorsRow = statement(
  'end_all_factors_row',
  { passkeys: whole() },
  (userId: UserId, now: Instant) => [userId, at(now)],
  `
  with gone as (delete from passkeys where user_id = $1 returning id)
  update users
     set totp_since = null, totp_sealed = null, recovery = '{}', ${endOpened}
   where id = $1 and (totp_since is not null or exists (select from gone))
  returning (select count(*) from gone)::int as passkeys`,
)

export const setRecoveryCodes = statement(
  'set_recovery_codes',
  { id: uuid<UserId>() },
  (userId: UserId, recovery: readonly Buffer[]) => [userId, recovery],
  `
  update users set recovery = $2
   where id = $1 and (totp_since is not null or exists (select from passkeys p where p.user_id = users.id))
  returning id`,
)

/** Also ends all sessions and tokens: see `endOpened`. */
export const disableUserRow = statement(
  'disable_user_row',
  { id: uuid<UserId>() },
  (userId: UserId, now: Instant) => [userId, at(now)],
  `update users set disabled_at = $2, ${endOpened} where id = $1 and disabled_at is null returning id`,
)

export const enableUserRow = statement(
  'enable_user_row',
  { id: uuid<UserId>() },
  (userId: UserId) => [userId],
  'update users set disabled_at = null where id = $1 and disabled_at is not null returning id',
)

/** Makes nobody an operator whose address is not proved. Index: users_email_key. */
export const setOperator = statement(
  'set_operator',
  { id: uuid<UserId>(), before: bool() },
  (email: string, operator: boolean) => [email, operator],
  `
  with old as (select id, operator from users where email = $1 and (not $2 or proved_at is not null) for update)
  update users u set operator = $2 from old where u.id = old.id
  returning u.id, old.operator as before`,
)

/** Index: users_email_key. */
export const findUserByEmail = statement(
  'find_user_by_email',
  { id: uuid<UserId>(), disabled: bool() },
  (email: string) => [email],
  'select id, disabled_at is not null as disabled from users where email = $1',
)

/**
 * The owners to email about something in an account: those who can sign in, the first `most` to join; and those who were removed since
 * it happened. Indexes: primary key of members, user_notices_owners.
 */
export const ownersOfAccount = scoped(
  'owners_of_account',
  { user_id: uuid<UserId>(), email: text(), account: text(), time_zone: text() },
  (scope: Scope, since: Instant, most: number) => [scope.accountId, at(since), most],
  `
  select u.id as user_id, u.email, a.name as account, a.time_zone
    from (select m.user_id, m.created_at as joined
            from members m
           where m.account_id = $1 and m.role = 'owner' and m.request_since is null
           union
          select n.user_id, 'infinity'
            from user_notices n
           where n.account_id = $1 and n.was_owner and n.at >= $2
             and not exists (select from members m
                              where m.account_id = $1 and m.user_id = n.user_id and m.role = 'owner'
                                and m.request_since is null)) o
    join users u on u.id = o.user_id and u.disabled_at is null
    join accounts a on a.id = $1
   order by o.joined, u.id
   limit $3`,
)
