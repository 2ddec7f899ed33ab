import type { AccountId, PhoneId, ProviderId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { type RowOf, scoped } from '../../postgres/query/statement.ts'
import type { ProviderStatus, Wallet } from '../../wallets/wallet.ts'

export const walletColumns = {
  id: uuid<WalletId>(),
  identity: uuid<WalletIdentity>(),
  account_id: uuid<AccountId>(),
  name: text(),
  account_number: text(),
  sender_name: text(),
  currency: text(),
  sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  active: bool(),
  is_test: bool(),
  device_id: nullable(uuid<PhoneId>()),
  device_on: bool(),
  readable: bool(),
  unique_amounts: text<'off' | 'more' | 'less'>(),
  unique_amounts_most: whole(),
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
         w.id, w.identity, w.account_id, w.name, w.account_number, w.sender_name, w.currency, w.sim_slot, w.active, w.is_test,
         w.device_id,
         coalesce(d.switched_on, false)
         or exists (select from wallet_phones f
                      join devices o on o.account_id = f.account_id and o.id = f.device_id
                     where f.account_id = w.account_id and f.wallet_id = w.id and o.switched_on) as device_on,
         exists (select from alert_templates t
                  where t.provider_id = w.provider_id and t.status = 'active'
                    and (t.account_id is null or t.account_id = w.account_id)) as readable,
         w.unique_amounts, w.unique_amounts_most, w.version, p.id as provider_id, p.name as provider_name, p.display_name as provider_display_name,
         p.theme_color as provider_theme_color, p.logo_url as provider_logo_url, p.status as provider_status,
         p.version as provider_version`

export const walletSource = `
    from wallets w
    join providers p on p.id = w.provider_id
    left join devices d on d.account_id = w.account_id and d.id = w.device_id`

const walletRow = `
  select ${walletFields} ${walletSource}`

/** Index: primary keys, alert_templates_active. */
export const findWallet = scoped(
  'find_wallet',
  walletColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) => `${walletRow}
   where w.account_id = $1 and w.id = $2 ${only('w.id')} ${only.everyDay()}`,
)

/** The wallets of an account, at most 1,000. Index: wallets_of_account. */
export const listWallets = scoped(
  'list_wallets',
  walletColumns,
  (scope: Scope) => [scope.accountId],
  (only) => `${walletRow}
   where w.account_id = $1 ${only('w.id')} ${only.everyDay()}
   order by w.name collate "C", w.id
   limit 1000`,
)

export const walletOf = (row: RowOf<typeof walletColumns>): Wallet => ({
  id: row.id,
  identity: row.identity,
  accountId: row.account_id,
  name: row.name,
  accountNumber: row.account_number,
  senderName: row.sender_name,
  currency: row.currency,
  simSlot: row.sim_slot,
  active: row.active,
  isTest: row.is_test,
  phoneId: row.device_id,
  phoneOn: row.device_on,
  readable: row.readable,
  uniqueAmounts: row.unique_amounts === 'off' ? null : { direction: row.unique_amounts, most: row.unique_amounts_most },
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
