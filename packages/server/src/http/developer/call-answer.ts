/** An API call of the account as JSON, and the filters of the log of calls, for the dashboard and developers' tools. */
import type { ApiCall, listCalls } from '@sanad/contract/dashboard/calls/api-calls'
import type { QueryOf } from '@sanad/contract/operation'
import type { CallFilter, newestApiCalls } from '../../calls/api-calls-sql.ts'
import type { Zone } from '../../core/zone.ts'
import { invalid } from '../answers.ts'

type Row = Awaited<ReturnType<(typeof newestApiCalls)['all']>>[number]

export const callAnswer = (call: Row, zone: Zone): ApiCall => ({
  id: call.id,
  at: zone.format(new Date(call.at)),
  client_id: call.client_id,
  method: call.method,
  path: call.path,
  status: call.status,
  code: call.code,
  took_ms: call.took_ms,
  request_id: call.request_id,
  request_body: call.request_body,
  error_body: call.error_body,
  hint: call.hint,
  ignored: call.ignored,
  skipped: call.skipped,
})

const everyStatus: readonly [number, number] = [100, 599]

/** The range of a status: `404`, or `4xx` for 400 to 499. */
const statusesIn = (text: string): readonly [number, number] => {
  if (/^[1-5]\d\d$/.test(text)) return [Number(text), Number(text)]
  const [, first] = /^([1-5])xx$/i.exec(text) ?? []
  if (first !== undefined) return [Number(first) * 100, Number(first) * 100 + 99]
  throw invalid([
    { code: 'invalid', detail: 'A status is a number such as 404, or 4xx for all of them.', attr: 'status' },
  ])
}

type CallQuery = Pick<QueryOf<typeof listCalls>, 'failed' | 'method' | 'status'>

/** `failed`: the filter can only find failed calls, so the statement with their index is used. */
export const callFilter = (query: CallQuery): CallFilter & { readonly failed: boolean } => {
  const method = query.method?.toUpperCase()
  if (method !== undefined && !/^[A-Z-]{1,20}$/.test(method))
    throw invalid([{ code: 'invalid', detail: 'A method is a word such as GET.', attr: 'method' }])
  const [from, until] = query.status === undefined ? everyStatus : statusesIn(query.status)
  const least = query.failed ? Math.max(400, from) : from
  return { method, status: [least, until], failed: least >= 400 }
}
