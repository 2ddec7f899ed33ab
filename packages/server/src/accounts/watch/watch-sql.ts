import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

/** Creates the row of a user who has none. */
export const makeFailures = statement(
  'make_failures',
  noColumns,
  (key: string) => [key],
  'insert into sign_in_failures (user_key) values ($1) on conflict do nothing',
)

/** Locks the row: wrong sign-ins of one user are counted one after the other. Index: primary key. */
export const lockFailures = statement(
  'lock_failures',
  { recent: jsonText(), counted: whole(), told_at: nullable(instant()) },
  (key: string) => [key],
  `
  select array_to_json(array(select floor(extract(epoch from t) * 1000)::int8 from unnest(recent) t)) as recent, counted, told_at
    from sign_in_failures
   where user_key = $1
     for update`,
)

/** Index: primary key. */
export const saveFailures = statement(
  'save_failures',
  noColumns,
  (key: string, recent: readonly Instant[], counted: number, toldAt: Instant | null) => [
    key,
    recent.map(at),
    counted,
    toldAt === null ? null : at(toldAt),
  ],
  'update sign_in_failures set recent = $2::timestamptz[], counted = $3, told_at = $4 where user_key = $1',
)

/** Index: users_email_key. A disabled user is told nothing. */
export const findTried = statement(
  'find_tried',
  { id: uuid<UserId>(), email: text() },
  (email: string) => [email],
  'select id, email from users where email = $1 and disabled_at is null',
)

/** Stores the browser as known. `is_new`: it was not. `known`: how many others are. Index: primary key. */
export const rememberBrowserRow = statement(
  'remember_browser_row',
  { is_new: bool(), others: whole() },
  (userId: UserId, hash: Buffer, now: Instant) => [userId, hash, at(now)],
  `
  with seen as (
    insert into known_browsers (user_id, hash, seen_at) values ($1, $2, $3)
    on conflict (user_id, hash) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new)
  select seen.is_new, (select count(*)::int from (select from known_browsers k where k.user_id = $1 and k.hash <> $2 limit 100) x) as others
    from seen`,
)

/** Whether the user has signed in before: their sessions are kept for some weeks after their end. Index: sessions_of_user. */
export const hasSignedIn = statement(
  'has_signed_in',
  { before: bool() },
  (userId: UserId, except: string) => [userId, except],
  'select exists (select from sessions where user_id = $1 and id <> $2::uuid) as before',
)

/** A browser that nobody used for so long has lost its cookie. Index: known_browsers_old. */
export const pruneKnownBrowsers = statement(
  'prune_known_browsers',
  { user_id: uuid<UserId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from known_browsers
   where (user_id, hash) in (
           select user_id, hash from known_browsers where seen_at < $1 order by seen_at limit $2 for update skip locked)
  returning user_id`,
)
