/** `/calls/`: the log of the account's own API calls. */
import { listCalls } from '@sanad/contract/dashboard/calls/api-calls'
import { newestApiCalls } from '../../../calls/api-calls-sql.ts'
import { largestId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { callAnswer, readCallFilter } from '../../developer/call-answer.ts'
import { pageAnswer, readPageQuery } from '../keyset.ts'
import { type DashboardContext, type Route, route } from '../route.ts'

export const callRoutes = (deps: DashboardContext & { readonly zone: Zone }): Route[] => [
  route(listCalls, async ({ request, member }) => {
    const { after, size } = readPageQuery(request, 'uuid')
    const { failed, ...filter } = readCallFilter(request)
    const list = newestApiCalls[failed ? 'failed' : 'all']
    const found = await list(deps.db, member.accountId, after?.[0] ?? largestId, filter, size + 1)
    return pageAnswer(
      found,
      size,
      ({ id }) => [id],
      (call) => callAnswer(call, deps.zone),
    )
  }),
]
