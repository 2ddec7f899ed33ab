/** `/operator/providers/`: the providers that all accounts share. */

import {
  changeSharedProvider as changeOperation,
  createSharedProvider,
  listSharedProviders,
  type SharedProvider,
} from '@sanad/contract/dashboard/operator/shared-providers'
import type { ProviderId } from '../../../core/ids.ts'
import { allSharedProviders, findSharedProvider } from '../../../views/wallets/providers.ts'
import { addSharedProvider, changeSharedProvider } from '../../../wallets/providers/shared-providers.ts'
import { notFound } from '../../answers.ts'
import { readNewProvider, readProviderChanges } from '../../body/dashboard/operator-body.ts'
import { idIn } from '../../path-id.ts'
import { providerNames } from '../provider-names.ts'
import { bodyOf, change, type DashboardContext, type Route, userRoute } from '../route.ts'

export const operatorProviderRoutes = (deps: DashboardContext): Route[] => [
  userRoute(listSharedProviders, async () => (await allSharedProviders(deps.db)).map(providerAnswer)),
  userRoute(createSharedProvider, async (call) => {
    const body = bodyOf(call, readNewProvider)
    const created = await change(deps, call, (tx, audit) => addSharedProvider(tx, audit, body))
    return providerById(deps, created.id)
  }),
  userRoute(changeOperation, async (call) => {
    const id = idIn<ProviderId>(call.request, 'id')
    if ((await findSharedProvider(deps.db, id)) === undefined) throw notFound()
    const sent = bodyOf(call, readProviderChanges)
    await change(deps, call, (tx, audit) => changeSharedProvider(tx, audit, id, sent))
    return providerById(deps, id)
  }),
]

const providerById = async ({ db }: DashboardContext, id: ProviderId): Promise<SharedProvider> =>
  providerAnswer((await findSharedProvider(db, id))!)

type Row = Awaited<ReturnType<typeof allSharedProviders>>[number]

const providerAnswer = (row: Row): SharedProvider => ({
  id: row.id,
  name: row.name,
  display_name: row.display_name,
  theme_color: row.theme_color,
  logo_url: row.logo_url,
  provider_status: row.status,
  packages: JSON.parse(row.packages) as string[],
  ...providerNames({
    displayName: row.display_name,
    displayNameArabic: row.display_name_ar,
    country: row.country,
    paySteps: { ar: JSON.parse(row.pay_steps_ar) as string[], en: JSON.parse(row.pay_steps_en) as string[] },
    numberLengths: JSON.parse(row.number_lengths) as number[],
    numberPrefixes: JSON.parse(row.number_prefixes) as string[],
  }),
  app_link: row.app_link ?? '',
  wallets: row.wallets,
  active_templates: row.active_templates,
})
