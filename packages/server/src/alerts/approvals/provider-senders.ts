/** The senders that a provider has: those of its active templates, as far as they read alerts of the account. */
import { type MemberRole, mayDo } from '../../accounts/people/permission.ts'
import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { Authority, ProviderSenders } from '../../wallets/trust/authority.ts'
import { sendersOfTemplates } from '../publishing/template-sql.ts'

export const sendersOfProvider = async (
  db: Session,
  scope: Scope,
  providerId: ProviderId,
): Promise<ProviderSenders> => {
  const rows = await sendersOfTemplates(db, scope, providerId)
  return {
    all: rows.map(({ sender }) => sender),
    operators: rows.filter(({ by_operator }) => by_operator).map(({ sender }) => sender),
  }
}

/** An owner who has just proved that it is them, or a command of the operator. */
export const asOwner: Authority = { as: 'owner', proved: true, sendersOf: sendersOfProvider }

export const asManager: Authority = { as: 'manager', proved: false, sendersOf: sendersOfProvider }

/** `proved` left out: no limit is loosened. */
export const authorityOf = (role: MemberRole, proved = false): Authority =>
  mayDo(role, 'approvals.decide') ? { ...asOwner, proved } : asManager
