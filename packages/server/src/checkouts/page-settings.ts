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
  /** The sites that may show the pages in a frame. */
  readonly frame_origins: string[]
}

const nothingSet: PageSettings = { shop_name: '', color: '', whatsapp: '', phone: '', frame_origins: [] }

type Stored = Omit<PageSettings, 'frame_origins'> & { readonly frame_origins: string }

const settingsOf = (row: Stored): PageSettings => ({ ...row, frame_origins: JSON.parse(row.frame_origins) as string[] })

export const pageSettingsOf = async (db: Session, accountId: AccountId): Promise<PageSettings> =>
  (await findPageSettings(db, accountId)).map(settingsOf)[0] ?? nothingSet

/** Logs nothing if nothing changed. */
export const changePageSettings = async (
  tx: Tx,
  note: Note,
  accountId: AccountId,
  changed: { readonly [name in keyof PageSettings]?: PageSettings[name] | undefined },
): Promise<PageSettings> => {
  const [before] = (await holdPageSettings(tx, accountId)).map(settingsOf)
  const [after] = (await savePageSettings(tx, accountId, changed)).map(settingsOf)
  if (JSON.stringify(before) !== JSON.stringify(after))
    note({ action: 'account.checkout_page', kind: 'account', id: accountId, accountId, before: before!, after: after! })
  return after!
}
