import type { AccountId, UserId } from '../ground/ids.ts'
import { text, uuid } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/** Somebody who may act for the account now. Index: primary keys. */
export const findMember = statement(
  'find_member',
  { user_id: uuid<UserId>(), account_id: uuid<AccountId>(), role: text() },
  (accountId: string, userId: string) => [accountId, userId],
  `
  select m.user_id, m.account_id, m.role
    from members m
    join users u on u.id = m.user_id and u.disabled_at is null
    join accounts a on a.id = m.account_id and a.status = 'ACTIVE'
   where m.account_id = $1 and m.user_id = $2`,
)
