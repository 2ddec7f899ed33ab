/** Providers that all accounts share: added and changed by operators. */
import type { Note } from '../../accounts/audit/audit.ts'
import { type ProviderId, randomId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import {
  insertSharedProvider,
  lockSharedProvider,
  type ProviderChanges,
  type providerColumns,
  saveSharedProvider,
} from './shared-provider-sql.ts'

export type NewProvider = {
  readonly name: string
  readonly displayName: string
  readonly themeColor: string
  readonly logoUrl: string
  readonly packages: readonly string[]
}

type Row = RowOf<typeof providerColumns>

const shownInLog = ({ id, packages, ...rest }: Row) => ({ ...rest, packages: JSON.parse(packages) as string[] })

export const addSharedProvider = async (
  db: Db,
  note: Note,
  made: NewProvider,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_exists'>> => {
  const id = randomId<ProviderId>()
  const added = await insertSharedProvider(db, { ...made, id })
  if (added.length === 0) return refuse('shared_provider_exists')
  const { name, displayName: display_name, themeColor: theme_color, logoUrl: logo_url, packages } = made
  const after = { name, display_name, theme_color, logo_url, status: 'ACTIVE', packages }
  note({ action: 'provider.create', kind: 'provider', id, accountId: null, after })
  return { id }
}

/** Logs nothing if nothing changed. */
export const changeSharedProvider = (
  db: Db,
  note: Note,
  id: ProviderId,
  changed: ProviderChanges,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_unknown'>> =>
  db.transaction(async (tx) => {
    const [before] = await lockSharedProvider(tx, id)
    if (before === undefined) return refuse('shared_provider_unknown')
    const [after] = await saveSharedProvider(tx, id, changed)
    if (JSON.stringify(before) !== JSON.stringify(after))
      note({
        action: 'provider.update',
        kind: 'provider',
        id,
        accountId: null,
        before: shownInLog(before),
        after: shownInLog(after!),
      })
    return { id }
  })
