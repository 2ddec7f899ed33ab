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
import { authorityOf } from '../../../alerts/approvals/provider-senders.ts'
import { findProviderOf, providersOf } from '../../../views/wallets/providers.ts'
import type { AccountProvider, ProviderSettings } from '../../../wallets/providers/account-provider.ts'
import { changeProvider, createProvider } from '../../../wallets/providers/account-providers.ts'
import { notFound } from '../../answers.ts'
import { newProvider, providerChanges } from '../../body/dashboard/provider-body.ts'
import { providerAnswer } from '../../merchant/intent-answer.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { providerNames } from '../provider-names.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { providerNotice } from './trust-notice.ts'

/** The provider that the path names, if the account may see it. */
export const providerIn =
  ({ db }: DashboardContext) =>
  async ({ path, member }: NamedCall): Promise<AccountProvider> => {
    const provider = await findProviderOf(db, member.scope, path.id)
    if (provider === undefined) throw notFound()
    return provider
  }

export const providerRoutes = (deps: DashboardContext): Route[] => [
  route(listProviders, async ({ query: { after, page_size: size }, member }) => {
    const rows = await providersOf(deps.db, member.scope, after, size + 1)
    return pageAnswer(rows, size, ({ place, id }) => [place, id], dashboardProvider)
  }),
  route(createProviderCall, async (call) => {
    const { member } = call
    const settings = newProvider(call.body)
    const created = await change(deps, call, async (tx, audit) => {
      const done = accepted(await createProvider(tx, member.scope, settings))
      audit({ action: 'provider.create', kind: 'provider', id: done.id, after: providerValues(settings) })
      return done
    })
    return dashboardProvider((await findProviderOf(deps.db, member.scope, created.id))!)
  }),
  route(showProvider, providerIn(deps), (_, found) => dashboardProvider(found)),
  route(changeProviderCall, providerIn(deps), async (call, { id }) => {
    const { member } = call
    const changes = providerChanges(call.body)
    await change(deps, call, async (tx, audit) => {
      const done = accepted(await changeProvider(tx, member.scope, id, changes, authorityOf(member.role)))
      const [before, after] = [providerValues(done.before), providerValues(done.after)]
      const told = providerNotice(done.before, done.after, done.reasons)
      if (!isDeepStrictEqual(before, after))
        audit({ action: 'provider.update', kind: 'provider', id, before, after, ...told })
      return done
    })
    return dashboardProvider(await providerIn(deps)(call))
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
