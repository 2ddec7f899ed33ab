import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId, ProviderId, WalletId } from '../../core/ids.ts'
import { at, nullable, uuid } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import type { TestWallet } from './test-wallet.ts'

/**
 * Adds a provider of the operator. An existing one stays as it is; it only gets its Arabic name and its country if it has
 * neither.
 */
export const addProvider = statement(
  'add_provider',
  noColumns,
  (provider: {
    id: ProviderId
    name: string
    displayName: string
    themeColor: string
    logoUrl: string
    packages: readonly string[]
    displayNameArabic: string
    country: string
  }) => [
    provider.id,
    provider.name,
    provider.displayName,
    provider.themeColor,
    provider.logoUrl,
    provider.packages,
    provider.displayNameArabic,
    provider.country,
  ],
  `
  insert into providers (id, name, display_name, theme_color, logo_url, packages, display_name_ar, country)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (id) do update set display_name_ar = excluded.display_name_ar, country = excluded.country
   where providers.display_name_ar = '' and providers.country = ''`,
)

/** A phone that is paired from the start, for the demo. */
export const insertPhone = statement(
  'insert_device',
  noColumns,
  (phone: {
    id: PhoneId
    accountId: AccountId
    name: string
    on: boolean
    secretSealed: Buffer
    ingestTokenHash: Buffer
    now: Instant
  }) => [phone.id, phone.accountId, phone.name, phone.on, phone.secretSealed, phone.ingestTokenHash, at(phone.now)],
  `
  insert into devices (id, account_id, name, switched_on, secret_sealed, secret_version, ingest_token_hash, created_at,
                       paired_at)
  values ($1, $2, $3, $4, $5, 1, $6, $7, $7)`,
)

/** A user switches a phone. After that, the phone's first contact no longer switches it on. */
export const switchPhoneRow = statement(
  'switch_device',
  { id: uuid<PhoneId>() },
  (accountId: AccountId, id: PhoneId, on: boolean) => [accountId, id, on],
  `update devices set switched_on = $3, awaited = false where account_id = $1 and id = $2 returning id`,
)

export const insertWallet = statement(
  'insert_wallet',
  noColumns,
  (wallet: {
    id: WalletId
    accountId: AccountId
    providerId: ProviderId
    deviceId: PhoneId | null
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
  noColumns,
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

/** Binds a phone to the account's test wallet. Index: wallets_one_test. */
export const bindTestWallet = statement(
  'bind_test_wallet',
  { id: uuid<WalletId>() },
  (accountId: AccountId, deviceId: PhoneId) => [accountId, deviceId],
  `
  update wallets set device_id = $2, version = version + 1, reread = true
   where account_id = $1 and is_test
  returning id`,
)

/**
 * The phone of the test wallet, locked until the transaction ends: two first payments at once create one phone. Index:
 * wallets_one_test.
 */
export const lockTestWallet = statement(
  'hold_test_wallet',
  { id: uuid<WalletId>(), device_id: nullable(uuid<PhoneId>()) },
  (accountId: AccountId) => [accountId],
  `select id, device_id from wallets where account_id = $1 and is_test for no key update`,
)
