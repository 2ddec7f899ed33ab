/**
 * Writes the providers and templates that come with this version of Sanad into the database. Existing rows stay; a newer
 * version of a template retires the previous one. It runs at every start; two nodes at once write each row once.
 */
import type { Instant } from '../../core/clock.ts'
import { nameBasedId, type ProviderId, type TemplateId } from '../../core/ids.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { noNumberRule } from '../../wallets/providers/number-rule.ts'
import { addProvider } from '../../wallets/providers/shared-provider-sql.ts'
import { insertTemplate, knownTemplates, lockShipping, retireActive } from '../publishing/template-sql.ts'
import { alertTemplatesOf, type ShippedProvider } from './shipped-provider.ts'
import { SHIPPED_PROVIDERS } from './shipped-templates.ts'
import { SHIPPED_TEST } from './shipped-test.ts'

export const shipTemplates = (
  db: Db,
  now: Instant,
  providers: readonly ShippedProvider[] = [...SHIPPED_PROVIDERS, SHIPPED_TEST],
): Promise<number> =>
  db.transaction(async (tx) => {
    await lockShipping(tx)
    let added = 0
    for (const provider of providers) added += await shipProvider(tx, provider, now)
    return added
  })

/** Ids are derived from names, so that every installation and every start finds the same rows. */
export const shippedProviderId = (name: string): ProviderId => nameBasedId<ProviderId>(`provider ${name}`)

const shipProvider = async (tx: Tx, provider: ShippedProvider, now: Instant): Promise<number> => {
  const providerId = shippedProviderId(provider.name)
  const { packages = [], numberRule = noNumberRule, ...fields } = provider
  await addProvider(tx, { ...fields, id: providerId, logoUrl: '', packages, numberRule })

  const lineageOf = (template: { readonly name: string }) => nameBasedId(`template ${provider.name} ${template.name}`)
  const templates = alertTemplatesOf(provider, providerId, (template) =>
    nameBasedId(`${lineageOf(template)} ${template.version}`),
  )
  const known = new Set<string>((await knownTemplates(tx, providerId)).map((row) => row.id))
  const missing = templates.filter((template) => !known.has(template.id))
  for (const template of missing) {
    const lineage = lineageOf(template)
    if (template.status === 'active') await retireActive(tx, lineage)
    await insertTemplate(tx, {
      ...template,
      id: template.id as TemplateId,
      accountId: null,
      lineage,
      status: template.status === 'active' ? 'active' : 'draft',
      samples: JSON.stringify(template.samples),
      counterSamples: JSON.stringify(template.counterSamples),
      now,
    })
  }
  return missing.length
}
