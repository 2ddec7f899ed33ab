import type { Instant } from '../../core/clock.ts'
import type { AccountId, EndpointId } from '../../core/ids.ts'
import { at, bool, instant, nullable, orNull, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

/** The health of an endpoint as it is stored. */
export const healthColumns = {
  last_success_at: nullable(instant()),
  failing_since: nullable(instant()),
  failures: whole(),
  warned_at: nullable(instant()),
  misconfigured: bool(),
  network_failures: whole(),
  open_until: nullable(instant()),
  open_step: whole(),
  slow_start: whole(),
}

/**
 * The health of endpoints, locked until the commit; in order, so that two workers do not deadlock. `for no key update`: a
 * transaction that verifies a payment can queue deliveries for them without waiting. Index: unique id.
 */
export const lockEndpointHealth = statement(
  'lock_endpoint_health',
  {
    id: uuid<EndpointId>(),
    account_id: uuid<AccountId>(),
    url: text(),
    enabled: bool(),
    ...healthColumns,
  },
  (ids: readonly EndpointId[]) => [ids],
  `
  select id, account_id, url, enabled, last_success_at, failing_since, failures, warned_at, misconfigured,
         network_failures, open_until, open_step, slow_start
    from webhook_endpoints
   where id = any($1::uuid[])
   order by id
     for no key update`,
)

export type SavedHealth = {
  readonly id: EndpointId
  readonly enabled: boolean
  readonly disabledWhy: 'gone' | 'failing' | null
  readonly lastSuccessAt: Instant | null
  readonly failingSince: Instant | null
  readonly failures: number
  readonly warnedAt: Instant | null
  readonly misconfigured: boolean
  readonly networkFailures: number
  readonly openUntil: Instant | null
  readonly openStep: number
  readonly slowStart: number
}

/** The caller passes only changed health: a healthy endpoint is not updated at every delivery. */
export const saveEndpointHealth = statement(
  'save_endpoint_health',
  noColumns,
  (saved: readonly SavedHealth[], now: Instant) => [
    saved.map((one) => one.id),
    saved.map((one) => one.enabled),
    saved.map((one) => one.disabledWhy),
    saved.map((one) => orNull(one.lastSuccessAt)),
    saved.map((one) => orNull(one.failingSince)),
    saved.map((one) => one.failures),
    saved.map((one) => orNull(one.warnedAt)),
    saved.map((one) => one.misconfigured),
    saved.map((one) => one.networkFailures),
    saved.map((one) => orNull(one.openUntil)),
    saved.map((one) => one.openStep),
    saved.map((one) => one.slowStart),
    at(now),
  ],
  `
  update webhook_endpoints w
     set enabled = n.enabled, disabled_why = coalesce(n.disabled_why, w.disabled_why),
         disabled_at = case when n.disabled_why is null then w.disabled_at else $13 end,
         last_success_at = n.last_success_at, failing_since = n.failing_since, failures = n.failures,
         warned_at = n.warned_at, misconfigured = n.misconfigured, network_failures = n.network_failures,
         open_until = n.open_until, open_step = n.open_step, slow_start = n.slow_start
    from unnest($1::uuid[], $2::bool[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::timestamptz[],
                $8::bool[], $9::int[], $10::timestamptz[], $11::int2[], $12::int2[])
      as n (id, enabled, disabled_why, last_success_at, failing_since, failures, warned_at, misconfigured,
            network_failures, open_until, open_step, slow_start)
   where w.id = n.id`,
)
