/** Reads the companies of wallets for the pages of their buyers. */
import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { type LocalizedCompany, localizedCompany } from './company.ts'
import { findCompanies } from './company-sql.ts'

export const readCompanies = async (
  db: Session,
  scope: Scope,
  ids: readonly ProviderId[],
): Promise<ReadonlyMap<ProviderId, LocalizedCompany>> => {
  const rows = ids.length === 0 ? [] : await findCompanies(db, scope, [...new Set(ids)])
  return new Map(
    rows.map((row) => {
      const paySteps = { ar: JSON.parse(row.pay_steps_ar), en: JSON.parse(row.pay_steps_en) }
      const names = { displayName: row.display_name, displayNameArabic: row.display_name_ar }
      return [row.id, localizedCompany({ key: row.key, ...names, paySteps, appLink: row.app_link })]
    }),
  )
}
