import { walletsOfMember } from '../accounts/people/member-sql.ts'
import type { MemberRole } from '../accounts/people/permission.ts'
import type { Instant } from '../core/clock.ts'
import type { AccountId, PushDeviceId, UserId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import {
  at,
  bytes,
  instant,
  jsonText,
  minor,
  nullable,
  orNull,
  text,
  units,
  uuid,
  whole,
} from '../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../postgres/query/statement.ts'
import type { DevicePending, PushFact } from './fan-out.ts'
import { hasNeededFactor, mayBeNotified } from './push-devices-sql.ts'
import type { SentKind } from './push-kind.ts'

type Told = Pick<PushFact, 'accountId' | 'kind' | 'object'> & { readonly keepUntil: Instant }

/** Returns those that nobody has told before. Of two nodes that tell the same at once, the second waits and gets nothing. */
export const insertTold = statement(
  'insert_told',
  { account_id: uuid<AccountId>(), kind: text(), object: text() },
  (told: readonly Told[]) => [
    told.map((one) => one.accountId),
    told.map((one) => one.kind),
    told.map((one) => one.object),
    told.map((one) => at(one.keepUntil)),
  ],
  `
  insert into push_told (account_id, kind, object, keep_until)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as n (account_id, kind, object, keep_until)
   order by account_id, kind, object
  on conflict (account_id, kind, object) do nothing
  returning account_id, kind, object`,
)

/** Index: push_told_over. */
export const pruneTold = statement(
  'prune_told',
  { object: text() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  delete from push_told
   where (account_id, kind, object) in (
           select account_id, kind, object from push_told where keep_until < $1 order by keep_until limit $2
              for update skip locked)
  returning object`,
)

/** The devices of these accounts, with what their members want. Index: primary key. */
export const hearingDevices = statement(
  'hearing_devices',
  {
    account_id: uuid<AccountId>(),
    id: uuid<PushDeviceId>(),
    user_id: uuid<UserId>(),
    role: text<MemberRole>(),
    wallets: nullable(jsonText()),
    kinds: nullable(jsonText()),
    created_at: instant(),
    counter_until: nullable(instant()),
  },
  (accountIds: readonly AccountId[], now: Instant) => [accountIds, at(now)],
  `
  select d.account_id, d.id, d.user_id, m.role, ${walletsOfMember}, array_to_json(p.kinds) as kinds, d.created_at,
         p.counter_until
    from push_devices d ${mayBeNotified} ${hasNeededFactor('$2::timestamptz')}
    left join push_settings p on p.account_id = d.account_id and p.user_id = d.user_id
   where d.account_id = any ($1::uuid[])`,
)

/**
 * The devices are due then, unless they are due already; the urgent ones also if they wait for the end of quiet hours. Called before `addPending`: the lock keeps the sender away, which could
 * otherwise find nothing to send and forget the device. Locked in one order. Returns the devices that still exist. Index: primary
 * key.
 */
export const wakeDevices = statement(
  'wake_devices',
  { id: uuid<PushDeviceId>() },
  (accountIds: readonly AccountId[], ids: readonly PushDeviceId[], urgent: readonly PushDeviceId[], dueAt: Instant) => [
    accountIds,
    ids,
    at(dueAt),
    urgent,
  ],
  `
  with locked as (
    select account_id, id from push_devices
     where (account_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by account_id, id
       for no key update)
  update push_devices d
     set next_at = case when d.id = any ($4::uuid[]) then least(d.next_at, $3) else coalesce(d.next_at, $3) end
    from locked
   where d.account_id = locked.account_id and d.id = locked.id
  returning d.id`,
)

/** Adds to what waits. The caller has locked the devices (`wakeDevices`). */
export const addPending = statement(
  'add_pending',
  noColumns,
  (pending: readonly DevicePending[]) => [
    pending.map((one) => one.accountId),
    pending.map((one) => one.pushDeviceId),
    pending.map((one) => one.kind),
    pending.map((one) => one.currency),
    pending.map((one) => one.count),
    pending.map((one) => units(one.amount)),
    pending.map((one) => at(one.firstAt)),
  ],
  `
  insert into push_pending as p (account_id, device_id, kind, currency, count, amount, first_at)
  select *
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::int8[], $7::timestamptz[])
           as n (account_id, device_id, kind, currency, count, amount, first_at)
  on conflict (account_id, device_id, kind, currency) do update
     set count = p.count + excluded.count, amount = p.amount + excluded.amount,
         first_at = least(p.first_at, excluded.first_at)`,
)

/** The member asked for a test: it does not wait for others, nor for the pause after a message. Index: primary key. */
export const wakeDeviceNow = scoped(
  'wake_device_now',
  { id: uuid<PushDeviceId>() },
  (scope: Scope, id: PushDeviceId, now: Instant) => [scope.accountId, id, at(now)],
  `
  update push_devices set next_at = least(next_at, $3)
   where account_id = $1 and id = $2
  returning id`,
)

/**
 * Takes devices that are due until $2: after that another worker may take them. The attempt is counted before it is made, so that
 * a worker that dies each time does not send for ever. Devices that another node takes at the moment are skipped. The lock does not
 * keep `addPending` waiting. Index: push_devices_due.
 */
export const claimDevices = statement(
  'claim_devices',
  {
    account_id: uuid<AccountId>(),
    id: uuid<PushDeviceId>(),
    subscription_sealed: bytes(),
    message: nullable(jsonText()),
    message_at: nullable(instant()),
    attempts: whole(),
    failures: whole(),
  },
  (now: Instant, until: Instant, limit: number) => [at(now), at(until), limit],
  `
  update push_devices d
     set taken_until = $2, attempts = case when d.message is null then 0 else d.attempts + 1 end
   where (d.account_id, d.id) in (
           select account_id, id from push_devices
            where next_at <= $1 and (taken_until is null or taken_until <= $1)
            order by next_at limit $3
              for no key update skip locked)
  returning d.account_id, d.id, d.subscription_sealed, d.message, d.message_at, d.attempts, d.failures`,
)

/** When the first device is due. Index: push_devices_due. */
export const nextPushDue = statement(
  'next_push_due',
  { at: nullable(instant()) },
  () => [],
  'select min(next_at) as at from push_devices where next_at is not null',
)

/** What the members of these devices want now, and when it is quiet. A device that may not be notified is left out. Index: primary key. */
export const wishesOfDevices = statement(
  'wishes_of_devices',
  {
    id: uuid<PushDeviceId>(),
    role: text<MemberRole>(),
    wallets: nullable(jsonText()),
    kinds: nullable(jsonText()),
    quiet_from: nullable(whole()),
    quiet_until: nullable(whole()),
    time_zone: text(),
  },
  (accountIds: readonly AccountId[], ids: readonly PushDeviceId[], now: Instant) => [accountIds, ids, at(now)],
  `
  select d.id, m.role, ${walletsOfMember}, array_to_json(p.kinds) as kinds, p.quiet_from, p.quiet_until, a.time_zone
    from push_devices d ${mayBeNotified} ${hasNeededFactor('$3::timestamptz')}
    left join push_settings p on p.account_id = d.account_id and p.user_id = d.user_id
   where (d.account_id, d.id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
)

/** What waits for a device; $3: only what is urgent. The caller holds the device. Index: primary key. */
export const takePending = scoped(
  'take_pending',
  { kind: text<SentKind>(), currency: text(), count: whole(), amount: minor(), first_at: instant() },
  (scope: Scope, pushDeviceId: PushDeviceId, onlyUrgent: boolean) => [scope.accountId, pushDeviceId, onlyUrgent],
  `
  delete from push_pending where account_id = $1 and device_id = $2 and (kind in ('notice', 'test') or not $3)
  returning kind, currency, count, amount, first_at`,
)

/**
 * Drops what waits for the devices of a member, and a message that is tried again: their sums may be of wallets that the member no
 * longer has. Notices and the member's own test stay. Index: push_devices_of_member.
 */
export const dropWaiting = scoped(
  'drop_waiting',
  noColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  with own as (
    update push_devices set message = null, message_at = null, attempts = 0
     where account_id = $1 and user_id = $2
    returning account_id, id)
  delete from push_pending p using own
   where p.account_id = own.account_id and p.device_id = own.id and p.kind not in ('notice', 'test')`,
)

/** The message is stored before it is sent: what is sent again is the same message. Index: primary key. */
export const storeMessage = scoped(
  'store_message',
  noColumns,
  (scope: Scope, id: PushDeviceId, message: string, now: Instant) => [scope.accountId, id, message, at(now)],
  `
  update push_devices set message = $3::json, message_at = $4, attempts = 1
   where account_id = $1 and id = $2`,
)

export type DeviceEnd = {
  /** Null: there is nothing to do for the device. */
  readonly nextAt: Instant | null
  /** Whether the message stays, to be tried again. */
  readonly keeps: boolean
  readonly failures: number
  readonly sentAt: Instant | null
}

/** The worker is done with the device, if it still has it: $3 is until when it took it. Index: primary key. */
export const releaseDevice = scoped(
  'release_device',
  { id: uuid<PushDeviceId>() },
  (scope: Scope, id: PushDeviceId, takenUntil: Instant, end: DeviceEnd) => [
    scope.accountId,
    id,
    at(takenUntil),
    orNull(end.nextAt),
    end.keeps,
    end.failures,
    orNull(end.sentAt),
  ],
  `
  update push_devices
     set taken_until = null, next_at = $4, message = case when $5 then message end,
         message_at = case when $5 then message_at end, attempts = case when $5 then attempts else 0 end, failures = $6,
         sent_at = coalesce($7, sent_at)
   where account_id = $1 and id = $2 and taken_until = $3
  returning id`,
)
