/** Providers with the numbers of their active templates and wallets. */
import { type AccountId, type ProviderId, smallestId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { AccountProvider } from '../../wallets/providers/account-provider.ts'
import { findProvider, listProviders, providerOf, sharedProviders } from './providers-sql.ts'

const beforeAll = ['', smallestId] as const

export const providersOf = async (
  db: Session,
  accountId: AccountId,
  after: readonly [place: string, id: string] = beforeAll,
  size: number,
): Promise<AccountProvider[]> => (await listProviders(db, accountId, after, size)).map(providerOf)

export const findProviderOf = async (
  db: Session,
  accountId: AccountId,
  id: string,
): Promise<AccountProvider | undefined> => {
  const [row] = await findProvider(db, accountId, id)
  return row && providerOf(row)
}

export const allSharedProviders = (db: Session) => sharedProviders(db, null)

export const findSharedProvider = async (db: Session, id: ProviderId) => (await sharedProviders(db, id))[0]
