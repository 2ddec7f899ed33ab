/** Accounts as operators see them: their state and figures, but none of their data. */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import {
  type AccountsPage,
  accountOverviewById,
  accountOverviews,
  type overviewColumns,
  searchAccountOverviews,
} from './account-overview-sql.ts'

export type AccountOverview = RowOf<typeof overviewColumns>

export type AccountsQuery = {
  readonly search: string | undefined
  readonly status: 'ACTIVE' | 'SUSPENDED' | undefined
  readonly before: AccountsPage['before']
  readonly size: number
}

const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Newest first. A search for an id finds that account. */
export const listAccountOverviews = async (
  db: Session,
  now: Instant,
  query: AccountsQuery,
): Promise<{ readonly accounts: readonly AccountOverview[]; readonly more: boolean }> => {
  const { search, status, before, size } = query
  if (search !== undefined && uuidForm.test(search)) {
    const found = await accountOverviewById(db, now, search as AccountId)
    return { accounts: found.filter((account) => status === undefined || account.status === status), more: false }
  }
  const page = { before, status, limit: size + 1 }
  const rows =
    search === undefined
      ? await accountOverviews(db, now, page)
      : await searchAccountOverviews(db, now, page, likePattern(search))
  return { accounts: rows.slice(0, size), more: rows.length > size }
}

export const findAccountOverview = async (
  db: Session,
  now: Instant,
  id: AccountId,
): Promise<AccountOverview | undefined> => (await accountOverviewById(db, now, id))[0]
