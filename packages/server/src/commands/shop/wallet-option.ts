/** Reads the wallets that an option names. */
import { CommandError } from '../../command-error.ts'
import type { AccountId, WalletId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { listWallets } from '../../views/wallets/wallet-sql.ts'

export const walletsOf = async (db: Session, accountId: AccountId, ids: readonly string[]): Promise<WalletId[]> => {
  const own = (await listWallets(db, wholeAccount(accountId))).map(({ id }) => id)
  const unknown = ids.find((id) => !own.includes(id as WalletId))
  if (unknown !== undefined) throw new CommandError(`The account has no wallet ${unknown}.`)
  return own.filter((id) => ids.includes(id))
}

export const testWalletsOf = async (db: Session, accountId: AccountId): Promise<WalletId[]> => {
  const own = (await listWallets(db, wholeAccount(accountId))).filter(({ is_test }) => is_test)
  if (own.length === 0) throw new CommandError('The account has no test wallet.')
  return own.map(({ id }) => id)
}
