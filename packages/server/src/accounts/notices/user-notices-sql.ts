import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, type NoticeId, type UserId } from '../../core/ids.ts'
import { at, bool, instant, jsonText, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import type { NewUserNotice, UserNoticeKind } from './owner-notice.ts'

/** Called in the transaction of the change. */
export const insertUserNotice = statement(
  'insert_user_notice',
  noColumns,
  (notice: NewUserNotice, now: Instant) => [
    notice.userId,
    notice.id,
    notice.kind,
    notice.accountId,
    notice.wasOwner,
    notice.by,
    JSON.stringify(notice.facts),
    at(now),
  ],
  `
  insert into user_notices (user_id, id, kind, account_id, was_owner, by_whom, facts, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** As `addToNotice` of owner-notices-sql.ts, for a notice to a user. Index: primary key. */
export const addToUserNotice = statement(
  'add_to_user_notice',
  { id: uuid<NoticeId>() },
  (notice: NewUserNotice, since: Instant, most: number) => [
    notice.userId,
    notice.kind,
    JSON.stringify(notice.facts),
    firstIdAt(since),
    most,
  ],
  `
  with same as (
    select id from user_notices
     where user_id = $1 and id >= $4::uuid and kind = $2
     order by id desc
     limit $5::int)
  update user_notices
     set facts = ($3::jsonb || jsonb_build_object('more', coalesce((facts::jsonb ->> 'more')::bigint, 0) + 1))::json,
         seen_at = null
   where user_id = $1 and id = (select id from same order by id desc limit 1)
     and (select count(*) from same) >= $5::int
  returning id`,
)

const columns = {
  user_id: uuid<UserId>(),
  id: uuid<NoticeId>(),
  kind: text<UserNoticeKind>(),
  account_id: nullable(uuid<AccountId>()),
  was_owner: bool(),
  by_whom: text(),
  facts: jsonText(),
  at: instant(),
}
const fields = 'n.user_id, n.id, n.kind, n.account_id, n.was_owner, n.by_whom, n.facts, n.at'

/**
 * Takes the unsent notice that has waited longest, until $2: after that another worker may take it. Skips those that another node is
 * taking at the moment. The time zone is that of the account, or of the user's first one. Indexes: user_notices_untold,
 * members_of_user.
 */
export const takeUserNoticeRow = statement(
  'take_user_notice_row',
  { ...columns, email: text(), time_zone: text() },
  (now: Instant, until: Instant) => [at(now), at(until)],
  `
  update user_notices n set taken_until = $2
    from users u
   where u.id = n.user_id
     and (n.user_id, n.id) in (
           select user_id, id from user_notices
            where told_at is null and (taken_until is null or taken_until <= $1)
            order by at limit 1
              for update skip locked)
  returning ${fields}, u.email,
            coalesce((select a.time_zone from accounts a
                       where a.id = coalesce(n.account_id,
                                             (select m.account_id from members m
                                               where m.user_id = n.user_id order by m.created_at limit 1))), '') as time_zone`,
)

/** Index: primary key. */
export const markUserNoticeSentRow = statement(
  'mark_user_notice_sent_row',
  noColumns,
  (userId: UserId, id: NoticeId, now: Instant) => [userId, id, at(now)],
  'update user_notices set told_at = $3 where user_id = $1 and id = $2 and told_at is null',
)

/** A page, newest first. $4: only those that are not marked as seen. Index: primary key. */
export const listUserNoticeRows = statement(
  'list_user_notice_rows',
  { ...columns, seen: bool() },
  (userId: UserId, below: string, limit: number, unseen: boolean) => [userId, below, limit, unseen],
  `
  select ${fields}, n.seen_at is not null as seen
    from user_notices n
   where n.user_id = $1 and n.id < $2 and not ($4 and n.seen_at is not null)
   order by n.id desc
   limit $3`,
)

/** Index: primary key. */
export const findUserNoticeRow = statement(
  'find_user_notice_row',
  { ...columns, seen: bool() },
  (userId: UserId, id: string) => [userId, id],
  `select ${fields}, n.seen_at is not null as seen from user_notices n where n.user_id = $1 and n.id = $2`,
)

/** $3: all older ones too. Index: primary key. */
export const markUserNoticesSeen = statement(
  'mark_user_notices_seen',
  noColumns,
  (userId: UserId, id: string, older: boolean, now: Instant) => [userId, id, older, at(now)],
  `
  update user_notices set seen_at = $4
   where user_id = $1 and id <= $2 and (id = $2 or $3) and seen_at is null`,
)

/** Deletes old notices, whether they were sent and seen or not. Index: user_notices_old. */
export const pruneUserNotices = statement(
  'prune_user_notices',
  { id: uuid<NoticeId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from user_notices
   where (user_id, id) in (
           select user_id, id from user_notices where at < $1 order by at limit $2 for update skip locked)
  returning id`,
)
