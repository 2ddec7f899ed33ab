import type { Instant } from '../../core/clock.ts'
import type { PasskeyId, UserId } from '../../core/ids.ts'
import { at, bool, bytes, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The passkeys of a user, the oldest first. Index: passkeys_of_user. */
export const passkeysOfUser = statement(
  'passkeys_of_user',
  {
    id: uuid<PasskeyId>(),
    name: text(),
    credential_id: bytes(),
    /** With commas. */
    transports: text(),
    synced: bool(),
    created_at: instant(),
    last_used_at: nullable(instant()),
  },
  (userId: UserId) => [userId],
  `
  select id, name, credential_id, array_to_string(transports, ',') as transports, synced, created_at, last_used_at
    from passkeys
   where user_id = $1
   order by created_at, id
   limit 100`,
)

/** A passkey by what the browser calls it, with its user. Index: passkeys_credential_id_key. */
export const findPasskey = statement(
  'find_passkey',
  {
    id: uuid<PasskeyId>(),
    user_id: uuid<UserId>(),
    email: text(),
    public_key: bytes(),
    counter: whole(),
    valid_from: instant(),
  },
  (credentialId: Buffer) => [credentialId],
  `
  select p.id, p.user_id, u.email, p.public_key, p.counter, u.valid_from
    from passkeys p
    join users u on u.id = p.user_id and u.disabled_at is null
   where p.credential_id = $1`,
)

/** A challenge that was used before gives no row: of two answers at once, on any nodes, one is right. Index: primary key. */
export const takePasskeyChallenge = statement(
  'take_passkey_challenge',
  { hash: bytes() },
  (hash: Buffer, expiresAt: Instant) => [hash, at(expiresAt)],
  'insert into passkey_challenges (hash, expires_at) values ($1, $2) on conflict do nothing returning hash',
)

/** Deletes challenges that are too old in any case. Index: passkey_challenges_over. */
export const prunePasskeyChallenges = statement(
  'prune_passkey_challenges',
  { hash: bytes() },
  (now: Instant) => [at(now)],
  `
  delete from passkey_challenges
   where hash in (select hash from passkey_challenges where expires_at < $1 limit 1000)
  returning hash`,
)

/** Stores a use. No row: the passkey was removed meanwhile, or its counter did not grow. Index: primary key. */
export const markPasskeyUsed = statement(
  'mark_passkey_used',
  { id: uuid<PasskeyId>() },
  (id: PasskeyId, counter: number, now: Instant) => [id, counter, at(now)],
  `
  update passkeys set counter = $2, last_used_at = $3
   where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
  returning id`,
)

/** Locks the user, so that the limit of passkeys and the first factor are decided one after the other. Index: primary key. */
export const lockPasskeyOwner = statement(
  'lock_passkey_owner',
  { valid_from: instant(), has_codes: bool(), has_totp: bool(), passkeys: whole() },
  (userId: UserId) => [userId],
  `
  select u.valid_from, cardinality(u.recovery) > 0 as has_codes, u.totp_since is not null as has_totp,
         (select count(*) from passkeys p where p.user_id = u.id) as passkeys
    from users u
   where u.id = $1 and u.disabled_at is null
     for update`,
)

/** No row: this authenticator is stored already, for this user or another. */
export const insertPasskey = statement(
  'insert_passkey',
  { id: uuid<PasskeyId>() },
  (passkey: {
    readonly id: PasskeyId
    readonly userId: UserId
    readonly credentialId: Buffer
    readonly publicKey: Buffer
    readonly counter: number
    readonly transports: readonly string[]
    readonly name: string
    readonly synced: boolean
    readonly now: Instant
  }) => [
    passkey.id,
    passkey.userId,
    passkey.credentialId,
    passkey.publicKey,
    passkey.counter,
    passkey.transports,
    passkey.name,
    passkey.synced,
    at(passkey.now),
  ],
  `
  insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing
  returning id`,
)

export const renamePasskeyRow = statement(
  'rename_passkey_row',
  { before: text() },
  (userId: UserId, id: string, name: string) => [userId, id, name],
  `
  with old as (select id, name from passkeys where user_id = $1 and id = $2 for update)
  update passkeys p set name = $3 from old where p.id = old.id
  returning old.name as before`,
)

export const deletePasskeyRow = statement(
  'delete_passkey_row',
  { name: text() },
  (userId: UserId, id: string) => [userId, id],
  'delete from passkeys where user_id = $1 and id = $2 returning name',
)

/** All passkeys of a user, for the owner of the address who takes the user over. Index: passkeys_of_user. */
export const deletePasskeysOf = statement(
  'delete_passkeys_of',
  { name: text() },
  (userId: UserId) => [userId],
  'delete from passkeys where user_id = $1 returning name',
)

/** The passkeys of a user who belongs to no account any more, and is no operator; and the recovery codes, if no app is set up. */
export const deletePasskeysOfLeft = statement(
  'delete_passkeys_of_left',
  { id: uuid<UserId>() },
  (userId: UserId) => [userId],
  `
  with gone as (
    delete from passkeys p
     where p.user_id = $1
       and not exists (select from members m where m.user_id = $1)
       and not exists (select from users u where u.id = $1 and u.operator)
    returning p.user_id)
  update users u
     set recovery = '{}'
    from (select distinct user_id from gone) g
   where u.id = g.user_id and u.totp_since is null
  returning u.id`,
)

/** The first passkey is a second factor: everything opened with the password alone ends. Index: primary key. */
export const beginPasskeys = statement(
  'begin_passkeys',
  { valid_from: instant() },
  (userId: UserId, now: Instant, recovery: readonly Buffer[]) => [userId, at(now), recovery],
  `
  update users set recovery = $3, valid_from = greatest($2::timestamptz, valid_from + interval '1 millisecond')
   where id = $1
  returning valid_from`,
)

/** The last passkey is gone, and no app is set up: the recovery codes go too. Index: primary key. */
export const endPasskeys = statement(
  'end_passkeys',
  { valid_from: instant() },
  (userId: UserId, now: Instant) => [userId, at(now)],
  `
  update users set recovery = '{}', valid_from = greatest($2::timestamptz, valid_from + interval '1 millisecond')
   where id = $1
  returning valid_from`,
)
