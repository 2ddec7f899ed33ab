import type { AccountId, DeviceId, ProviderId, WalletId } from '../ground/ids.ts'
import { bool, minor, nullable, text, uuid } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/** The wallets whose alerts a phone reports, at most 100. Index: wallets_of_device. */
export const walletsOfDevice = statement(
  'wallets_of_device',
  {
    id: uuid<WalletId>(),
    name: text(),
    provider_id: uuid<ProviderId>(),
    sender_name: text(),
    currency: text(),
    sim_slot: text(),
    is_test: bool(),
    review_above: nullable(minor()),
    low_trust_limit: minor(),
    review_broken_chains: bool(),
  },
  (accountId: AccountId, deviceId: DeviceId) => [accountId, deviceId],
  `
  select id, name, provider_id, sender_name, currency, sim_slot, is_test, review_above, low_trust_limit,
         review_broken_chains
    from wallets
   where account_id = $1 and device_id = $2 and active and sender_name <> ''
   order by id
   limit 100`,
)
