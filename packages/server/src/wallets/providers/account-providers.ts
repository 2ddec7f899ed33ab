/**
 * The providers that an account owns: its members add and change them. Members use the operator's providers too, but
 * cannot change them. Another app whose notifications count needs an owner. The caller opens the transaction.
 */
import { lockAccount } from '../../accounts/tenants/lock-account-sql.ts'
import { type ProviderId, randomId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { type Authority, refuseWithoutOwner } from '../trust/authority.ts'
import { type OwnerReason, providerNeedsOwner } from '../trust/needs-owner.ts'
import type { ProviderSettings } from './account-provider.ts'
import { isInUse } from './provider-apps.ts'
import { countOwnProviders, insertOwnProvider, lockOwnProvider, settingsOf, updateOwnProvider } from './provider-sql.ts'

export const mostProviders = 100

export const createProvider = async (
  tx: Tx,
  scope: Scope,
  provider: ProviderSettings,
): Promise<{ readonly id: ProviderId } | Refusal<'provider_limit'>> => {
  await lockAccount(tx, scope)
  const [count] = await countOwnProviders(tx, scope)
  if (count!.providers >= mostProviders) return refuse('provider_limit')
  const id = randomId<ProviderId>()
  await insertOwnProvider(tx, scope, id, provider)
  return { id }
}

export type ProviderChanges = { readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] | undefined }

/** The caller has checked that the account may see the provider: if it is not the account's own, it is the operator's. */
export const changeProvider = async (
  tx: Tx,
  scope: Scope,
  id: ProviderId,
  changes: ProviderChanges,
  authority: Authority,
): Promise<
  | {
      readonly before: ProviderSettings
      readonly after: ProviderSettings
      /** What of the change needed an owner. */
      readonly reasons: readonly OwnerReason[]
    }
  | Refusal<'read_only' | 'owner_needed' | 'confirmation_required'>
> => {
  const [row] = await lockOwnProvider(tx, scope, id)
  if (row === undefined) return refuse('read_only')
  const before = settingsOf(row)
  const changedFields = Object.entries(changes).filter(([, value]) => value !== undefined)
  const after: ProviderSettings = { ...before, ...Object.fromEntries(changedFields) }
  const senders = await authority.sendersOf(tx, scope, id)
  const reasons = providerNeedsOwner(before, after, await isInUse(tx, scope, id, senders))
  const needed = refuseWithoutOwner(authority, reasons)
  if (needed !== undefined) return needed
  await updateOwnProvider(tx, scope, id, after)
  return { before, after, reasons }
}
