import type { Instant } from '../core/clock.ts'
import type { AccountId, PushDeviceId, SessionId, UserId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at, instant, nullable, text, uuid } from '../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../postgres/query/statement.ts'

/**
 * Joins that leave the devices `d` whose member may be notified: the session in which the device subscribed was not ended and no
 * credentials changed since; the user is not disabled, is a member, and the account is active. A session that ran out by itself
 * does not end notifications: an owner who did not open the dashboard for a week still wants them.
 */
export const mayBeNotified = `
    join sessions s on s.id = d.session_id and s.user_id = d.user_id and s.ended_at is null
    join users u on u.id = d.user_id and u.disabled_at is null and u.valid_from <= s.created_at
    join members m on m.account_id = d.account_id and m.user_id = d.user_id and m.request_since is null
    join accounts a on a.id = d.account_id and a.status = 'ACTIVE'`

/**
 * Goes on after `mayBeNotified`: not a member who must have a second factor by now and has none (docs/decisions/0091). They may see
 * nothing of the account, so nothing is sent to them; the device stays, and hears of what comes after they have set one up.
 */
export const hasNeededFactor = (now: string): string => `
     and (a.factor_rule_since is null or u.totp_since is not null or exists (select from passkeys k where k.user_id = u.id)
          or greatest(a.factor_rule_since, m.created_at) + a.factor_grace_days * interval '24 hours' > ${now})`

/** The devices of a member, the newest first; a member has few. Index: push_devices_of_member. */
export const listDeviceRows = scoped(
  'list_device_rows',
  {
    id: uuid<PushDeviceId>(),
    session_id: uuid<SessionId>(),
    service: text(),
    agent: text(),
    created_at: instant(),
    sent_at: nullable(instant()),
  },
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  select d.id, d.session_id, d.service, d.agent, d.created_at, d.sent_at
    from push_devices d ${mayBeNotified}
   where d.account_id = $1 and d.user_id = $2
   order by d.created_at desc, d.id
   limit 100`,
)

/** Whose device has this address now; locked. Index: push_devices_address_hash_key. */
export const lockDeviceByAddress = statement(
  'lock_device_by_address',
  { account_id: uuid<AccountId>(), id: uuid<PushDeviceId>(), user_id: uuid<UserId>() },
  (addressHash: Buffer) => [addressHash],
  'select account_id, id, user_id from push_devices where address_hash = $1 for update',
)

type DeviceValues = {
  readonly accountId: AccountId
  readonly id: PushDeviceId
  readonly sessionId: SessionId
  readonly sealed: Buffer
  readonly service: string
  readonly agent: string
}

/** Inserts nothing if another request has stored this address meanwhile. */
export const insertDevice = statement(
  'insert_device',
  { id: uuid<PushDeviceId>() },
  (device: DeviceValues & { readonly userId: UserId; readonly addressHash: Buffer }, now: Instant) => [
    device.accountId,
    device.id,
    device.userId,
    device.sessionId,
    device.addressHash,
    device.sealed,
    device.service,
    device.agent,
    at(now),
  ],
  `
  insert into push_devices (account_id, id, user_id, session_id, address_hash, subscription_sealed, service, agent, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (address_hash) do nothing
  returning id`,
)

/** The same browser subscribes again, in another session or with other keys. Index: primary key. */
export const renewDevice = statement(
  'renew_device',
  noColumns,
  ({ accountId, id, sessionId, sealed, service, agent }: DeviceValues) => [
    accountId,
    id,
    sessionId,
    sealed,
    service,
    agent,
  ],
  `
  update push_devices set session_id = $3, subscription_sealed = $4, service = $5, agent = $6, failures = 0
   where account_id = $1 and id = $2`,
)

/** Removes a device of the member. Index: primary key. */
export const deleteDevice = scoped(
  'delete_device',
  { id: uuid<PushDeviceId>(), agent: text() },
  (scope: Scope, userId: UserId, id: string) => [scope.accountId, userId, id],
  'delete from push_devices where account_id = $1 and user_id = $2 and id = $3 returning id, agent',
)

/** The push service does not know it, or the browser belongs to another member now. Index: primary key. */
export const dropDevice = scoped(
  'drop_device',
  noColumns,
  (scope: Scope, id: PushDeviceId) => [scope.accountId, id],
  'delete from push_devices where account_id = $1 and id = $2',
)

/**
 * Deletes devices whose session was ended, whose user was disabled or has other credentials, or whose membership waits for an
 * owner. Nothing is sent to them before that either (`mayBeNotified`). A device of a member who was removed is gone with the
 * member. The table is small: devices are few for each member.
 */
export const pruneDevices = statement(
  'prune_devices',
  { id: uuid<PushDeviceId>() },
  (limit: number) => [limit],
  `
  delete from push_devices
   where (account_id, id) in (
           select d.account_id, d.id
             from push_devices d
             join sessions s on s.id = d.session_id
             join users u on u.id = d.user_id
             join members m on m.account_id = d.account_id and m.user_id = d.user_id
            where s.ended_at is not null or u.disabled_at is not null or u.valid_from > s.created_at
               or m.request_since is not null
            limit $1
              for update of d skip locked)
  returning id`,
)

/** For a lost master key: what they subscribed with cannot be read. */
export const deleteAllDevices = statement('delete_all_devices', noColumns, () => [], 'delete from push_devices')
