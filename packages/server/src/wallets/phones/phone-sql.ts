import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, bytes, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, onlyRow, type RowOf, scoped, statement } from '../../postgres/query/statement.ts'

const phoneColumns = {
  id: uuid<PhoneId>(),
  account_id: uuid<AccountId>(),
  name: text(),
  switched_on: bool(),
  awaited: bool(),
  secret_sealed: nullable(bytes()),
  secret_version: whole(),
  secret_used: bool(),
  previous_secret_sealed: nullable(bytes()),
  ingest_token_hash: nullable(bytes()),
  signing_key_sealed: nullable(bytes()),
  ingest_adapter: text(),
  last_seen_at: nullable(instant()),
  self_test_at: nullable(instant()),
  self_test_until: nullable(instant()),
  watches: jsonText(),
}

export type PhoneRow = RowOf<typeof phoneColumns>

/** The phone, the senders of its wallets and the packages of their apps. Index: primary keys, wallets_of_device,
 *  wallet_phones_of_device. */
export const findPhoneById = statement(
  'find_phone_by_id',
  phoneColumns,
  (id: string) => [id],
  `
  select d.id, d.account_id, d.name, d.switched_on, d.awaited, d.secret_sealed, d.secret_version, d.secret_used,
         d.previous_secret_sealed, d.ingest_token_hash, d.signing_key_sealed, d.ingest_adapter, d.last_seen_at, d.self_test_at,
         d.self_test_until,
         (select coalesce(json_agg(json_build_array(w.sender_name, w.sim_slot, p.packages)
                                   order by w.sender_name collate "C", w.sim_slot, p.packages), '[]')
            from (select sender_name, sim_slot, provider_id from wallets
                   where account_id = d.account_id and device_id = d.id and active and sender_name <> ''
                  union
                  select o.sender_name, f.sim_slot, o.provider_id
                    from wallet_phones f
                    join wallets o on o.account_id = f.account_id and o.id = f.wallet_id
                   where f.account_id = d.account_id and f.device_id = d.id and o.active and o.sender_name <> '') w
            join providers p on p.id = w.provider_id) as watches
    from devices d
   where d.id = $1`,
)

/** Index: devices_ingest_token_hash_key. */
export const findPhoneByToken = statement(
  'find_phone_by_token',
  { id: uuid<PhoneId>() },
  (tokenHash: Buffer) => [tokenHash],
  `select id from devices where ingest_token_hash = $1`,
)

/** Inserts a phone that has not been in contact yet. */
export const insertUnpairedPhone = statement(
  'insert_unpaired_phone',
  noColumns,
  (phone: {
    id: PhoneId
    accountId: AccountId
    name: string
    pairingHash: Buffer
    pairingUntil: Instant
    by: string
    now: Instant
  }) => [phone.id, phone.accountId, phone.name, phone.pairingHash, at(phone.pairingUntil), at(phone.now), phone.by],
  `
  insert into devices (id, account_id, name, awaited, pairing_hash, pairing_until, created_at, pairing_by)
  values ($1, $2, $3, true, $4, $5, $6, $7)`,
)

/** Inserts a phone of the demo: it is paired from the start and has the address of an app too, so that both ways can be tried. No
 *  other phone has both; the first new pairing or access ends the other way. */
export const insertPhone = statement(
  'insert_phone',
  noColumns,
  (phone: {
    id: PhoneId
    accountId: AccountId
    name: string
    on: boolean
    secretSealed: Buffer
    ingestTokenHash: Buffer
    ingestAdapter: string
    now: Instant
  }) => [
    phone.id,
    phone.accountId,
    phone.name,
    phone.on,
    phone.secretSealed,
    phone.ingestTokenHash,
    phone.ingestAdapter,
    at(phone.now),
  ],
  `
  insert into devices (id, account_id, name, switched_on, secret_sealed, secret_version, ingest_token_hash, ingest_adapter,
                       created_at, paired_at)
  values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $8)`,
)

/** A user switches a phone. After that, the phone's first contact no longer switches it on. */
export const switchPhoneRow = scoped(
  'switch_phone_row',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, on: boolean) => [scope.accountId, id, on],
  `update devices set switched_on = $3, awaited = false where account_id = $1 and id = $2 returning id`,
)

/** Sets a new pairing code; an unused one is replaced. */
export const replacePairing = scoped(
  'replace_pairing',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, pairingHash: Buffer, until: Instant, by: string) => [
    scope.accountId,
    id,
    pairingHash,
    at(until),
    by,
  ],
  `
  update devices set pairing_hash = $3, pairing_until = $4, pairing_tries = 0, pairing_by = $5
   where account_id = $1 and id = $2
  returning id`,
)

/**
 * The phones whose open codes have one prefix, locked: two phones cannot use one code, and every try counts. Index:
 * devices_pairing.
 */
export const lockPairings = statement(
  'lock_pairings',
  { id: uuid<PhoneId>(), account_id: uuid<AccountId>(), pairing_hash: bytes(), name: text(), pairing_by: text() },
  (first: Buffer, last: Buffer, tries: number, now: Instant) => [first, last, tries, at(now)],
  `
  select id, account_id, pairing_hash, name, pairing_by
    from devices
   where pairing_hash between $1 and $2 and pairing_tries < $3 and pairing_until > $4
   order by id
   limit 100
     for update`,
)

export const countPairingTry = statement(
  'count_pairing_try',
  noColumns,
  (ids: readonly PhoneId[]) => [ids],
  `update devices set pairing_tries = pairing_tries + 1 where id = any($1::uuid[])`,
)

/**
 * Stores a new secret and ends the pairing code. The secret that was in use stays valid until the new one is used; a
 * secret that was never used is replaced, unless it is the only one. A phone that waited for its first contact is switched
 * on; otherwise the switch stays. A phone reports in one way: the address and the key of an app end.
 */
export const completePairing = scoped(
  'complete_pairing',
  { secret_version: whole() },
  (scope: Scope, id: PhoneId, secretSealed: Buffer, about: string, now: Instant) => [
    scope.accountId,
    id,
    secretSealed,
    about,
    at(now),
  ],
  `
  update devices
     set previous_secret_sealed = case when secret_used or previous_secret_sealed is null then secret_sealed
                                       else previous_secret_sealed end,
         secret_sealed = $3, secret_version = secret_version + 1, secret_used = false,
         pairing_hash = null, pairing_until = null, pairing_tries = 0, pairing_by = '', paired_at = $5,
         switched_on = switched_on or awaited, awaited = false,
         ingest_token_hash = null, signing_key_sealed = null, ingest_adapter = '', refused_app = '', refused_app_at = null,
         about = $4, last_seen_at = greatest(last_seen_at, $5)
   where account_id = $1 and id = $2
  returning secret_version`,
)

/** Switches on a phone that waits for its first contact. Of several contacts at once, one gets a row. Index: primary key. */
export const switchOnAwaited = scoped(
  'switch_on_awaited',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `update devices set switched_on = true, awaited = false where account_id = $1 and id = $2 and awaited returning id`,
)

/** Marks the secret of this version as used: the previous one is no longer valid. */
export const usePhoneSecret = scoped(
  'use_phone_secret',
  noColumns,
  (scope: Scope, id: PhoneId, version: number) => [scope.accountId, id, version],
  `
  update devices set secret_used = true, previous_secret_sealed = null
   where account_id = $1 and id = $2 and secret_version = $3 and not secret_used`,
)

/** A new address, for one app. Attempts by other apps at the old one are forgotten. A phone reports in one way: a secret of the
 *  native protocol ends. */
export const replaceIngestAccess = scoped(
  'replace_ingest_access',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, tokenHash: Buffer, signingKeySealed: Buffer | null, adapter: string, now: Instant) => [
    scope.accountId,
    id,
    tokenHash,
    signingKeySealed,
    at(now),
    adapter,
  ],
  `
  update devices
     set ingest_token_hash = $3, signing_key_sealed = $4, paired_at = $5, ingest_adapter = $6, refused_app = '',
         refused_app_at = null, secret_sealed = null, previous_secret_sealed = null, secret_used = false
   where account_id = $1 and id = $2
  returning id`,
)

/** Gives an address to the app that used it first. No row: another app was first, or the address was replaced. Index: primary
 *  key. */
export const bindIngestAdapter = scoped(
  'bind_ingest_adapter',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, tokenHash: Buffer, adapter: string) => [scope.accountId, id, tokenHash, adapter],
  `
  update devices set ingest_adapter = $4
   where account_id = $1 and id = $2 and ingest_token_hash = $3 and ingest_adapter in ('', $4)
  returning id`,
)

/** Stores that another app used the phone's address and was refused. Index: primary key. */
export const saveRefusedApp = scoped(
  'save_refused_app',
  noColumns,
  (scope: Scope, id: PhoneId, adapter: string, now: Instant) => [scope.accountId, id, adapter, at(now)],
  `
  update devices set refused_app = $3, refused_app_at = greatest(refused_app_at, $4)
   where account_id = $1 and id = $2`,
)

/** Only an app with an address has a key. A phone from before that has a secret of the native protocol as well reports in one way
 *  from now on: by the app. Index: primary key. */
export const replaceSigningKey = scoped(
  'replace_signing_key',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId, signingKeySealed: Buffer | null, now: Instant) => [
    scope.accountId,
    id,
    signingKeySealed,
    at(now),
  ],
  `
  update devices
     set signing_key_sealed = $3, paired_at = $4,
         secret_sealed = case when ingest_token_hash is null then secret_sealed end,
         previous_secret_sealed = case when ingest_token_hash is null then previous_secret_sealed end,
         secret_used = secret_used and ingest_token_hash is null
   where account_id = $1 and id = $2
  returning id`,
)

/** Stores what a phone reports about itself; the values are added to the earlier ones. */
export const addHealth = scoped(
  'add_health',
  noColumns,
  (scope: Scope, id: PhoneId, health: string, now: Instant) => [scope.accountId, id, health, at(now)],
  `
  update devices
     set health = (health::jsonb || $3::jsonb)::json, last_seen_at = greatest(last_seen_at, $4)
   where account_id = $1 and id = $2`,
)

/** Stores a heartbeat and what the phone reports about itself. $4: the values are added to the earlier ones instead of
 *  replacing them. $6: seconds between heartbeats; null: not known. */
export const saveHeartbeat = scoped(
  'save_heartbeat',
  noColumns,
  (scope: Scope, id: PhoneId, health: string, adds: boolean, now: Instant, period_s: number | null) => [
    scope.accountId,
    id,
    health,
    adds,
    at(now),
    period_s,
  ],
  `
  update devices
     set health = case when $4::boolean then (health::jsonb || $3::jsonb)::json else $3::json end,
         last_seen_at = greatest(last_seen_at, $5), heartbeat_at = greatest(heartbeat_at, $5), heartbeat_s = $6
   where account_id = $1 and id = $2`,
)

export const saveSeen = scoped(
  'save_seen',
  noColumns,
  (scope: Scope, id: PhoneId, alert: boolean, now: Instant) => [scope.accountId, id, alert, at(now)],
  `
  update devices
     set last_seen_at = greatest(last_seen_at, $4::timestamptz),
         last_alert_at = case when $3::boolean then greatest(last_alert_at, $4::timestamptz) else last_alert_at end
   where account_id = $1 and id = $2`,
)

export type RequestKey = { readonly phoneId: PhoneId; readonly requestId: string }

/** The stored answers to these requests. Index: primary key, once for each. */
export const findPhoneRequests = statement(
  'find_phone_requests',
  { device_id: uuid<PhoneId>(), request_id: uuid(), answer: text() },
  (requests: readonly RequestKey[]) => [
    requests.map((request) => request.phoneId),
    requests.map((request) => request.requestId),
  ],
  `
  select r.device_id, r.request_id, r.answer
    from unnest($1::uuid[], $2::uuid[]) as n (device_id, request_id)
   cross join lateral (
         select * from device_requests r
          where ${onlyRow('r.device_id = n.device_id', 'r.request_id', 'n.request_id')}) as r`,
)

/** Stores the answers. Returns the requests that had no stored answer. */
export const rememberPhoneRequests = statement(
  'remember_phone_requests',
  { device_id: uuid<PhoneId>(), request_id: uuid() },
  (answered: readonly (RequestKey & { readonly answer: string; readonly now: Instant })[]) => [
    answered.map((request) => request.phoneId),
    answered.map((request) => request.requestId),
    answered.map((request) => request.answer),
    answered.map((request) => at(request.now)),
  ],
  `
  insert into device_requests (device_id, request_id, status, answer, at)
  select device_id, request_id, 200, answer, at
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as n (device_id, request_id, answer, at)
   order by device_id, request_id
  on conflict (device_id, request_id) do nothing
  returning device_id, request_id`,
)

/** Index: device_requests_old. */
export const prunePhoneRequests = statement(
  'prune_phone_requests',
  { request_id: uuid() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from device_requests
   where (device_id, request_id) in (
     select device_id, request_id from device_requests
      where at <= $1 order by at limit $2
        for update skip locked)
  returning request_id`,
)
