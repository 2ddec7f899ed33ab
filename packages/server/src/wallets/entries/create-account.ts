/**
 * Creates an account with its test wallet, both or neither, so that the first call of an integration has a wallet to collect
 * into. The provider of test wallets comes with the migrations.
 */
import { insertAccount } from '../../accounts/tenants/account-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, randomId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { newTestWallet } from '../test-wallet.ts'
import { insertTestWallet } from '../test-wallet-sql.ts'

/** `quota`: at most so many intents a calendar month; null: no limit. */
export const createAccount = async (db: Db, name: string, quota: number | null, now: Instant): Promise<AccountId> => {
  const id = randomId<AccountId>()
  await db.transaction(async (tx) => {
    await insertAccount(tx, { id, name, quota, now })
    await insertTestWallet(tx, wholeAccount(id), newTestWallet(), now)
  })
  return id
}
