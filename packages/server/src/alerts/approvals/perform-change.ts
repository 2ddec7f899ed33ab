/**
 * The changes that may need an owner, each done by the verb of its module: by an owner's call, by a manager's as far as the manager
 * may, and when an owner confirms an approval. All checks of the verb are made each time. The caller opens the transaction and,
 * after it, clears its caches.
 */
import type { Instant } from '../../core/clock.ts'
import type { ProviderId, TemplateId, WalletId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { isRefusal, type ManagementRefusalCode, type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import {
  type ChangedWallet,
  changeWallet,
  createWallet,
  type WalletChanges,
} from '../../wallets/entries/account-wallets.ts'
import type { ProviderSettings } from '../../wallets/providers/account-provider.ts'
import { changeProvider, type ProviderChanges } from '../../wallets/providers/account-providers.ts'
import type { Authority } from '../../wallets/trust/authority.ts'
import type { OwnerReason, ProviderTrust } from '../../wallets/trust/needs-owner.ts'
import type { WalletSettings } from '../../wallets/wallet.ts'
import { findTemplateOf, type ManagedTemplate, publishDraft } from '../publishing/account-templates.ts'
import { asManager } from './provider-senders.ts'

export type GuardedChange =
  | { readonly kind: 'wallet.create'; readonly wallet: WalletSettings }
  | { readonly kind: 'wallet.update'; readonly id: WalletId; readonly changes: Partial<WalletChanges> }
  | { readonly kind: 'provider.update'; readonly id: ProviderId; readonly changes: Partial<ProviderChanges> }
  | { readonly kind: 'template.publish'; readonly id: TemplateId }

export type Performed =
  | {
      readonly kind: 'wallet.create'
      readonly id: WalletId
      readonly after: WalletSettings
      /** The apps whose notifications count for it. */
      readonly apps: readonly string[]
      /** What of it needed an owner. */
      readonly reasons: readonly OwnerReason[]
    }
  | (ChangedWallet & { readonly kind: 'wallet.update'; readonly id: WalletId })
  | {
      readonly kind: 'provider.update'
      readonly id: ProviderId
      readonly before: ProviderSettings
      readonly after: ProviderSettings
      readonly reasons: readonly OwnerReason[]
    }
  | {
      readonly kind: 'template.publish'
      readonly id: TemplateId
      readonly template: ManagedTemplate
      /** Its provider before the template was published. */
      readonly provider: ProviderTrust
    }

/** Why a change is not made. */
export type ChangeRefusal = Refusal<ManagementRefusalCode>

/** The object is gone. */
export type Gone = 'gone'

/** `template_not_green`: `failures` holds one sentence a line. */
export const performChange = async (
  tx: Tx,
  scope: Scope,
  change: GuardedChange,
  authority: Authority,
  now: Instant,
): Promise<Performed | ChangeRefusal | Gone> => {
  switch (change.kind) {
    case 'wallet.create': {
      const done = await createWallet(tx, scope, change.wallet, now, authority)
      return isRefusal(done) ? done : { kind: change.kind, after: change.wallet, ...done }
    }
    case 'wallet.update': {
      const done = await changeWallet(tx, scope, change.id, change.changes as WalletChanges, now, authority)
      if (done === undefined) return 'gone'
      return isRefusal(done) ? done : { kind: change.kind, id: change.id, ...done }
    }
    case 'provider.update': {
      const done = await changeProvider(tx, scope, change.id, change.changes as ProviderChanges, authority)
      return isRefusal(done) ? done : { kind: change.kind, id: change.id, ...done }
    }
    case 'template.publish': {
      const done = await publishDraft(tx, scope, change.id, now, authority)
      if (isRefusal(done)) return done
      if (done.kind === 'refused') return refuse('template_not_green', { failures: done.failures.join('\n') })
      // Read after the account's templates were locked: it is what was published.
      const template = (await findTemplateOf(tx, scope, change.id))!
      return { kind: change.kind, id: change.id, template, provider: done.provider }
    }
  }
}

/** Thrown to undo what was done since the savepoint. */
class Undone {
  readonly value: Performed | ChangeRefusal | Gone
  constructor(value: Performed | ChangeRefusal | Gone) {
    this.value = value
  }
}

/** Does the change and undoes it. */
export const tryChange: typeof performChange = async (tx, ...change) => {
  try {
    return await tx.attempt(async () => {
      throw new Undone(await performChange(tx, ...change))
    })
  } catch (fault) {
    if (fault instanceof Undone) return fault.value
    throw fault
  }
}

export const ownerReasonsIn = ({ refused, facts }: Refusal): OwnerReason[] =>
  refused === 'owner_needed' ? ((facts?.reasons ?? '').split(',') as OwnerReason[]) : []

/** What of the change needs an owner now. */
export const reasonsOf = async (tx: Tx, scope: Scope, change: GuardedChange, now: Instant): Promise<OwnerReason[]> => {
  const alone = await tryChange(tx, scope, change, asManager, now)
  return alone !== 'gone' && isRefusal(alone) ? ownerReasonsIn(alone) : []
}

const withKey = (value: object, from: string, to: string): object =>
  from in value ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, one])) : value

/** Money is a bigint, which JSON does not have. `phoneId` is stored as `deviceId`, as open approvals have it. */
export const storedChange = (change: GuardedChange): string =>
  JSON.stringify(change, (_, value: unknown) => {
    if (typeof value === 'bigint') return { minor: String(value) }
    return typeof value === 'object' && value !== null ? withKey(value, 'phoneId', 'deviceId') : value
  })

export const changeFrom = (stored: string): GuardedChange =>
  JSON.parse(stored, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    return 'minor' in value ? minor(BigInt(String(value.minor))) : withKey(value, 'deviceId', 'phoneId')
  })

export const objectOf = (change: GuardedChange): string => (change.kind === 'wallet.create' ? '' : change.id)
