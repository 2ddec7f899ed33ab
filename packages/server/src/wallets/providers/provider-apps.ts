/**
 * The apps of a provider, and those whose notifications an owner lets count. The operator vouches for the operator's providers.
 * The apps of an account's own provider are confirmed while it is in use: each way into use, and each app after it, needs an
 * owner. When it is no longer in use, its apps can be changed freely and no one is confirmed any more.
 */
import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { ProviderSenders } from '../trust/authority.ts'
import type { ProviderApps } from '../trust/needs-owner.ts'
import { hasOpenWallets, shareProvider } from './provider-sql.ts'

/** It has a sender, or an open wallet of the account. */
export const isInUse = async (tx: Tx, scope: Scope, id: ProviderId, { all }: ProviderSenders): Promise<boolean> =>
  all.length > 0 || (await hasOpenWallets(tx, scope, id))[0]!.wallets

/** The apps stay as they are until the transaction ends. `sendersOf`: read after the lock. */
export const appsOfProvider = async (
  tx: Tx,
  scope: Scope,
  id: ProviderId,
  sendersOf: (tx: Tx, scope: Scope, id: ProviderId) => Promise<ProviderSenders>,
): Promise<{ readonly apps: ProviderApps; readonly senders: ProviderSenders }> => {
  const [row] = await shareProvider(tx, scope, id)
  const all = row === undefined ? [] : (JSON.parse(row.packages) as string[])
  const senders = await sendersOf(tx, scope, id)
  const operators = row?.shared === true ? all : []
  const confirmed = (await isInUse(tx, scope, id, senders)) ? all : operators
  return { apps: { all, confirmed, operators }, senders }
}
