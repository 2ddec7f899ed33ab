import type { PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, instant, jsonText, minor, nullable, text } from '../../postgres/query/columns.ts'
import { type RowOf, scoped } from '../../postgres/query/statement.ts'
import type { AccountWallet, WatchingPhone } from '../../wallets/entries/account-wallet.ts'
import { type SignsList, signsIn } from '../../wallets/silence/phone-signs.ts'
import { signsJson } from '../../wallets/silence/silence-sql.ts'
import type { SimSlot } from '../../wallets/wallet-phones.ts'
import { walletColumns, walletFields, walletOf, walletSource } from './wallet-sql.ts'

const columns = {
  ...walletColumns,
  provider_display_name_ar: text(),
  device_name: nullable(text()),
  device_switched_on: bool(),
  device_connected: bool(),
  device_signs: jsonText(),
  further_phones: jsonText(),
  review_above: nullable(minor()),
  low_trust_limit: minor(),
  review_broken_chains: bool(),
  review_later_messages: bool(),
  created_at: instant(),
  last_alert_at: nullable(instant()),
  first_received_at: nullable(instant()),
  number_lengths: jsonText(),
  number_prefixes: jsonText(),
}

// The last alert must be found by alerts_of_wallet. By an index over all alerts of the account the search would be slow for
// a wallet without alerts.
const select = `
  select ${walletFields},
         p.display_name_ar as provider_display_name_ar,
         d.name as device_name,
         coalesce(d.switched_on, false) as device_switched_on,
         d.secret_sealed is not null or d.ingest_token_hash is not null as device_connected,
         ${signsJson('d', 'r')} as device_signs,
         (select coalesce(json_agg(json_build_array(
                   o.id, o.name, o.switched_on, o.secret_sealed is not null or o.ingest_token_hash is not null,
                   ${signsJson('o', 's')}, f.sim_slot) order by f.added_at, f.device_id), '[]')
            from wallet_phones f
            join devices o on o.account_id = f.account_id and o.id = f.device_id
            left join phone_rhythms s on s.account_id = o.account_id and s.device_id = o.id
           where f.account_id = w.account_id and f.wallet_id = w.id) as further_phones,
         w.review_above, w.low_trust_limit, w.review_broken_chains, w.review_later_messages, w.created_at,
         (select a.received_at from alerts a
           where a.account_id = w.account_id and a.wallet_id = w.id
           order by a.id desc limit 1) as last_alert_at,
         w.first_received_at, to_json(p.number_lengths) as number_lengths, to_json(p.number_prefixes) as number_prefixes
  ${walletSource}
    left join phone_rhythms r on r.account_id = w.account_id and r.device_id = w.device_id`

/** Index: primary keys, alert_templates_active, alerts_of_wallet. */
export const findAccountWallet = scoped(
  'find_account_wallet',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) => `${select}
   where w.account_id = $1 and w.id = $2 ${only('w.id')} ${only.everyDay()}`,
)

/** A page of wallets by name, after a given wallet. An account has at most 1,000 wallets. Index: wallets_of_account,
 *  alerts_of_wallet. */
export const listAccountWallets = scoped(
  'list_account_wallets',
  columns,
  (scope: Scope, after: readonly [name: string, id: string], limit: number) => [scope.accountId, ...after, limit],
  (only) => `${select}
   where w.account_id = $1 and (w.name collate "C", w.id) > ($2::text collate "C", $3::uuid) ${only('w.id')} ${only.everyDay()}
   order by w.name collate "C", w.id
   limit $4`,
)

type FurtherPhone = [id: PhoneId, name: string, on: boolean, connected: boolean, signs: SignsList, simSlot: SimSlot]

const phonesIn = (row: RowOf<typeof columns>): WatchingPhone[] => {
  if (row.device_id === null) return []
  const first: WatchingPhone = {
    id: row.device_id,
    name: row.device_name ?? '',
    on: row.device_switched_on,
    connected: row.device_connected,
    signs: signsIn(JSON.parse(row.device_signs) as SignsList),
    simSlot: row.sim_slot,
  }
  const further = (JSON.parse(row.further_phones) as FurtherPhone[]).map(
    ([id, name, on, connected, signs, simSlot]): WatchingPhone => ({
      id,
      name,
      on,
      connected,
      signs: signsIn(signs),
      simSlot,
    }),
  )
  return [first, ...further]
}

export const accountWalletOf = (row: RowOf<typeof columns>): AccountWallet => ({
  ...walletOf(row),
  providerNameArabic: row.provider_display_name_ar,
  phones: phonesIn(row),
  reviewAbove: row.review_above,
  lowTrustLimit: row.low_trust_limit,
  reviewBrokenChains: row.review_broken_chains,
  reviewLaterMessages: row.review_later_messages,
  uniqueAmountsMost: row.unique_amounts_most,
  createdAt: row.created_at,
  lastAlertAt: row.last_alert_at,
  firstReceivedAt: row.first_received_at,
  numberRule: { lengths: JSON.parse(row.number_lengths), prefixes: JSON.parse(row.number_prefixes) },
})
