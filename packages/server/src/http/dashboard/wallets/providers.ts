/**
 * `/providers/`: providers of wallets. Every account sees the operator's providers; an account adds and changes its
 * own.
 */

import { isDeepStrictEqual } from 'node:util'
import {
  changeProvider as changeProviderCall,
  createProvider as createProviderCall,
  type DashboardProvider,
  listProviders,
  showProvider,
} from '@sanad/contract/dashboard/wallets/providers'
import { authorityOf } from '../../../alerts/templates/provider-senders.ts'
import type { ProviderId } from '../../../core/ids.ts'
import { findProviderOf, providersOf } from '../../../views/wallets/providers.ts'
import type { AccountProvider, ProviderSettings } from '../../../wallets/providers/account-provider.ts'
import { changeProvider, createProvider } from '../../../wallets/providers/account-providers.ts'
import { notFound } from '../../answers.ts'
import { readNewProvider, readProviderChanges } from '../../body/dashboard/provider-body.ts'
import { providerAnswer } from '../../merchant/intent-answer.ts'
import { idIn } from '../../path-id.ts'
import { pageAnswer, readPageQuery } from '../keyset.ts'
import { providerNames } from '../provider-names.ts'
import { accepted } from '../refusals.ts'
import { bodyOf, type Call, change, type DashboardContext, type Route, route } from '../route.ts'

/** The provider that the path names, if the account may see it. */
export const providerIn = async ({ db }: DashboardContext, { request, member }: Call): Promise<AccountProvider> => {
  const provider = await findProviderOf(db, member.accountId, idIn<ProviderId>(request, 'id'))
  if (provider === undefined) throw notFound()
  return provider
}

export const providerRoutes = (deps: DashboardContext): Route[] => [
  route(listProviders, async ({ request, member }) => {
    const { after, size } = readPageQuery(request, 'text', 'uuid')
    const rows = await providersOf(deps.db, member.accountId, after, size + 1)
    return pageAnswer(rows, size, ({ place, id }) => [place, id], dashboardProvider)
  }),
  route(createProviderCall, async (call) => {
    const { member } = call
    const body = bodyOf(call, readNewProvider)
    const created = await change(deps, call, async (tx, audit) => {
      const done = accepted(await createProvider(tx, member.accountId, body))
      audit({ action: 'provider.create', kind: 'provider', id: done.id, after: providerValues(body) })
      return done
    })
    return dashboardProvider((await findProviderOf(deps.db, member.accountId, created.id))!)
  }),
  route(showProvider, async (call) => dashboardProvider(await providerIn(deps, call))),
  route(changeProviderCall, async (call) => {
    const { member } = call
    const { id } = await providerIn(deps, call)
    const changes = bodyOf(call, readProviderChanges)
    await change(deps, call, async (tx, audit) => {
      const done = accepted(await changeProvider(tx, member.accountId, id, changes, authorityOf(member.role)))
      const [before, after] = [providerValues(done.before), providerValues(done.after)]
      if (!isDeepStrictEqual(before, after)) audit({ action: 'provider.update', kind: 'provider', id, before, after })
      return done
    })
    return dashboardProvider(await providerIn(deps, call))
  }),
]

const dashboardProvider = (provider: AccountProvider): DashboardProvider => ({
  ...providerAnswer(provider),
  ...providerNames(provider),
  packages: [...provider.packages],
  shared: provider.shared,
  sender_names: [...provider.senderNames],
  active_templates: provider.activeTemplates,
  wallets: provider.wallets,
})

export const providerValues = (provider: ProviderSettings) => ({
  name: provider.name,
  display_name: provider.displayName,
  theme_color: provider.themeColor,
  logo_url: provider.logoUrl,
  provider_status: provider.status,
  packages: [...provider.packages],
  display_name_ar: provider.displayNameArabic,
  country: provider.country,
  pay_steps: provider.paySteps,
  number_lengths: provider.numberLengths,
  number_prefixes: provider.numberPrefixes,
})
