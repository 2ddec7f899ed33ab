import type { AccountId } from '../../core/ids.ts'
import { text, uuid } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/** Accounts that are used in another cell, and the origin of that cell: few rows, mostly none. */
export const switchedAccounts = statement(
  'switched_accounts',
  { account_id: uuid<AccountId>(), origin: text() },
  () => [],
  `select account_id, origin from account_moves where state = 'switched'`,
)
