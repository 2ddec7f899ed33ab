import type { Instant } from '../core/clock.ts'
import type { PhoneId, WalletId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at, nullable, uuid } from '../postgres/query/columns.ts'
import { noColumns, scoped } from '../postgres/query/statement.ts'
import type { TestWallet } from './test-wallet.ts'

/** Inserts the test wallet of a new account. It needs no phone. */
export const insertTestWallet = scoped(
  'insert_test_wallet',
  noColumns,
  (scope: Scope, wallet: TestWallet, now: Instant) => [
    scope.accountId,
    wallet.id,
    wallet.providerId,
    wallet.name,
    wallet.accountNumber,
    wallet.senderName,
    at(now),
    wallet.currency,
  ],
  `
  insert into wallets (account_id, id, identity, provider_id, name, account_number, sender_name, is_test, created_at, currency)
  values ($1, $2, $2, $3, $4, $5, $6, true, $7, $8)`,
)

/** Binds a phone to the account's test wallet. Index: wallets_one_test. */
export const bindTestWallet = scoped(
  'bind_test_wallet',
  { id: uuid<WalletId>() },
  (scope: Scope, phoneId: PhoneId) => [scope.accountId, phoneId],
  `
  update wallets set device_id = $2, version = version + 1, reread = true
   where account_id = $1 and is_test
  returning id`,
)

/**
 * The test wallet and its phone. The wallet is locked until the transaction ends: two first payments at once create one phone.
 * Index: wallets_one_test.
 */
export const lockTestWallet = scoped(
  'lock_test_wallet',
  { id: uuid<WalletId>(), device_id: nullable(uuid<PhoneId>()) },
  (scope: Scope) => [scope.accountId],
  `select id, device_id from wallets where account_id = $1 and is_test for no key update`,
)
