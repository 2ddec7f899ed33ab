import type { Instant } from '../../core/clock.ts'
import type { PhoneId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped } from '../../postgres/query/statement.ts'
import { signsOf } from '../silence/phone-signs.ts'
import { signsColumns, signsFields } from '../silence/silence-sql.ts'
import type { AccountPhone, BoundWallet } from './account-phone.ts'
import type { PhoneApp, SetupApp } from './phone-setup.ts'

const columns = {
  id: uuid<PhoneId>(),
  name: text(),
  switched_on: bool(),
  ...signsColumns,
  pairing_until: nullable(instant()),
  pairing_tries: whole(),
  /** Whether its forwarding app signs. */
  signs: bool(),
  refused_app: text(),
  refused_app_at: nullable(instant()),
  last_alert_at: nullable(instant()),
  about: jsonText(),
  health: jsonText(),
  wallets: jsonText(),
  created_at: instant(),
  awaited: bool(),
  self_test_at: nullable(instant()),
  self_test_until: nullable(instant()),
  setup_app: nullable(text<PhoneApp | ''>()),
  setup_opened_at: nullable(instant()),
  setup_chosen: nullable(text<SetupApp | ''>()),
  setup_chosen_at: nullable(instant()),
  setup_registered_at: nullable(instant()),
  setup_configured_at: nullable(instant()),
}

const select = `
  select d.id, d.name, d.switched_on, ${signsFields()}, d.pairing_until, d.pairing_tries,
         d.signing_key_sealed is not null as signs, d.refused_app, d.refused_app_at, d.last_alert_at, d.about, d.health,
         (select coalesce(json_agg(json_build_array(w.id, w.name, w.sender_name, w.sim_slot, w.active)
                                   order by w.name collate "C", w.id), '[]')
            from (select * from (
                    select id, name, sender_name, sim_slot, active from wallets
                     where account_id = d.account_id and device_id = d.id
                    union all
                    select o.id, o.name, o.sender_name, f.sim_slot, o.active
                      from wallet_phones f
                      join wallets o on o.account_id = f.account_id and o.id = f.wallet_id
                     where f.account_id = d.account_id and f.device_id = d.id) as bound
                   order by name collate "C", id limit 200) w) as wallets,
         d.created_at, d.awaited, d.self_test_at, d.self_test_until,
         s.app as setup_app, s.opened_at as setup_opened_at, s.chosen as setup_chosen,
         s.chosen_at as setup_chosen_at, s.registered_at as setup_registered_at, s.configured_at as setup_configured_at
    from devices d
    left join phone_setups s on s.account_id = d.account_id and s.device_id = d.id
    left join phone_rhythms r on r.account_id = d.account_id and r.device_id = d.id`

/** Index: primary keys, wallets_of_device, wallet_phones_of_device. */
export const findPhone = scoped(
  'find_phone',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `${select}
   where d.account_id = $1 and d.id = $2`,
)

/**
 * A page by name, after a given phone. An account has at most 500. Index: devices_account_id_id_key, wallets_of_device,
 * wallet_phones_of_device.
 */
export const listPhones = scoped(
  'list_phones',
  columns,
  (scope: Scope, after: readonly [name: string, id: string], limit: number) => [scope.accountId, ...after, limit],
  `${select}
   where d.account_id = $1 and (d.name collate "C", d.id) > ($2::text collate "C", $3::uuid)
   order by d.name collate "C", d.id
   limit $4`,
)

type BoundRow = [WalletId, string, string, BoundWallet['simSlot'], boolean]

export const phoneOf = (row: RowOf<typeof columns>): AccountPhone => ({
  id: row.id,
  name: row.name,
  on: row.switched_on,
  paired: row.paired,
  pairedAt: row.paired_at,
  pairingUntil: row.pairing_until,
  pairingTries: row.pairing_tries,
  forwards: row.forwards ? (row.signs ? 'signed' : 'unsigned') : 'no',
  refusedApp: row.refused_app_at === null ? null : { app: row.refused_app, at: row.refused_app_at },
  lastSeenAt: row.last_seen_at,
  signs: signsOf(row),
  lastAlertAt: row.last_alert_at,
  about: JSON.parse(row.about),
  health: JSON.parse(row.health),
  wallets: (JSON.parse(row.wallets) as BoundRow[]).map(([id, name, senderName, simSlot, active]) => ({
    id,
    name,
    senderName,
    simSlot,
    active,
  })),
  createdAt: row.created_at,
  awaited: row.awaited,
  setup: {
    app: row.setup_app ?? '',
    openedAt: row.setup_opened_at,
    chosen: row.setup_chosen ?? '',
    chosenAt: row.setup_chosen_at,
    registeredAt: row.setup_registered_at,
    configuredAt: row.setup_configured_at,
  },
  selfTest: row.self_test_at === null ? null : { at: row.self_test_at, until: row.self_test_until! },
})

/** Index: devices_account_id_id_key. */
export const countPhones = scoped(
  'count_phones',
  { phones: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as phones from devices where account_id = $1`,
)

/** $4: null leaves the switch as it is, and lets the first report still switch the phone on. */
export const updatePhone = scoped(
  'update_phone',
  noColumns,
  (scope: Scope, id: PhoneId, name: string, on: boolean | null) => [scope.accountId, id, name, on],
  `
  update devices
     set name = $3, switched_on = coalesce($4::boolean, switched_on), awaited = awaited and $4::boolean is null
   where account_id = $1 and id = $2`,
)

/** Begins a self-test; it replaces an earlier one. Index: primary key. */
export const saveSelfTest = scoped(
  'save_self_test',
  { name: text() },
  (scope: Scope, id: PhoneId, now: Instant, until: Instant) => [scope.accountId, id, at(now), at(until)],
  `update devices set self_test_at = $3, self_test_until = $4 where account_id = $1 and id = $2 returning name`,
)

/** The phone's settings, locked until the transaction ends; its alerts are still recorded. Index: primary key. */
export const lockPhoneSettings = scoped(
  'lock_phone_settings',
  { name: text(), switched_on: bool() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `select name, switched_on from devices where account_id = $1 and id = $2 for no key update`,
)

/** The phone, locked until the transaction ends: until then no wallet is bound to it and no alert of it is inserted. */
export const lockPhoneExclusively = scoped(
  'lock_phone_exclusively',
  { name: text() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `select name from devices where account_id = $1 and id = $2 for update`,
)

/** Whether a wallet is bound to the phone. A separate statement, run after the lock was taken, so that it sees what others
 *  committed while it waited for the lock. Index: wallets_of_device, wallet_phones_of_device. */
export const phoneHasWallets = scoped(
  'phone_has_wallets',
  { wallets: bool() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `
  select exists (select from wallets w where w.account_id = $1 and w.device_id = $2)
         or exists (select from wallet_phones f where f.account_id = $1 and f.device_id = $2) as wallets`,
)

/** Deletes the remembered answers of the phone. Index: primary keys. */
export const deletePhoneAnswers = scoped(
  'delete_phone_answers',
  noColumns,
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `
  delete from device_requests
   where device_id = (select id from devices where account_id = $1 and id = $2)`,
)

export const deletePhoneRow = scoped(
  'delete_phone_row',
  noColumns,
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `delete from devices where account_id = $1 and id = $2`,
)
