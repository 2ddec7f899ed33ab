/** Providers that all accounts share: added and changed by operators. The caller opens the transaction. */
import type { Note } from '../../accounts/audit/audit.ts'
import { type ProviderId, randomId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { ProviderSettings } from './account-provider.ts'
import {
  insertSharedProvider,
  lockSharedProvider,
  type ProviderChanges,
  type providerColumns,
  saveSharedProvider,
} from './shared-provider-sql.ts'

/** `appLink`: opens its app on the buyer's phone; empty: none. */
export type NewProvider = Omit<ProviderSettings, 'status'> & { readonly appLink: string }

type Row = RowOf<typeof providerColumns>

const listOf = (json: string): string[] => JSON.parse(json) as string[]

const shownInLog = ({ id, packages, pay_steps_ar, pay_steps_en, app_link, ...rest }: Row) => ({
  ...rest,
  packages: listOf(packages),
  pay_steps: { ar: listOf(pay_steps_ar), en: listOf(pay_steps_en) },
  app_link: app_link ?? '',
})

export const addSharedProvider = async (
  tx: Tx,
  note: Note,
  made: NewProvider,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_exists'>> => {
  const id = randomId<ProviderId>()
  const added = await insertSharedProvider(tx, { ...made, id })
  if (added.length === 0) return refuse('shared_provider_exists')
  const after = {
    name: made.name,
    display_name: made.displayName,
    theme_color: made.themeColor,
    logo_url: made.logoUrl,
    status: 'ACTIVE',
    display_name_ar: made.displayNameArabic,
    country: made.country,
    packages: made.packages,
    pay_steps: made.paySteps,
    app_link: made.appLink,
  }
  note({ action: 'provider.create', kind: 'provider', id, accountId: null, after })
  return { id }
}

/** Logs nothing if nothing changed. */
export const changeSharedProvider = async (
  tx: Tx,
  note: Note,
  id: ProviderId,
  changed: ProviderChanges,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_unknown'>> => {
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
}
