/** `/calls/`: the log of the account's own API calls. */
import { listCalls } from '@sanad/contract/dashboard/calls/api-calls'
import { newestApiCalls } from '../../../calls/api-calls-sql.ts'
import { largestId } from '../../../core/ids.ts'
import { callAnswer, callFilter } from '../../developer/call-answer.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { type DashboardContext, type Route, route } from '../route.ts'

export const callRoutes = (deps: DashboardContext): Route[] => [
  route(listCalls, async ({ query, member }) => {
    const { after, page_size: size } = query
    const { failed, ...filter } = callFilter(query)
    const list = newestApiCalls[failed ? 'failed' : 'all']
    const found = await list(deps.db, member.scope, after?.[0] ?? largestId, filter, size + 1)
    return pageAnswer(
      found,
      size,
      ({ id }) => [id],
      (call) => callAnswer(call, deps.zone),
    )
  }),
]
