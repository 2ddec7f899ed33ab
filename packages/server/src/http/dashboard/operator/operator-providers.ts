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
import { newSharedProvider, sharedProviderChanges } from '../../body/dashboard/operator-body.ts'
import { providerNames } from '../provider-names.ts'
import { change, type DashboardContext, type Route, userRoute } from '../route.ts'

export const operatorProviderRoutes = (deps: DashboardContext): Route[] => [
  userRoute(listSharedProviders, async () => (await allSharedProviders(deps.db)).map(providerAnswer)),
  userRoute(createSharedProvider, async (call) => {
    const provider = newSharedProvider(call.body)
    const created = await change(deps, call, (tx, audit) => addSharedProvider(tx, audit, provider))
    return providerById(deps, created.id)
  }),
  userRoute(changeOperation, providerIn(deps), async (call, { id }) => {
    const changes = sharedProviderChanges(call.body)
    await change(deps, call, (tx, audit) => changeSharedProvider(tx, audit, id, changes))
    return providerById(deps, id)
  }),
]

/** The provider that the path names. */
const providerIn =
  ({ db }: DashboardContext) =>
  async ({ path }: { readonly path: { readonly id: ProviderId } }): Promise<Row> => {
    const provider = await findSharedProvider(db, path.id)
    if (provider === undefined) throw notFound()
    return provider
  }

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
