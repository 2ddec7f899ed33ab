/**
 * A cache of the active templates for an account and a provider: the operator's and the account's own, never another
 * account's.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId, ProviderId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { AlertTemplate } from '../templates/alert-template.ts'
import { templateOf } from './stored-template.ts'
import { activeTemplates } from './template-sql.ts'

type Templates = readonly AlertTemplate[]

export type TemplateLookup = {
  get(
    providerId: ProviderId,
    accountId: AccountId,
    now: Instant,
  ): Templates | undefined | Promise<Templates | undefined>
  /** Called after a change made by this node. */
  forget(providerId: ProviderId, accountId: AccountId): void
}

export const templateLookup = (db: Db): TemplateLookup => {
  const cache = freshCache<string, Templates>({
    load: async (key) => {
      const [providerId, accountId] = key.split(' ') as [ProviderId, AccountId]
      return (await activeTemplates(db, providerId, accountId)).map(templateOf)
    },
    max: 5_000,
  })
  return {
    get: (providerId, accountId, now) => cache.get(`${providerId} ${accountId}`, now),
    forget: (providerId, accountId) => cache.forget(`${providerId} ${accountId}`),
  }
}
