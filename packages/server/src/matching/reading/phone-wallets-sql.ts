import type { PhoneId, ProviderId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, instant, jsonText, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The senders that are known to an account, at most 5,000: of its wallets, open or closed; of its own and of shared templates
 *  of any status; and the packages of providers' apps. Index: wallets_of_account; templates and providers are few. */
export const sendersKnown = scoped(
  'senders_known',
  { sender_name: text() },
  (scope: Scope) => [scope.accountId],
  `
  select w.sender_name from wallets w where w.account_id = $1 and w.sender_name <> ''
  union
  select s.name
    from alert_templates t
   cross join lateral unnest(t.sender_names) as s (name)
   where t.account_id is null or t.account_id = $1
  union
  select s.package
    from providers p
   cross join lateral unnest(p.packages) as s (package)
   where p.account_id is null or p.account_id = $1
   limit 5000`,
)

/** The open wallets whose alerts a phone reports, each with the SIM slot of this phone for it, at most 100. Index:
 *  wallets_of_device, wallet_phones_of_device. */
export const walletsOfPhone = scoped(
  'wallets_of_phone',
  {
    id: uuid<WalletId>(),
    identity: uuid<WalletIdentity>(),
    name: text(),
    account_number: text(),
    provider_id: uuid<ProviderId>(),
    sender_name: text(),
    currency: text(),
    sim_slot: text(),
    is_test: bool(),
    review_above: nullable(minor()),
    low_trust_limit: minor(),
    review_broken_chains: bool(),
    review_later_messages: bool(),
    unique_amounts: bool(),
    sender_at: nullable(instant()),
    packages: jsonText(),
    provider_names: jsonText(),
    never_received: bool(),
  },
  (scope: Scope, phoneId: PhoneId) => [scope.accountId, phoneId],
  `
  select w.id, w.identity, w.name, w.account_number, w.provider_id, w.sender_name, w.currency, h.sim_slot, w.is_test,
         w.review_above, w.low_trust_limit, w.review_broken_chains, w.review_later_messages,
         w.unique_amounts <> 'off' as unique_amounts, w.sender_at, array_to_json(p.packages) as packages,
         json_build_array(p.name, p.display_name, p.display_name_ar) as provider_names,
         w.first_received_at is null as never_received
    from (select f.id, f.sim_slot from wallets f where f.device_id = $2
          union all
          select x.wallet_id, x.sim_slot from wallet_phones x where x.device_id = $2) as h
   -- Lateral joins: one lookup by primary key for each row.
   cross join lateral (select * from wallets w where w.id = h.id order by w.id limit 1) as w
   cross join lateral (select * from providers p where p.id = w.provider_id order by p.id limit 1) as p
   where w.account_id = $1 and w.active and w.sender_name <> ''
   order by w.id
   limit 100`,
)
