import { denialReasons } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, EndpointId, NoticeId, PhoneId, RequestId, UserId, WalletId } from '../core/ids.ts'
import { at, bool, instant, minor, nullable, text, uuid } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'
import { isNotFrozen } from '../postgres/tenancy/freeze-sql.ts'
import { isSilentSql, signsColumns, signsFields } from '../wallets/silence/silence-sql.ts'
import type { PushKind } from './push-kind.ts'

/** A page of the accounts that have devices. An account that is frozen is left out: its phones only seem silent, and one that is used in
 *  another cell tells its members there. Index: primary key of push_devices. */
export const accountsAfter = statement(
  'accounts_after',
  { account_id: uuid<AccountId>() },
  (after: string, limit: number) => [after, limit],
  `
  select distinct account_id from push_devices
   where account_id > $1 and ${isNotFrozen('account_id')}
   order by account_id limit $2`,
)

/** Which of these accounts have devices, and are not frozen. Index: primary key of push_devices. */
export const accountsWithDevices = statement(
  'accounts_with_devices',
  { account_id: uuid<AccountId>() },
  (accountIds: readonly AccountId[]) => [accountIds],
  `select distinct account_id from push_devices where account_id = any ($1::uuid[]) and ${isNotFrozen('account_id')}`,
)

/** A message that says, or may say, that its money did not arrive, is not counted as money. */
const isMoney = `w.is_test = false and l.direction = 'credit' and l.amount is not null and l.currency is not null
     and l.reason <> all (array[${denialReasons.map((reason) => `'${reason}'`).join(', ')}])`

const notTold = (kind: string, object: string): string => `
     not exists (select from push_told t where t.account_id = n.account_id and t.kind = ${kind} and t.object = ${object})`

const alertColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<AlertId>(),
  kind: text<PushKind>(),
  wallet_id: uuid<WalletId>(),
  amount: minor(),
  currency: text(),
  received_at: instant(),
}

/** Money that arrived in real wallets since, matched or not, and was not told yet. Indexes: primary keys. */
export const newMoney = statement(
  'new_money',
  alertColumns,
  (accountIds: readonly AccountId[], sinceId: string, limit: number) => [accountIds, sinceId, limit],
  `
  select l.account_id, l.id, 'money'::text as kind, l.wallet_id, l.amount, l.currency, l.received_at
    from unnest($1::uuid[]) as n (account_id)
    join alerts l on l.account_id = n.account_id and l.id >= $2::uuid
    join wallets w on w.id = l.wallet_id
   where l.state in ('waiting', 'review', 'matched', 'wrong_amount', 'booked') and ${isMoney}
     and ${notTold("'money'", 'l.id::text')}
   order by l.id
   limit $3`,
)

/**
 * Money that waits for a member and was not told yet: without an order, once no open intent may take it (as
 * `payment.unmatched`), or of another amount than its order. Indexes: alerts_queue, primary keys.
 */
export const newQueueMoney = statement(
  'new_queue_money',
  alertColumns,
  (accountIds: readonly AccountId[], sinceId: string, limit: number) => [accountIds, sinceId, limit],
  `
  select l.account_id, l.id, case l.state when 'wrong_amount' then 'wrong_amount' else 'unmatched' end as kind, l.wallet_id,
         l.amount, l.currency, l.received_at
    from unnest($1::uuid[]) as n (account_id)
    join alerts l on l.account_id = n.account_id and l.id >= $2::uuid
    join wallets w on w.id = l.wallet_id
   where l.state in ('waiting', 'review', 'wrong_amount') and (l.state = 'wrong_amount' or not l.unmatched_owed) and ${isMoney}
     and ${notTold("case l.state when 'wrong_amount' then 'wrong_amount' else 'unmatched' end", 'l.id::text')}
   order by l.id
   limit $3`,
)

/**
 * Requests since an instant that wait, and those that were decided or ended, each not told yet. A decided request is for who asked
 * alone. `needs_owner`: only owners may confirm it. Requests that their member withdrew are not told. Indexes: limit_requests_open,
 * limit_requests_decided_at.
 */
export const newRequests = statement(
  'new_requests',
  {
    account_id: uuid<AccountId>(),
    id: uuid<RequestId>(),
    kind: text<'request_asked' | 'request_decided'>(),
    wallet_id: nullable(uuid<WalletId>()),
    asked_by: uuid<UserId>(),
    needs_owner: bool(),
    at: instant(),
  },
  (accountIds: readonly AccountId[], since: Instant, now: Instant, limit: number) => [
    accountIds,
    at(since),
    at(now),
    limit,
  ],
  `
  select r.account_id, r.id, 'request_asked'::text as kind, r.wallet_id, r.asked_by, r.needs_owner, r.asked_at as at
    from unnest($1::uuid[]) as n (account_id)
    join limit_requests r on r.account_id = n.account_id and r.state = 'open' and r.asked_at >= $2 and r.expires_at > $3
   where ${notTold("'request_asked'", 'r.id::text')}
  union all
  select r.account_id, r.id, 'request_decided', r.wallet_id, r.asked_by, false, r.decided_at
    from unnest($1::uuid[]) as n (account_id)
    join limit_requests r on r.account_id = n.account_id and r.decided_at >= $2
   where r.state <> 'withdrawn' and ${notTold("'request_decided'", 'r.id::text')}
   limit $4`,
)

/** Problems of endpoints have a kind of their own. */
const noNotice = `('webhook_failing', 'webhook_disabled', 'webhook_gone')`

/** Notices to the owners of accounts, not told yet. Index: primary key, a range of ids. */
export const newOwnerNotices = statement(
  'new_owner_notices',
  { account_id: uuid<AccountId>(), id: uuid<NoticeId>(), object_kind: text(), object_id: text(), at: instant() },
  (accountIds: readonly AccountId[], sinceId: string, limit: number) => [accountIds, sinceId, limit],
  `
  select o.account_id, o.id, o.object_kind, o.object_id, o.at
    from unnest($1::uuid[]) as n (account_id)
    join owner_notices o on o.account_id = n.account_id and o.id >= $2::uuid
   where o.kind not in ${noNotice} and ${notTold("'notice'", 'o.id::text')}
   order by o.id
   limit $3`,
)

/** Notices to users about themselves who have a device in these accounts. Indexes: push_devices_of_member, primary key. */
export const newUserNotices = statement(
  'new_user_notices',
  { account_id: uuid<AccountId>(), user_id: uuid<UserId>(), id: uuid<NoticeId>(), at: instant() },
  (accountIds: readonly AccountId[], sinceId: string, limit: number) => [accountIds, sinceId, limit],
  `
  select n.account_id, o.user_id, o.id, o.at
    from (select distinct d.account_id, d.user_id from push_devices d where d.account_id = any ($1::uuid[])) as n
    join user_notices o on o.user_id = n.user_id and o.id >= $2::uuid
   where ${notTold("'notice'", 'o.id::text')}
   order by o.id
   limit $3`,
)

const millis = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::int8`
const phoneObject = `d.id || ' ' || ${millis('d.last_seen_at')}`

/** Phones that are silent (silence.ts), each silence once. A phone that never made contact is not told. Index: devices_account_id_id_key. */
export const newlySilentPhones = statement(
  'newly_silent_phones',
  { account_id: uuid<AccountId>(), id: uuid<PhoneId>(), object: text(), ...signsColumns },
  (accountIds: readonly AccountId[], now: Instant, limit: number) => [accountIds, at(now), limit],
  `
  select d.account_id, d.id, ${phoneObject} as object, ${signsFields('d', 'r')}
    from unnest($1::uuid[]) as n (account_id)
    join devices d on d.account_id = n.account_id
    left join phone_rhythms r on r.device_id = d.id
   where d.switched_on and d.last_seen_at is not null and ${isSilentSql('d', 'r', '$2::timestamptz')}
     and ${notTold("'phone_silent'", phoneObject)}
   limit $3`,
)

const failingObject = `e.id || ' ' || ${millis('e.failing_since')}`
const disabledObject = `e.id || ' off ' || ${millis('e.disabled_at')}`

/**
 * Endpoints that have failed since before $2, with at least $3 failures; and those that the service disabled since $4. Each once.
 * Index: primary key.
 */
export const newlyFailingEndpoints = statement(
  'newly_failing_endpoints',
  { account_id: uuid<AccountId>(), id: uuid<EndpointId>(), object: text(), since: instant() },
  (
    accountIds: readonly AccountId[],
    failingSince: Instant,
    failures: number,
    disabledSince: Instant,
    limit: number,
  ) => [accountIds, at(failingSince), failures, at(disabledSince), limit],
  `
  select e.account_id, e.id, ${failingObject} as object, e.failing_since as since
    from unnest($1::uuid[]) as n (account_id)
    join webhook_endpoints e on e.account_id = n.account_id
   where e.deleted_at is null and e.enabled and e.failing_since <= $2 and e.failures >= $3
     and ${notTold("'endpoint_failing'", failingObject)}
  union all
  select e.account_id, e.id, ${disabledObject}, e.disabled_at
    from unnest($1::uuid[]) as n (account_id)
    join webhook_endpoints e on e.account_id = n.account_id
   where e.deleted_at is null and not e.enabled and e.disabled_why in ('gone', 'failing') and e.disabled_at >= $4
     and ${notTold("'endpoint_failing'", disabledObject)}
   limit $5`,
)
