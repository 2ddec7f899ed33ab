/** What an export of an account begins with: the account itself, and the users who are its members. */
import type { AccountTable } from '../../postgres/tenancy/account-tables.ts'

export const accountAndUsers: readonly AccountTable[] = [
  { name: 'accounts', rows: 'id = $1' },
  { name: 'users', rows: 'id in (select user_id from members where account_id = $1)' },
]
