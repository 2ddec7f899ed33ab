import type { Instant } from '../../core/clock.ts'
import type { PhoneId, ProviderId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import {
  at,
  bool,
  instant,
  jsonText,
  minor,
  nullable,
  orNull,
  text,
  units,
  uuid,
  whole,
} from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { WalletSettings } from '../wallet.ts'
import type { SimSlot, WalletPhone } from '../wallet-phones.ts'

/** An advisory lock, held until the transaction ends. */
export const takeEntriesLock = statement(
  'take_entries_lock',
  { locked: whole() },
  (key: bigint) => [String(key)],
  'select count(pg_advisory_xact_lock($1::bigint))::int as locked',
)

/** The wallet's settings, locked until the transaction ends. Index: primary key. */
export const lockWallet = scoped(
  'lock_wallet',
  {
    name: text(),
    account_number: text(),
    provider_id: uuid<ProviderId>(),
    device_id: nullable(uuid<PhoneId>()),
    sender_name: text(),
    sim_slot: text<SimSlot>(),
    active: bool(),
    review_above: nullable(minor()),
    low_trust_limit: minor(),
    review_broken_chains: bool(),
    review_later_messages: bool(),
    is_test: bool(),
    identity: uuid(),
    sender_at: nullable(instant()),
  },
  (scope: Scope, id: WalletId) => [scope.accountId, id],
  `
  select name, account_number, provider_id, device_id, sender_name, sim_slot, active, review_above, low_trust_limit,
         review_broken_chains, review_later_messages, is_test, identity, sender_at
    from wallets
   where account_id = $1 and id = $2
     for no key update`,
)

/** The phone, locked until the transaction ends: wallets are bound to it one after the other. Index: primary key. */
export const lockPhone = scoped(
  'lock_phone',
  { id: uuid<PhoneId>() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `select id from devices where account_id = $1 and id = $2 for no key update`,
)

/** The other active wallets of a phone, each with its SIM in that phone, at most 101. Index: wallets_of_device,
 *  wallet_phones_of_device. */
export const otherWalletsOfPhone = scoped(
  'other_wallets_of_phone',
  {
    id: uuid<WalletId>(),
    name: text(),
    sender_name: text(),
    sim_slot: text<SimSlot>(),
  },
  (scope: Scope, phoneId: PhoneId, walletId: WalletId) => [scope.accountId, phoneId, walletId],
  `
  select id, name, sender_name, sim_slot
    from wallets
   where account_id = $1 and device_id = $2 and id <> $3 and active
  union all
  select o.id, o.name, o.sender_name, f.sim_slot
    from wallet_phones f
    join wallets o on o.account_id = f.account_id and o.id = f.wallet_id
   where f.account_id = $1 and f.device_id = $2 and o.id <> $3 and o.active
   order by id
   limit 101`,
)

/** A provider that the account may use: the operator's or its own. Index: primary key. */
export const usableProvider = scoped(
  'usable_provider',
  { id: uuid<ProviderId>(), display_name: text(), number_lengths: jsonText(), number_prefixes: jsonText() },
  (scope: Scope, id: ProviderId) => [scope.accountId, id],
  `
  select id, display_name, to_json(number_lengths) as number_lengths, to_json(number_prefixes) as number_prefixes
    from providers
   where id = $2 and (account_id is null or account_id = $1)`,
)

/** Index: wallets_of_account. */
export const countWallets = scoped(
  'count_wallets',
  { wallets: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as wallets from wallets where account_id = $1`,
)

const settingsParameters = (wallet: WalletSettings): unknown[] => [
  wallet.providerId,
  wallet.phoneId,
  wallet.name,
  wallet.accountNumber,
  wallet.senderName,
  wallet.simSlot,
  wallet.active,
  units(wallet.reviewAbove),
  units(wallet.lowTrustLimit),
  wallet.reviewBrokenChains,
  wallet.reviewLaterMessages,
]

/** Inserts a wallet. `reread`: earlier alerts of its sender are read again. */
export const insertAccountWallet = scoped(
  'insert_account_wallet',
  noColumns,
  (
    scope: Scope,
    id: WalletId,
    identity: string,
    wallet: WalletSettings,
    currency: string,
    senderAt: Instant | null,
    now: Instant,
  ) => [scope.accountId, id, ...settingsParameters(wallet), identity, at(now), orNull(senderAt), currency],
  `
  insert into wallets (account_id, id, provider_id, device_id, name, account_number, sender_name, sim_slot, active,
                       review_above, low_trust_limit, review_broken_chains, review_later_messages, identity, reread, created_at,
                       sender_at, currency, senders_had)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true, $15, $16, $17,
          array_remove(array[$7::text], ''))`,
)

/**
 * Increments the version: a cached wallet is checked again before an intent is created. $14: earlier alerts of its
 * sender are read again. $15: it has another number now, on which nothing has arrived yet.
 */
export const updateAccountWallet = scoped(
  'update_account_wallet',
  { version: whole() },
  (
    scope: Scope,
    id: WalletId,
    wallet: WalletSettings,
    senderAt: Instant | null,
    reread: boolean,
    renumbered: boolean,
  ) => [scope.accountId, id, ...settingsParameters(wallet), reread, renumbered, orNull(senderAt)],
  `
  update wallets
     set provider_id = $3, device_id = $4, name = $5, account_number = $6, sender_name = $7, sim_slot = $8, active = $9,
         review_above = $10, low_trust_limit = $11, review_broken_chains = $12, review_later_messages = $13,
         reread = reread or $14, first_received_at = case when $15::boolean then null else first_received_at end,
         sender_at = $16, version = version + 1,
         senders_had = array(select distinct s from unnest(senders_had || array[sender_name, $7::text]) as s where s <> '')
   where account_id = $1 and id = $2
  returning version`,
)

const limitsColumns = {
  lowTrustLimit: minor(),
  reviewAbove: nullable(minor()),
  reviewBrokenChains: bool(),
  reviewLaterMessages: bool(),
}

/** The strictest limits of several entries. */
const strictestLimits = `min(low_trust_limit) as "lowTrustLimit", min(review_above) as "reviewAbove",
         bool_or(review_broken_chains) as "reviewBrokenChains", bool_or(review_later_messages) as "reviewLaterMessages"`

/** The strictest limits of the entries, open or closed, that have or ever had a sender, without the entry itself. No row: there are
 *  none. The caller has locked the entries. Index: wallets_of_account. */
export const limitsOfSender = scoped(
  'limits_of_sender',
  limitsColumns,
  (scope: Scope, sender: string, without: WalletId) => [scope.accountId, sender, without],
  `
  select ${strictestLimits}
    from wallets
   where account_id = $1 and $2 <> '' and ($2 = sender_name or $2 = any(senders_had)) and id <> $3 and not is_test
  having count(*) > 0`,
)

/** The strictest limits of the entries of a real wallet. No row: it has none. Index: wallets_of_account. */
export const limitsOfIdentity = scoped(
  'limits_of_identity',
  limitsColumns,
  (scope: Scope, identity: string) => [scope.accountId, identity],
  `
  select ${strictestLimits}
    from wallets
   where account_id = $1 and identity = $2
  having count(*) > 0`,
)

/** Messages of these senders begin to count for the wallets that have them. Index: wallets_of_provider. */
export const startSenders = scoped(
  'start_senders',
  { id: uuid<WalletId>() },
  (scope: Scope, providerId: ProviderId, senders: readonly string[], now: Instant) => [
    scope.accountId,
    providerId,
    senders,
    at(now),
  ],
  `
  update wallets set sender_at = $4, version = version + 1
   where account_id = $1 and provider_id = $2 and sender_name = any($3::text[])
  returning id`,
)

/** The phones of the account's wallets of a provider, at most 500. Index: wallets_of_provider, primary key of wallet_phones. */
export const phonesOfProvider = scoped(
  'phones_of_provider',
  { device_id: uuid<PhoneId>() },
  (scope: Scope, providerId: ProviderId) => [scope.accountId, providerId],
  `
  select w.device_id from wallets w
   where w.account_id = $1 and w.provider_id = $2 and w.device_id is not null
  union
  select f.device_id
    from wallet_phones f
    join wallets w on w.account_id = f.account_id and w.id = f.wallet_id
   where w.account_id = $1 and w.provider_id = $2
   limit 500`,
)

/** The phones of a wallet after the first one, oldest first. Index: primary key. */
export const furtherPhones = scoped(
  'further_phones',
  { device_id: uuid<PhoneId>(), sim_slot: text<SimSlot>() },
  (scope: Scope, walletId: WalletId) => [scope.accountId, walletId],
  `
  select device_id, sim_slot from wallet_phones
   where account_id = $1 and wallet_id = $2
   order by added_at, device_id`,
)

/** Removes all further phones but `kept`. Index: primary key. */
export const dropFurtherPhones = scoped(
  'drop_further_phones',
  noColumns,
  (scope: Scope, walletId: WalletId, kept: readonly PhoneId[]) => [scope.accountId, walletId, kept],
  `delete from wallet_phones where account_id = $1 and wallet_id = $2 and device_id <> all($3::uuid[])`,
)

/** New phones are added after the existing ones, in the given order. Index: primary key. */
export const saveFurtherPhones = scoped(
  'save_further_phones',
  noColumns,
  (scope: Scope, walletId: WalletId, phones: readonly WalletPhone[], now: Instant) => [
    scope.accountId,
    walletId,
    phones.map(({ phoneId }) => phoneId),
    phones.map(({ simSlot }) => simSlot),
    phones.map((_, place) => at(now + place)),
  ],
  `
  insert into wallet_phones (account_id, wallet_id, device_id, sim_slot, added_at)
  select $1, $2, p.device_id, p.sim_slot, p.added_at
    from unnest($3::uuid[], $4::text[], $5::timestamptz[]) as p (device_id, sim_slot, added_at)
  on conflict (wallet_id, device_id) do update set sim_slot = excluded.sim_slot`,
)
