/** Providers that all accounts share: added and changed by operators. The caller opens the transaction. */
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import { type ProviderId, randomId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { settingsOf } from './provider-sql.ts'
import {
  insertSharedProvider,
  lockSharedProvider,
  type ProviderChanges,
  type providerColumns,
  type SharedSettings,
  saveSharedProvider,
} from './shared-provider-sql.ts'

export type NewProvider = Omit<SharedSettings, 'status'>

/** The fields of the audit entry. */
const auditFields = (provider: SharedSettings) => ({
  name: provider.name,
  display_name: provider.displayName,
  theme_color: provider.themeColor,
  logo_url: provider.logoUrl,
  status: provider.status,
  display_name_ar: provider.displayNameArabic,
  country: provider.country,
  packages: provider.packages,
  pay_steps: provider.paySteps,
  app_link: provider.appLink,
  number_lengths: provider.numberLengths,
  number_prefixes: provider.numberPrefixes,
})

const auditFieldsOfRow = (row: RowOf<typeof providerColumns>) =>
  auditFields({ ...settingsOf(row), appLink: row.app_link ?? '' })

export const addSharedProvider = async (
  tx: Tx,
  audit: WriteAudit,
  provider: NewProvider,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_exists'>> => {
  const id = randomId<ProviderId>()
  const added = await insertSharedProvider(tx, { ...provider, id })
  if (added.length === 0) return refuse('shared_provider_exists')
  const after = auditFields({ ...provider, status: 'ACTIVE' })
  audit({ action: 'provider.create', kind: 'provider', id, accountId: null, after })
  return { id }
}

/** Logs nothing if nothing changed. */
export const changeSharedProvider = async (
  tx: Tx,
  audit: WriteAudit,
  id: ProviderId,
  changes: ProviderChanges,
): Promise<{ readonly id: ProviderId } | Refusal<'shared_provider_unknown'>> => {
  const [before] = await lockSharedProvider(tx, id)
  if (before === undefined) return refuse('shared_provider_unknown')
  const [after] = await saveSharedProvider(tx, id, changes)
  if (JSON.stringify(before) !== JSON.stringify(after))
    audit({
      action: 'provider.update',
      kind: 'provider',
      id,
      accountId: null,
      before: auditFieldsOfRow(before),
      after: auditFieldsOfRow(after!),
    })
  return { id }
}
