/** The settings of an account's checkout pages: read, and changed with an entry in the audit log. */
import type { WriteAudit } from '../accounts/audit/audit.ts'
import type { Scope } from '../core/scope.ts'
import type { Session, Tx } from '../postgres/connection/database.ts'
import { findPageSettings, lockPageSettings, savePageSettings } from './page-settings-sql.ts'

export type PageSettings = {
  readonly shop_name: string
  readonly color: string
  readonly whatsapp: string
  readonly phone: string
  /** The sites that may show the pages in a frame. */
  readonly frame_origins: string[]
}

const emptySettings: PageSettings = { shop_name: '', color: '', whatsapp: '', phone: '', frame_origins: [] }

type SettingsRow = Omit<PageSettings, 'frame_origins'> & { readonly frame_origins: string }

const settingsOf = (row: SettingsRow): PageSettings => ({
  ...row,
  frame_origins: JSON.parse(row.frame_origins) as string[],
})

export const pageSettingsOf = async (db: Session, scope: Scope): Promise<PageSettings> =>
  (await findPageSettings(db, scope)).map(settingsOf)[0] ?? emptySettings

/** Writes no audit entry if nothing changed. */
export const changePageSettings = async (
  tx: Tx,
  audit: WriteAudit,
  scope: Scope,
  changes: { readonly [name in keyof PageSettings]?: PageSettings[name] | undefined },
): Promise<PageSettings> => {
  const [before] = (await lockPageSettings(tx, scope)).map(settingsOf)
  const [after] = (await savePageSettings(tx, scope, changes)).map(settingsOf)
  if (JSON.stringify(before) !== JSON.stringify(after))
    audit({
      action: 'account.checkout_page',
      kind: 'account',
      id: scope.accountId,
      accountId: scope.accountId,
      before: before!,
      after: after!,
    })
  return after!
}
