/** `/operator/providers/`: the providers that everybody shares. */
import {
  changeSharedProvider as changeOperation,
  createSharedProvider,
  listSharedProviders,
  type SharedProvider,
} from '@sanad/contract/dashboard/operator/shared-providers'
import type { ProviderId } from '../../../core/ids.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { allSharedProviders, findSharedProvider } from '../../../views/wallets/providers.ts'
import { addSharedProvider, changeSharedProvider } from '../../../wallets/providers/shared-providers.ts'
import { notFound } from '../../answers.ts'
import { readNewProvider, readProviderChanges } from '../../body/dashboard/operator-body.ts'
import { answerTo } from '../refusals.ts'
import { bodyOf, change, type DashboardContext, idIn, type Route, userRoute } from '../route.ts'

export const operatorProviderRoutes = (deps: DashboardContext): Route[] => [
  userRoute(listSharedProviders, async () => (await allSharedProviders(deps.db)).map(providerAnswer)),
  userRoute(createSharedProvider, async (call) => {
    const body = bodyOf(call, readNewProvider)
    const made = await change(deps, call, (db, note) => addSharedProvider(db, note, body))
    if (isRefusal(made)) throw answerTo(made)
    return shown(deps, made.id)
  }),
  userRoute(changeOperation, async (call) => {
    const id = idIn<ProviderId>(call.request, 'id')
    if ((await findSharedProvider(deps.db, id)) === undefined) throw notFound()
    const sent = bodyOf(call, readProviderChanges)
    const done = await change(deps, call, (db, note) => changeSharedProvider(db, note, id, sent))
    if (isRefusal(done)) throw answerTo(done)
    return shown(deps, id)
  }),
]

const shown = async ({ db }: DashboardContext, id: ProviderId): Promise<SharedProvider> =>
  providerAnswer((await findSharedProvider(db, id))!)

const providerAnswer = ({
  status,
  packages,
  ...provider
}: Awaited<ReturnType<typeof allSharedProviders>>[number]): SharedProvider => ({
  ...provider,
  provider_status: status,
  packages: JSON.parse(packages) as string[],
})
