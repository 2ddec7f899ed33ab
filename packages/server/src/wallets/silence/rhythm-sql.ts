import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, nullable, orNull, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/** Adds a row for each phone with a forwarding app that has no row yet. Phones are few: the whole table is read. */
export const addRhythms = statement(
  'add_rhythms',
  { device_id: uuid<PhoneId>() },
  (firstId: string, now: Instant, limit: number) => [firstId, at(now), limit],
  `
  insert into phone_rhythms (device_id, account_id, counted_to, due_at)
  select d.id, d.account_id, $1::uuid, $2::timestamptz
    from devices d
   where d.ingest_token_hash is not null and ${isNotFrozen('d.account_id')}
     and not exists (select from phone_rhythms r where r.device_id = d.id)
   limit $3
  on conflict (device_id) do nothing
  returning device_id`,
)

/**
 * The rhythms of phones that made contact since their rhythm was computed. Locked, so that only one node computes a
 * rhythm. Index: phone_rhythms_due, primary keys.
 */
export const lockDueRhythms = statement(
  'lock_due_rhythms',
  {
    device_id: uuid<PhoneId>(),
    account_id: uuid<AccountId>(),
    hours: text(),
    last_day: whole(),
    counted_to: uuid(),
    last_seen_at: instant(),
    time_zone: text(),
  },
  (now: Instant, limit: number) => [at(now), limit],
  `
  select r.device_id, r.account_id, r.hours, r.last_day, r.counted_to, d.last_seen_at, a.time_zone
    from phone_rhythms r
    join devices d on d.account_id = r.account_id and d.id = r.device_id
    join accounts a on a.id = r.account_id
   where r.due_at <= $1 and d.last_seen_at is not null and (r.heard_at is null or d.last_seen_at > r.heard_at)
         and ${isNotFrozen('r.account_id')}
   order by r.due_at, r.device_id
   limit $2
     for update of r skip locked`,
)

export type SavedRhythm = {
  readonly accountId: AccountId
  readonly phoneId: PhoneId
  readonly hours: string
  readonly lastDay: number
  readonly countedTo: string
  readonly heardAt: Instant | null
  readonly usualAt: Instant | null
  readonly alarmAt: Instant | null
  readonly unjudged: '' | 'learning' | 'too_few'
  readonly dueAt: Instant
}

/** Index: primary key. */
export const saveRhythm = statement(
  'save_rhythm',
  noColumns,
  (row: SavedRhythm) => [
    row.accountId,
    row.phoneId,
    row.hours,
    row.lastDay,
    row.countedTo,
    orNull(row.heardAt),
    orNull(row.usualAt),
    orNull(row.alarmAt),
    row.unjudged,
    at(row.dueAt),
  ],
  `
  update phone_rhythms
     set hours = $3, last_day = $4, counted_to = $5, heard_at = $6, usual_at = $7, alarm_at = $8, unjudged = $9, due_at = $10
   where account_id = $1 and device_id = $2`,
)

/** What was learned of one phone, locked. No row: nothing yet. Index: primary keys. */
export const lockRhythm = scoped(
  'lock_rhythm',
  {
    name: text(),
    hours: text(),
    last_day: whole(),
    unjudged: text<'' | 'learning' | 'too_few'>(),
    heard_at: nullable(instant()),
    usual_at: nullable(instant()),
    time_zone: text(),
  },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `
  select d.name, r.hours, r.last_day, r.unjudged, r.heard_at, r.usual_at, a.time_zone
    from phone_rhythms r
    join devices d on d.account_id = r.account_id and d.id = r.device_id
    join accounts a on a.id = r.account_id
   where r.account_id = $1 and r.device_id = $2
     for update of r`,
)

/** Index: primary key. */
export const movePhoneAlarm = scoped(
  'move_phone_alarm',
  noColumns,
  (scope: Scope, id: PhoneId, alarmAt: Instant) => [scope.accountId, id, at(alarmAt)],
  `update phone_rhythms set alarm_at = $3 where account_id = $1 and device_id = $2`,
)

/** When the app of a phone last sent a ping, and how often it does. Index: primary key. */
export const findHeartbeat = scoped(
  'find_heartbeat',
  { heartbeat_at: nullable(instant()), heartbeat_s: nullable(whole()) },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `select heartbeat_at, heartbeat_s from devices where account_id = $1 and id = $2`,
)
