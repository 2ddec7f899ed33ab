/** Providers with the numbers of their active templates and wallets. */
import { type ProviderId, smallestId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { AccountProvider } from '../../wallets/providers/account-provider.ts'
import { findProvider, listProviders, providerOf, sharedProviders } from './providers-sql.ts'

const beforeAll = ['', smallestId] as const

export const providersOf = async (
  db: Session,
  scope: Scope,
  after: readonly [place: string, id: string] = beforeAll,
  size: number,
): Promise<AccountProvider[]> => (await listProviders(db, scope, after, size)).map(providerOf)

export const findProviderOf = async (db: Session, scope: Scope, id: string): Promise<AccountProvider | undefined> => {
  const [row] = await findProvider(db, scope, id)
  return row && providerOf(row)
}

export const allSharedProviders = (db: Session) => sharedProviders(db, null)

export const findSharedProvider = async (db: Session, id: ProviderId) => (await sharedProviders(db, id))[0]
