/** What buyers see of an account on its checkout pages: read, and changed with an entry in the audit log. */
import type { Note } from '../accounts/audit/audit.ts'
import type { AccountId } from '../core/ids.ts'
import type { Session, Tx } from '../postgres/connection/database.ts'
import { findPageSettings, holdPageSettings, savePageSettings } from './page-settings-sql.ts'

export type PageSettings = {
  readonly shop_name: string
  readonly color: string
  readonly whatsapp: string
  readonly phone: string
}

const nothingSet: PageSettings = { shop_name: '', color: '', whatsapp: '', phone: '' }

export const pageSettingsOf = async (db: Session, accountId: AccountId): Promise<PageSettings> =>
  (await findPageSettings(db, accountId))[0] ?? nothingSet

/** Logs nothing if nothing changed. */
export const changePageSettings = async (
  tx: Tx,
  note: Note,
  accountId: AccountId,
  changed: { readonly [name in keyof PageSettings]?: string | undefined },
): Promise<PageSettings> => {
  const [before] = await holdPageSettings(tx, accountId)
  const [after] = await savePageSettings(tx, accountId, changed)
  if (JSON.stringify(before) !== JSON.stringify(after))
    note({ action: 'account.checkout_page', kind: 'account', id: accountId, accountId, before: before!, after: after! })
  return after!
}
