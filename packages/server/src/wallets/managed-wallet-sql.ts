import type { Instant } from '../ground/clock.ts'
import type { AccountId, DeviceId, ProviderId, WalletId } from '../ground/ids.ts'
import type { Minor } from '../ground/money.ts'
import { at, bool, instant, minor, nullable, text, uuid, whole } from '../postgres/columns.ts'
import { none, type RowOf, statement } from '../postgres/statement.ts'
import type { ManagedWallet, WalletSettings } from './managed-wallet.ts'
import { walletColumns, walletFields, walletOf, walletSource } from './wallet-sql.ts'

const columns = {
  ...walletColumns,
  device_name: nullable(text()),
  device_connected: bool(),
  device_seen_at: nullable(instant()),
  review_above: nullable(minor()),
  low_trust_limit: minor(),
  review_broken_chains: bool(),
  created_at: instant(),
  last_alert_at: nullable(instant()),
}

// The last alert is asked for by the wallet alone, which is the account's: only alerts_of_wallet can serve. With the account
// beside it, the alerts of all its wallets would be another way, and a long one for a wallet that saw none.
const managed = `
  select ${walletFields},
         d.name as device_name,
         d.secret_sealed is not null or d.ingest_token_hash is not null as device_connected,
         d.last_seen_at as device_seen_at, w.review_above, w.low_trust_limit, w.review_broken_chains, w.created_at,
         (select a.received_at from alerts a
           where a.account_id = w.account_id and a.wallet_id = w.id
           order by a.id desc limit 1) as last_alert_at
  ${walletSource}`

/** Index: primary keys, alert_templates_active, alerts_of_wallet. */
export const findManaged = statement(
  'find_managed_wallet',
  columns,
  (accountId: AccountId, id: string) => [accountId, id],
  `${managed}
   where w.account_id = $1 and w.id = $2`,
)

/** A page by name, beyond a given one. An account has at most 1,000. Index: wallets_of_account, alerts_of_wallet. */
export const listManaged = statement(
  'list_managed_wallets',
  columns,
  (accountId: AccountId, after: readonly [name: string, id: string], limit: number) => [accountId, ...after, limit],
  `${managed}
   where w.account_id = $1 and (w.name collate "C", w.id) > ($2::text collate "C", $3::uuid)
   order by w.name collate "C", w.id
   limit $4`,
)

export const managedOf = (row: RowOf<typeof columns>): ManagedWallet => ({
  ...walletOf(row),
  phone:
    row.device_id === null
      ? null
      : {
          id: row.device_id,
          name: row.device_name ?? '',
          on: row.device_on,
          connected: row.device_connected,
          lastSeenAt: row.device_seen_at,
        },
  reviewAbove: row.review_above,
  lowTrustLimit: row.low_trust_limit,
  reviewBrokenChains: row.review_broken_chains,
  createdAt: row.created_at,
  lastAlertAt: row.last_alert_at,
})

/** The wallet's settings, held until the end. Index: primary key. */
export const holdWallet = statement(
  'hold_wallet',
  {
    name: text(),
    account_number: text(),
    provider_id: uuid<ProviderId>(),
    device_id: nullable(uuid<DeviceId>()),
    sender_name: text(),
    sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
    active: bool(),
    review_above: nullable(minor()),
    low_trust_limit: minor(),
    review_broken_chains: bool(),
    is_test: bool(),
  },
  (accountId: AccountId, id: WalletId) => [accountId, id],
  `
  select name, account_number, provider_id, device_id, sender_name, sim_slot, active, review_above, low_trust_limit,
         review_broken_chains, is_test
    from wallets
   where account_id = $1 and id = $2
     for no key update`,
)

/** The phone, held until the end: whoever binds a wallet to it comes one after the other. Index: primary key. */
export const holdPhone = statement(
  'hold_phone',
  { id: uuid<DeviceId>() },
  (accountId: AccountId, id: DeviceId) => [accountId, id],
  `select id from devices where account_id = $1 and id = $2 for no key update`,
)

/** The other active wallets of a phone, at most 101. Index: wallets_of_device. */
export const neighboursOf = statement(
  'neighbours_of_wallet',
  {
    id: uuid<WalletId>(),
    name: text(),
    sender_name: text(),
    sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  },
  (accountId: AccountId, deviceId: DeviceId, walletId: WalletId) => [accountId, deviceId, walletId],
  `
  select id, name, sender_name, sim_slot
    from wallets
   where account_id = $1 and device_id = $2 and id <> $3 and active
   order by id
   limit 101`,
)

/** A provider that the account may use: the operator's, or its own. Index: primary key. */
export const usableProvider = statement(
  'usable_provider',
  { id: uuid<ProviderId>() },
  (accountId: AccountId, id: ProviderId) => [accountId, id],
  `select id from providers where id = $2 and (account_id is null or account_id = $1)`,
)

/** Index: wallets_of_account. */
export const countWallets = statement(
  'count_wallets',
  { wallets: whole() },
  (accountId: AccountId) => [accountId],
  `select count(*)::int as wallets from wallets where account_id = $1`,
)

const units = (money: Minor | null): string | null => (money === null ? null : String(money))

const settings = (wallet: WalletSettings): unknown[] => [
  wallet.providerId,
  wallet.deviceId,
  wallet.name,
  wallet.accountNumber,
  wallet.senderName,
  wallet.simSlot,
  wallet.active,
  units(wallet.reviewAbove),
  units(wallet.lowTrustLimit),
  wallet.reviewBrokenChains,
]

export const insertManaged = statement(
  'insert_managed_wallet',
  none,
  (accountId: AccountId, id: WalletId, wallet: WalletSettings, now: Instant) => [
    accountId,
    id,
    ...settings(wallet),
    at(now),
  ],
  `
  insert into wallets (account_id, id, identity, provider_id, device_id, name, account_number, sender_name, sim_slot, active,
                       review_above, low_trust_limit, review_broken_chains, created_at)
  values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)

/** The version counts up: what was answered from a cache a moment ago is looked at again before money is expected. */
export const updateManaged = statement(
  'update_managed_wallet',
  { version: whole() },
  (accountId: AccountId, id: WalletId, wallet: WalletSettings) => [accountId, id, ...settings(wallet)],
  `
  update wallets
     set provider_id = $3, device_id = $4, name = $5, account_number = $6, sender_name = $7, sim_slot = $8, active = $9,
         review_above = $10, low_trust_limit = $11, review_broken_chains = $12, version = version + 1
   where account_id = $1 and id = $2
  returning version`,
)
