import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { type AccountId, firstIdAt, type NoticeId, type UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { mostMailed, type NewNotice, type NoticeObject, type OwnerNoticeKind } from './owner-notice.ts'

/**
 * Called in the transaction of the change. A notice counts as mailed at once if $10 of its kind were written in the account since $9:
 * whoever can cause many cannot fill the owners' mailboxes. Index: primary key, because ids begin with the time.
 */
export const insertNotices = statement(
  'insert_notices',
  noColumns,
  (notices: readonly NewNotice[], now: Instant) => [
    notices.map((notice) => notice.accountId),
    notices.map((notice) => notice.id),
    notices.map((notice) => notice.kind),
    notices.map((notice) => notice.objectKind),
    notices.map((notice) => notice.objectId),
    notices.map((notice) => notice.by),
    notices.map((notice) => JSON.stringify(notice.facts)),
    at(now),
    firstIdAt(now - day_ms),
    mostMailed,
  ],
  `
  insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at, told_at)
  select n.account_id, n.id, n.kind, n.object_kind, n.object_id, n.by_whom, n.facts::json, $8,
         case when (select count(*) from owner_notices o
                     where o.account_id = n.account_id and o.id >= $9::uuid and o.kind = n.kind) >= $10::int
              then $8::timestamptz end
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
      as n (account_id, id, kind, object_kind, object_id, by_whom, facts)`,
)

/**
 * If there are already $6 notices of this kind about this object since $5, the newest takes the facts, counts one more, and is unseen
 * again. Returns nothing otherwise. Index: primary key.
 */
export const addToNotice = scoped(
  'add_to_notice',
  { id: uuid<NoticeId>() },
  (scope: Scope, notice: NewNotice, since: Instant, most: number) => [
    scope.accountId,
    notice.kind,
    notice.objectId,
    JSON.stringify(notice.facts),
    firstIdAt(since),
    most,
  ],
  `
  with same as (
    select id from owner_notices
     where account_id = $1 and id >= $5::uuid and kind = $2 and object_id = $3
     order by id desc
     limit $6::int)
  update owner_notices
     set facts = ($4::jsonb || jsonb_build_object('more', coalesce((facts::jsonb ->> 'more')::bigint, 0) + 1))::json,
         seen_users = '{}'
   where account_id = $1 and id = (select id from same order by id desc limit 1)
     and (select count(*) from same) >= $6::int
  returning id`,
)

const columns = {
  account_id: uuid<AccountId>(),
  id: uuid<NoticeId>(),
  kind: text<OwnerNoticeKind>(),
  object_kind: text<NoticeObject>(),
  object_id: text(),
  by_whom: text(),
  facts: jsonText(),
  at: instant(),
}

/**
 * Takes unsent notices, oldest first, until $2: after that another worker may take them. Skips those that another node is
 * taking at the moment. Index: owner_notices_untold.
 */
export const takeNoticeRows = statement(
  'take_notice_rows',
  { ...columns, emailed: jsonText() },
  (now: Instant, until: Instant, limit: number) => [at(now), at(until), limit],
  `
  update owner_notices n set taken_until = $2
   where (n.account_id, n.id) in (
           select account_id, id from owner_notices
            where told_at is null and (taken_until is null or taken_until <= $1) and ${isNotFrozen('account_id')}
            order by at limit $3
              for update skip locked)
  returning n.account_id, n.id, n.kind, n.object_kind, n.object_id, n.by_whom, n.facts, n.at,
            array_to_json(n.told_users) as emailed`,
)

/** Index: primary key. */
export const markNoticeSentRow = scoped(
  'mark_notice_sent_row',
  noColumns,
  (scope: Scope, id: NoticeId, now: Instant) => [scope.accountId, id, at(now)],
  `update owner_notices set told_at = $3 where account_id = $1 and id = $2 and told_at is null`,
)

/** One owner has the email; the worker keeps the notice until $4. Index: primary key. */
export const markOwnerEmailedRow = scoped(
  'mark_owner_emailed_row',
  noColumns,
  (scope: Scope, id: NoticeId, userId: UserId, until: Instant) => [scope.accountId, id, userId, at(until)],
  `
  update owner_notices set told_users = array_append(told_users, $3), taken_until = $4
   where account_id = $1 and id = $2 and not told_users @> array[$3::uuid]`,
)

/**
 * A page, newest first: ids begin with the time. $5: only those that this owner has not marked as seen. Without those about this
 * owner's own sign-in: of these they have a notice of their own. Index: primary key.
 */
export const listNoticeRows = scoped(
  'list_notice_rows',
  { ...columns, seen: bool() },
  (scope: Scope, userId: UserId, below: string, limit: number, unseen: boolean) => [
    scope.accountId,
    userId,
    below,
    limit,
    unseen,
  ],
  `
  select account_id, id, kind, object_kind, object_id, by_whom, facts, at,
         seen_users @> array[$2::uuid] as seen
    from owner_notices
   where account_id = $1 and id < $3 and not ($5 and seen_users @> array[$2::uuid])
     and not (object_kind = 'user' and object_id = $2::uuid::text)
   order by id desc
   limit $4`,
)

/** Index: primary key. */
export const findNoticeRow = scoped(
  'find_notice_row',
  { ...columns, seen: bool() },
  (scope: Scope, userId: UserId, id: string) => [scope.accountId, userId, id],
  `
  select account_id, id, kind, object_kind, object_id, by_whom, facts, at, seen_users @> array[$2::uuid] as seen
    from owner_notices
   where account_id = $1 and id = $3 and not (object_kind = 'user' and object_id = $2::uuid::text)`,
)

/** $4: all older ones too; none is older than 90 days. Index: primary key. */
export const markNoticesSeen = scoped(
  'mark_notices_seen',
  noColumns,
  (scope: Scope, userId: UserId, id: string, older: boolean) => [scope.accountId, userId, id, older],
  `
  update owner_notices set seen_users = array_append(seen_users, $2)
   where account_id = $1 and id <= $3 and (id = $3 or $4) and not seen_users @> array[$2::uuid]`,
)

/** Deletes old notices, whether they were sent and seen or not. Index: owner_notices_old. */
export const pruneNotices = statement(
  'prune_notices',
  { id: uuid<NoticeId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from owner_notices
   where (account_id, id) in (
           select account_id, id from owner_notices where at < $1 order by at limit $2 for update skip locked)
  returning id`,
)
