import type { AccountId } from '../ground/ids.ts'
import { instant, nullable, text, uuid, whole } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

export const settingsColumns = {
  id: uuid<AccountId>(),
  name: text(),
  status: text<'ACTIVE' | 'SUSPENDED'>(),
  time_zone: text(),
  monthly_intent_quota: nullable(whole()),
  created_at: instant(),
}

const settings = 'id, name, status, time_zone, monthly_intent_quota, created_at'

/** Index: primary key. */
export const findSettings = statement(
  'find_account_settings',
  settingsColumns,
  (id: AccountId) => [id],
  `select ${settings} from accounts where id = $1`,
)

/** The same, held until the end: what was before is what this change changed. */
export const holdSettings = statement(
  'hold_account_settings',
  settingsColumns,
  (id: AccountId) => [id],
  `select ${settings} from accounts where id = $1 for no key update`,
)

/** What is null stays. */
export const saveSettings = statement(
  'save_account_settings',
  settingsColumns,
  (id: AccountId, changed: { name?: string | undefined; timeZone?: string | undefined; status?: string }) => [
    id,
    changed.name ?? null,
    changed.timeZone ?? null,
    changed.status ?? null,
  ],
  `
  update accounts
     set name = coalesce($2, name), time_zone = coalesce($3, time_zone), status = coalesce($4, status)
   where id = $1
  returning ${settings}`,
)
