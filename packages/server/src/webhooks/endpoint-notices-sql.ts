import type { Instant } from '../ground/clock.ts'
import type { AccountId, EndpointId, NoticeId, UserId } from '../ground/ids.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../postgres/columns.ts'
import { none, statement } from '../postgres/statement.ts'

export type NoticeKind = 'failing' | 'disabled' | 'gone'

export type NewNotice = {
  readonly id: NoticeId
  readonly endpointId: EndpointId
  readonly kind: NoticeKind
  readonly failingSince: Instant | null
  readonly failures: number
  /** The earliest, if nothing succeeds until then. */
  readonly disablesAt: Instant | null
}

const orNull = (when: Instant | null): string | null => (when === null ? null : at(when))

/** In the transaction that finds out. Index: unique id of endpoints. */
export const insertNotices = statement(
  'insert_webhook_notices',
  none,
  (notices: readonly NewNotice[], now: Instant) => [
    notices.map((one) => one.id),
    notices.map((one) => one.endpointId),
    notices.map((one) => one.kind),
    notices.map((one) => orNull(one.failingSince)),
    notices.map((one) => one.failures),
    notices.map((one) => orNull(one.disablesAt)),
    at(now),
  ],
  `
  insert into webhook_notices (account_id, id, endpoint_id, kind, failing_since, failures, disables_at, at)
  select w.account_id, n.id, w.id, n.kind, n.failing_since, n.failures, n.disables_at, $7
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::timestamptz[])
      as n (id, endpoint_id, kind, failing_since, failures, disables_at)
    join webhook_endpoints w on w.id = n.endpoint_id`,
)

/**
 * Takes notices that not everybody was told of yet, the oldest first, until $2: then another may take them. With how the
 * endpoint stands now. Index: webhook_notices_untold.
 */
export const takeNoticeRows = statement(
  'take_webhook_notices',
  {
    account_id: uuid<AccountId>(),
    id: uuid<NoticeId>(),
    endpoint_id: uuid<EndpointId>(),
    url: text(),
    kind: text<NoticeKind>(),
    failing_since: nullable(instant()),
    failures: whole(),
    disables_at: nullable(instant()),
    at: instant(),
    told: jsonText(),
    enabled: bool(),
    deleted: bool(),
    still_since: nullable(instant()),
    disabled_at: nullable(instant()),
  },
  (now: Instant, until: Instant, limit: number) => [at(now), at(until), limit],
  `
  with taken as (
    update webhook_notices n set taken_until = $2
     where (n.account_id, n.id) in (
             select account_id, id from webhook_notices
              where told_at is null and (taken_until is null or taken_until <= $1)
              order by at limit $3
                for update skip locked)
    returning n.account_id, n.id, n.endpoint_id, n.kind, n.failing_since, n.failures, n.disables_at, n.at,
              n.told_users)
  select t.account_id, t.id, t.endpoint_id, w.url, t.kind, t.failing_since, t.failures, t.disables_at, t.at,
         array_to_json(t.told_users) as told, w.enabled, w.deleted_at is not null as deleted,
         w.failing_since as still_since, w.disabled_at
    from taken t join webhook_endpoints w on w.id = t.endpoint_id`,
)

/** Index: primary key. */
export const markNoticeTold = statement(
  'mark_webhook_notice_told',
  { id: uuid<NoticeId>() },
  (accountId: AccountId, id: NoticeId, now: Instant) => [accountId, id, at(now)],
  `update webhook_notices set told_at = $3 where account_id = $1 and id = $2 and told_at is null returning id`,
)

/** Somebody has their letter; and whoever writes the others' has until $4 for the next. Index: primary key. */
export const markOwnerTold = statement(
  'mark_owner_told',
  none,
  (accountId: AccountId, id: NoticeId, userId: UserId, until: Instant) => [accountId, id, userId, at(until)],
  `
  update webhook_notices set told_users = array_append(told_users, $3), taken_until = $4
   where account_id = $1 and id = $2 and not told_users @> array[$3::uuid]`,
)
