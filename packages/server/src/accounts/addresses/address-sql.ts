import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { at, bool, instant, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import type { NewLink } from '../people/link-sql.ts'
import { endOpened } from '../people/user-sql.ts'

/** Whether the address of a user is proved, and who invited them. Indexes: users_email_key, primary keys. */
export const findAddress = statement(
  'find_address',
  {
    id: uuid<UserId>(),
    proved: bool(),
    disabled: bool(),
    inviter_name: nullable(text()),
    inviter_email: nullable(text()),
    inviter_proved: bool(),
    account: nullable(text()),
  },
  (email: string) => [email],
  `
  select u.id, u.proved_at is not null as proved, u.disabled_at is not null as disabled,
         i.name as inviter_name, i.email as inviter_email,
         i.proved_at is not null as inviter_proved, a.name as account
    from users u
    left join users i on i.id = u.invited_by
    left join accounts a on a.id = u.invited_to
   where u.email = $1`,
)

/** Index: primary key. */
export const isAddressProved = statement(
  'is_address_proved',
  { proved: bool() },
  (userId: UserId) => [userId],
  'select proved_at is not null as proved from users where id = $1',
)

/**
 * Sets the password of a user whose address was not proved until now. Everything that was set up before goes: the second factor,
 * its recovery codes, the rights of an operator, and by `endOpened` every session and token. No row: the address is proved
 * already. The row stays locked until the commit: who signs in, joins an account or sets up a second factor at the same time
 * waits, and then finds other credentials. Index: primary key.
 */
export const takeOverUserRow = statement(
  'take_over_user_row',
  { valid_from: instant(), email: text() },
  (userId: UserId, now: Instant, hash: string) => [userId, at(now), hash],
  `
  update users
     set password_hash = $3, proved_at = $2, operator = false,
         totp_since = null, totp_sealed = null, recovery = '{}', ${endOpened}
   where id = $1 and disabled_at is null and proved_at is null
  returning valid_from, email`,
)

/** For a user whose session has the present credentials ($3), while they hold a link that proves the address. Index: primary
 *  key. */
export const proveAddressRow = statement(
  'prove_address_row',
  { email: text() },
  (userId: UserId, now: Instant, validFrom: Instant) => [userId, at(now), at(validFrom)],
  `
  update users set proved_at = $2
   where id = $1 and proved_at is null and disabled_at is null and valid_from = $3
  returning email`,
)

/** By an operator's command. Index: users_email_key. */
export const proveAddressByCommandRow = statement(
  'prove_address_by_command_row',
  { id: uuid<UserId>() },
  (email: string, now: Instant) => [email, at(now)],
  'update users set proved_at = $2 where email = $1 and proved_at is null and disabled_at is null returning id',
)

/**
 * Locks a user whose session has the present credentials. A change of credentials waits for the end of the transaction, or was
 * first: then there is no row. Index: primary key.
 */
export const holdCredentials = statement(
  'hold_credentials',
  { id: uuid<UserId>() },
  (userId: UserId, validFrom: Instant) => [userId, at(validFrom)],
  'select id from users where id = $1 and valid_from = $2 and disabled_at is null for no key update',
)

/** A link that proves the address of a user, if fewer than `most` are open. Indexes: primary key, user_links_to_prove. */
export const insertProofLink = statement(
  'insert_proof_link',
  { email: text() },
  (link: NewLink, userId: UserId, most: number) => [
    link.tokenHash,
    link.id,
    at(link.now),
    at(link.expiresAt),
    userId,
    most,
  ],
  `
  insert into user_links (token_hash, purpose, email, user_id, id, created_at, expires_at)
  select $1, 'prove', u.email, u.id, $2, $3, $4
    from users u
   where u.id = $5 and u.disabled_at is null and u.email is not null
     and $6 > (select count(*) from user_links l
                where l.user_id = u.id and l.purpose = 'prove' and l.used_at is null and l.expires_at > $3)
  returning email`,
)

/** The user of an open link. Index: primary key. */
export const findProofLink = statement(
  'find_proof_link',
  { user_id: uuid<UserId>() },
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `
  select user_id from user_links
   where token_hash = $1 and purpose = 'prove' and used_at is null and expires_at > $2`,
)

/** Of two requests with one link, the second finds it used. */
export const takeProofLink = statement(
  'take_proof_link',
  { user_id: uuid<UserId>() },
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `
  update user_links set used_at = $2
   where token_hash = $1 and purpose = 'prove' and used_at is null and expires_at > $2
  returning user_id`,
)
