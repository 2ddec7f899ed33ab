import type { UserId } from '../../core/ids.ts'
import { bytes, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The recovery codes that are stored without a key, of the next `users` users who have such codes. Index: primary key. */
export const readPlainRecoveryCodes = statement(
  'read_plain_recovery_codes',
  { user_id: uuid<UserId>(), hash: bytes() },
  (after: string, users: number) => [after, users],
  `
  select u.id as user_id, h.hash
    from (select id, recovery
            from users
           where id > $1 and exists (select from unnest(recovery) as r (hash) where length(r.hash) = 32)
           order by id limit $2) u
   cross join unnest(u.recovery) as h (hash)
   where length(h.hash) = 32
   order by u.id`,
)

/**
 * Replaces each code with its keyed form. The statement changes what the row holds when it is locked: a code that was used
 * or replaced meanwhile does not come back. Index: primary key.
 */
export const keyRecoveryCodes = statement(
  'key_recovery_codes',
  { id: uuid<UserId>() },
  (userIds: readonly UserId[], plain: readonly Buffer[], keyed: readonly Buffer[]) => [userIds, plain, keyed],
  `
  update users u
     set recovery = array(select coalesce(n.keyed, h.hash)
                            from unnest(u.recovery) with ordinality as h (hash, place)
                            left join unnest($2::bytea[], $3::bytea[]) as n (plain, keyed) on n.plain = h.hash
                           order by h.place)
   where u.id = any ($1::uuid[]) and u.recovery && $2::bytea[]
  returning u.id`,
)
