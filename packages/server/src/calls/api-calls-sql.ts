import type { ClientId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at, instant, text, uuid, whole } from '../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../postgres/query/statement.ts'
import type { ApiCall, ApiCallId } from './api-call.ts'

const callColumns = {
  id: uuid<ApiCallId>(),
  at: instant(),
  client_id: text(),
  method: text(),
  path: text(),
  status: whole(),
  code: text(),
  took_ms: whole(),
  request_id: text(),
  request_body: text(),
  error_body: text(),
  hint: text(),
  ignored: text(),
  skipped: whole(),
}
const row = Object.keys(callColumns).join(', ')

/** Stores calls that were answered, many at once. */
export const insertApiCalls = statement(
  'insert_api_calls',
  noColumns,
  (calls: readonly ApiCall[]) => [
    calls.map((call) => call.accountId),
    calls.map((call) => call.id),
    calls.map((call) => at(call.at)),
    calls.map((call) => call.clientId),
    calls.map((call) => call.method),
    calls.map((call) => call.path),
    calls.map((call) => call.status),
    calls.map((call) => call.code),
    calls.map((call) => call.took_ms),
    calls.map((call) => call.requestId),
    calls.map((call) => call.requestBody),
    calls.map((call) => call.errorBody),
    calls.map((call) => call.hint),
    calls.map((call) => call.ignored),
    calls.map((call) => call.skipped),
  ],
  `
  insert into api_calls (account_id, ${row})
  select account_id, ${row}
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int2[], $8::text[],
                $9::int4[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int4[])
      as n (account_id, ${row})`,
)

export type CallFilter = {
  /** Calls of this key only; undefined: of every key of the account. */
  readonly clientId?: ClientId | undefined
  /** Undefined: every method. */
  readonly method: string | undefined
  /** From and to, both included. */
  readonly status: readonly [number, number]
}

const filtered = `($3::text is null or method = $3) and status between $4::int and $5::int and ($7::text is null or client_id = $7)`
const filterValues = ({ method, status }: CallFilter) => [method ?? null, ...status]
const keyValue = ({ clientId }: CallFilter) => clientId ?? null

const newest = (name: string, condition: string) =>
  scoped(
    name,
    callColumns,
    (scope: Scope, before: string, filter: CallFilter, most: number) => [
      scope.accountId,
      before,
      ...filterValues(filter),
      most,
      keyValue(filter),
    ],
    `
  select ${row}
    from api_calls
   where account_id = $1 and id < $2::uuid and ${filtered}${condition}
   order by id desc limit $6`,
  )

/** Newest first, before a position. Index: primary key; api_calls_failed. An account has a few hundred thousand rows at most. */
export const newestApiCalls = {
  all: newest('newest_api_calls_all', ''),
  failed: newest('newest_api_calls_failed', ' and status >= 400'),
}

/** Oldest first, after a position. Index: primary key. */
export const apiCallsAfter = scoped(
  'api_calls_after',
  callColumns,
  (scope: Scope, after: string, filter: CallFilter, most: number) => [
    scope.accountId,
    after,
    ...filterValues(filter),
    most,
    keyValue(filter),
  ],
  `
  select ${row}
    from api_calls
   where account_id = $1 and id > $2::uuid and ${filtered}
   order by id limit $6`,
)

/** Deletes the oldest calls of an account before an id, at most so many. Index: primary key. */
export const pruneApiCalls = scoped(
  'prune_api_calls',
  { id: uuid() },
  (scope: Scope, before: string, most: number) => [scope.accountId, before, most],
  `
  delete from api_calls
   where account_id = $1
     and id = any(array(select c.id from api_calls c where c.account_id = $1 and c.id < $2 order by c.id limit $3))
  returning id`,
)
