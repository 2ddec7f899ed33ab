/** The wallets of an account as its members see them: with their phones and the time of their last alert. */
import { smallestId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { AccountWallet } from '../../wallets/entries/account-wallet.ts'
import { accountWalletOf, findAccountWallet, listAccountWallets } from './account-wallets-sql.ts'

export const findWalletOf = async (db: Session, scope: Scope, id: string): Promise<AccountWallet | undefined> => {
  const [row] = await findAccountWallet(db, scope, id)
  return row && accountWalletOf(row)
}

const beforeAll = ['', smallestId] as const

export const walletsOf = async (
  db: Session,
  scope: Scope,
  after: readonly [name: string, id: string] = beforeAll,
  size: number,
): Promise<AccountWallet[]> => (await listAccountWallets(db, scope, after, size)).map(accountWalletOf)
