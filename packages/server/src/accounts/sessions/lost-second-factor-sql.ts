import type { AccountId, UserId } from '../../core/ids.ts'
import { nullable, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * For a lost master key: switches off all second factors and deletes their recovery codes. Sessions stay. Returns the users
 * for whom it was on, once for each of their accounts. Reads the whole table.
 */
export const loseSecondFactors = statement(
  'lose_second_factors',
  { user_id: uuid<UserId>(), account_id: nullable(uuid<AccountId>()) },
  () => [],
  `
  with lost as (
    select id, totp_since is not null as was_on
      from users
     where totp_sealed is not null or totp_since is not null or cardinality(recovery) > 0
       for update),
  off as (
    update users u set totp_sealed = null, totp_since = null, recovery = '{}'
      from lost
     where u.id = lost.id
    returning u.id, lost.was_on)
  select off.id as user_id, m.account_id
    from off
    left join members m on m.user_id = off.id and m.request_since is null
   where off.was_on`,
)
