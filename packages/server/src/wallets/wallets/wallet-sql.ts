import type { TestWallet } from '../../accounts/tenants/test-wallet.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeviceId, ProviderId, WalletId } from '../../core/ids.ts'
import { at, bool, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { none, type RowOf, statement } from '../../postgres/query/statement.ts'
import type { ProviderStatus, Wallet } from './wallet.ts'

export const walletColumns = {
  id: uuid<WalletId>(),
  account_id: uuid<AccountId>(),
  name: text(),
  account_number: text(),
  sender_name: text(),
  currency: text(),
  sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  active: bool(),
  is_test: bool(),
  device_id: nullable(uuid<DeviceId>()),
  device_on: bool(),
  readable: bool(),
  version: whole(),
  provider_id: uuid<ProviderId>(),
  provider_name: text(),
  provider_display_name: text(),
  provider_theme_color: text(),
  provider_logo_url: text(),
  provider_status: text<ProviderStatus>(),
  provider_version: whole(),
}

export const walletFields = `
         w.id, w.account_id, w.name, w.account_number, w.sender_name, w.currency, w.sim_slot, w.active, w.is_test,
         w.device_id,
         coalesce(d.switched_on, false)
         or exists (select from wallet_phones f
                      join devices o on o.account_id = f.account_id and o.id = f.device_id
                     where f.account_id = w.account_id and f.wallet_id = w.id and o.switched_on) as device_on,
         exists (select from alert_templates t
                  where t.provider_id = w.provider_id and t.status = 'active'
                    and (t.account_id is null or t.account_id = w.account_id)) as readable,
         w.version, p.id as provider_id, p.name as provider_name, p.display_name as provider_display_name,
         p.theme_color as provider_theme_color, p.logo_url as provider_logo_url, p.status as provider_status,
         p.version as provider_version`

export const walletSource = `
    from wallets w
    join providers p on p.id = w.provider_id
    left join devices d on d.account_id = w.account_id and d.id = w.device_id`

const walletRow = `
  select ${walletFields} ${walletSource}`

/** Index: primary keys, alert_templates_active. */
export const findWallet = statement(
  'find_wallet',
  walletColumns,
  (accountId: AccountId, id: string) => [accountId, id],
  `${walletRow}
   where w.account_id = $1 and w.id = $2`,
)

/** The wallets of an account, at most 1,000. Index: wallets_of_account. */
export const listWallets = statement(
  'list_wallets',
  walletColumns,
  (accountId: AccountId) => [accountId],
  `${walletRow}
   where w.account_id = $1
   order by w.name collate "C", w.id
   limit 1000`,
)

export const walletOf = (row: RowOf<typeof walletColumns>): Wallet => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  accountNumber: row.account_number,
  senderName: row.sender_name,
  currency: row.currency,
  simSlot: row.sim_slot,
  active: row.active,
  isTest: row.is_test,
  deviceId: row.device_id,
  deviceOn: row.device_on,
  readable: row.readable,
  version: row.version,
  provider: {
    id: row.provider_id,
    name: row.provider_name,
    displayName: row.provider_display_name,
    themeColor: row.provider_theme_color,
    logoUrl: row.provider_logo_url,
    status: row.provider_status,
    version: row.provider_version,
  },
})

/** A provider of the operator; one that is there stays as it is. */
export const addProvider = statement(
  'add_provider',
  none,
  (provider: {
    id: ProviderId
    name: string
    displayName: string
    themeColor: string
    logoUrl: string
    packages: readonly string[]
  }) => [provider.id, provider.name, provider.displayName, provider.themeColor, provider.logoUrl, provider.packages],
  `
  insert into providers (id, name, display_name, theme_color, logo_url, packages) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do nothing`,
)

export const insertDevice = statement(
  'insert_device',
  none,
  (device: {
    id: DeviceId
    accountId: AccountId
    name: string
    on: boolean
    secretSealed: Buffer
    ingestTokenHash: Buffer
    now: Instant
  }) => [
    device.id,
    device.accountId,
    device.name,
    device.on,
    device.secretSealed,
    device.ingestTokenHash,
    at(device.now),
  ],
  `
  insert into devices (id, account_id, name, switched_on, secret_sealed, secret_version, ingest_token_hash, created_at,
                       paired_at)
  values ($1, $2, $3, $4, $5, 1, $6, $7, $7)`,
)

/** By a person, or for one: nothing that the phone sends moves it afterwards. */
export const switchDeviceRow = statement(
  'switch_device',
  { id: uuid<DeviceId>() },
  (accountId: AccountId, id: DeviceId, on: boolean) => [accountId, id, on],
  `update devices set switched_on = $3, awaited = false where account_id = $1 and id = $2 returning id`,
)

export const insertWallet = statement(
  'insert_wallet',
  none,
  (wallet: {
    id: WalletId
    accountId: AccountId
    providerId: ProviderId
    deviceId: DeviceId | null
    name: string
    accountNumber: string
    senderName: string
    simSlot: string
    active: boolean
    isTest: boolean
    now: Instant
  }) => [
    wallet.id,
    wallet.accountId,
    wallet.providerId,
    wallet.deviceId,
    wallet.name,
    wallet.accountNumber,
    wallet.senderName,
    wallet.simSlot,
    wallet.active,
    wallet.isTest,
    at(wallet.now),
  ],
  `
  insert into wallets (id, identity, account_id, provider_id, device_id, name, account_number, sender_name, sim_slot, active,
                       is_test, created_at)
  values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

/** The test wallet of a new account: it needs no phone. */
export const insertTestWallet = statement(
  'insert_test_wallet',
  none,
  (accountId: AccountId, wallet: TestWallet, now: Instant) => [
    accountId,
    wallet.id,
    wallet.providerId,
    wallet.name,
    wallet.accountNumber,
    wallet.senderName,
    at(now),
  ],
  `
  insert into wallets (account_id, id, identity, provider_id, name, account_number, sender_name, is_test, created_at)
  values ($1, $2, $2, $3, $4, $5, $6, true, $7)`,
)

/** A phone that reports the alerts of the account's testing wallet. Index: wallets_one_test. */
export const bindTestWallet = statement(
  'bind_test_wallet',
  { id: uuid<WalletId>() },
  (accountId: AccountId, deviceId: DeviceId) => [accountId, deviceId],
  `
  update wallets set device_id = $2, version = version + 1, reread = true
   where account_id = $1 and is_test
  returning id`,
)

/** The phone of the testing wallet, held until the end: two first payments make one phone. Index: wallets_one_test. */
export const holdTestWallet = statement(
  'hold_test_wallet',
  { id: uuid<WalletId>(), device_id: nullable(uuid<DeviceId>()) },
  (accountId: AccountId) => [accountId],
  `select id, device_id from wallets where account_id = $1 and is_test for no key update`,
)
