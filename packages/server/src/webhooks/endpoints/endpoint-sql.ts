import type { Instant } from '../../core/clock.ts'
import type { AccountId, EndpointId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, bytes, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { hasFailed } from '../delivery-state-sql.ts'
import type { EventKind } from '../event.ts'
import { healthColumns } from '../health/health-sql.ts'
import type { DisabledWhy } from './endpoint.ts'

const endpointColumns = {
  id: uuid<EndpointId>(),
  url: text(),
  query_sealed: nullable(bytes()),
  wallet_id: nullable(uuid<WalletId>()),
  kinds: jsonText(),
  headers: jsonText(),
  enabled: bool(),
  disabled_why: text<DisabledWhy | ''>(),
  disabled_at: nullable(instant()),
  previous_until: nullable(instant()),
  created_at: instant(),
  ...healthColumns,
  waiting: whole(),
  failed: whole(),
  figures: jsonText(),
  oldest_at: nullable(instant()),
}

/**
 * The endpoints of an account, or one of them, with their unfinished deliveries. Index: primary key, and the unique index of
 * deliveries by endpoint and event: the oldest delivery is its first entry, and at most $3 entries are counted. (They are read in
 * order, because without an order the planner reads the whole table for an endpoint without deliveries.) `failed`: how many
 * unfinished deliveries have a failed attempt, by deliveries_failed. `figures`: the attempts since $4, by bucket; primary key of
 * endpoint_hours.
 */
export const listEndpoints = scoped(
  'list_endpoints',
  endpointColumns,
  (scope: Scope, id: EndpointId | null, mostCounted: number, since: Instant) => [
    scope.accountId,
    id,
    mostCounted,
    at(since),
  ],
  `
  select w.id, w.url, w.query_sealed, w.wallet_id, array_to_json(w.kinds) as kinds, w.headers, w.enabled, w.disabled_why, w.disabled_at,
         w.previous_until, w.created_at, w.last_success_at, w.failing_since, w.failures, w.warned_at, w.misconfigured,
         w.network_failures, w.open_until, w.open_step, w.slow_start,
         (select count(*)::int
            from (select from deliveries d where d.endpoint_id = w.id order by d.event_id limit $3) as counted) as waiting,
         (select count(*)::int
            from (select from deliveries d where d.endpoint_id = w.id and ${hasFailed('d')} order by d.event_id limit $3)
              as counted) as failed,
         coalesce((
           select json_agg(json_build_object('bucket', h.bucket, 'attempts', h.attempts))
             from (select h.bucket, sum(h.attempts) as attempts from endpoint_hours h
                    where h.account_id = w.account_id and h.endpoint_id = w.id and h.hour >= $4
                    group by h.bucket) as h), '[]') as figures,
         (select e.created_at from events e
           where e.account_id = w.account_id
             and e.id = (select d.event_id from deliveries d where d.endpoint_id = w.id order by d.event_id limit 1))
           as oldest_at
    from webhook_endpoints w
   where w.account_id = $1 and ($2::uuid is null or w.id = $2) and w.deleted_at is null
   order by w.created_at, w.id`,
)

export const countEndpoints = scoped(
  'count_endpoints',
  { endpoints: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as endpoints from webhook_endpoints where account_id = $1 and deleted_at is null`,
)

/** Index: unique (account_id, id). */
export const findOwnWallet = scoped(
  'find_own_wallet',
  { id: uuid<WalletId>() },
  (scope: Scope, id: WalletId) => [scope.accountId, id],
  `select id from wallets where account_id = $1 and id = $2`,
)

export const insertEndpoint = statement(
  'insert_endpoint',
  noColumns,
  (endpoint: {
    accountId: AccountId
    id: EndpointId
    url: string
    querySealed: Buffer | null
    walletId: WalletId | null
    kinds: readonly EventKind[]
    headers: string
    enabled: boolean
    secretSealed: Buffer
    now: Instant
  }) => [
    endpoint.accountId,
    endpoint.id,
    endpoint.url,
    endpoint.walletId,
    endpoint.kinds,
    endpoint.headers,
    endpoint.enabled,
    endpoint.secretSealed,
    at(endpoint.now),
    endpoint.querySealed,
  ],
  `
  insert into webhook_endpoints
         (account_id, id, url, wallet_id, kinds, headers, enabled, disabled_why, disabled_at, secret_sealed, created_at,
          query_sealed)
  values ($1, $2, $3, $4, $5, $6, $7, case when $7 then '' else 'person' end, case when $7 then null else $9::timestamptz end,
          $8, $9, $10)`,
)

/** The endpoint, locked until the commit; transactions that queue deliveries for it do not wait. Index: primary key. */
export const lockEndpoint = scoped(
  'lock_endpoint',
  {
    url: text(),
    query_sealed: nullable(bytes()),
    wallet_id: nullable(uuid<WalletId>()),
    kinds: jsonText(),
    headers: jsonText(),
    enabled: bool(),
    disabled_at: nullable(instant()),
  },
  (scope: Scope, id: EndpointId) => [scope.accountId, id],
  `
  select url, query_sealed, wallet_id, array_to_json(kinds) as kinds, headers, enabled, disabled_at
    from webhook_endpoints
   where account_id = $1 and id = $2 and deleted_at is null
     for no key update`,
)

/** $8: whether to reset the endpoint's health, because its URL changed or it was enabled again. It then gets a slow start, in
 *  case it is still down. */
export const saveEndpoint = scoped(
  'save_endpoint',
  noColumns,
  (
    scope: Scope,
    id: EndpointId,
    saved: {
      url: string
      querySealed: Buffer | null
      walletId: WalletId | null
      kinds: readonly EventKind[]
      headers: string
      enabled: boolean
      resetHealth: boolean
      slowStart: number
    },
    now: Instant,
  ) => [
    scope.accountId,
    id,
    saved.url,
    saved.walletId,
    saved.kinds,
    saved.headers,
    saved.enabled,
    saved.resetHealth,
    at(now),
    saved.slowStart,
    saved.querySealed,
  ],
  `
  update webhook_endpoints
     set url = $3, query_sealed = $11, wallet_id = $4, kinds = $5, headers = $6, enabled = $7,
         disabled_why     = case when $7 then '' when enabled then 'person' else disabled_why end,
         disabled_at      = case when $7 then null when enabled then $9 else disabled_at end,
         failing_since    = case when $8 then null else failing_since end,
         failures         = case when $8 then 0 else failures end,
         warned_at        = case when $8 then null else warned_at end,
         misconfigured    = misconfigured and not $8,
         network_failures = case when $8 then 0 else network_failures end,
         open_until       = case when $8 then null else open_until end,
         open_step        = case when $8 then 0 else open_step end,
         slow_start       = case when $8 then $10 else slow_start end
   where account_id = $1 and id = $2`,
)

/** Marks the endpoint as deleted. Nothing more is sent to it, so its secrets are removed; its deliveries stay in the log. */
export const deleteEndpointRow = scoped(
  'delete_endpoint_row',
  { id: uuid<EndpointId>() },
  (scope: Scope, id: EndpointId, now: Instant) => [scope.accountId, id, at(now)],
  `
  update webhook_endpoints
     set deleted_at = $3, enabled = false, disabled_why = 'person', disabled_at = coalesce(disabled_at, $3),
         headers = '{}', query_sealed = null, secret_sealed = '', previous_secret_sealed = null, previous_until = null
   where account_id = $1 and id = $2 and deleted_at is null
  returning id`,
)

/** Sets a new secret. The current secret becomes the previous one, which signs until $4; an older one is removed at once. */
export const replaceEndpointSecret = scoped(
  'replace_endpoint_secret',
  { id: uuid<EndpointId>() },
  (scope: Scope, id: EndpointId, secretSealed: Buffer, previousUntil: Instant) => [
    scope.accountId,
    id,
    secretSealed,
    at(previousUntil),
  ],
  `
  update webhook_endpoints
     set previous_secret_sealed = secret_sealed, previous_until = $4, secret_sealed = $3
   where account_id = $1 and id = $2 and deleted_at is null
  returning id`,
)

/** Index: primary key. */
export const findEndpointSecrets = scoped(
  'find_endpoint_secrets',
  {
    url: text(),
    query_sealed: nullable(bytes()),
    headers: jsonText(),
    secret_sealed: bytes(),
    previous_secret_sealed: nullable(bytes()),
    previous_until: nullable(instant()),
  },
  (scope: Scope, id: EndpointId) => [scope.accountId, id],
  `
  select url, query_sealed, headers, secret_sealed, previous_secret_sealed, previous_until
    from webhook_endpoints
   where account_id = $1 and id = $2 and deleted_at is null`,
)
