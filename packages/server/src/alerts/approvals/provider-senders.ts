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

/** An owner, or a command of the operator. */
export const asOwner: Authority = { as: 'owner', sendersOf: sendersOfProvider }

export const asManager: Authority = { as: 'manager', sendersOf: sendersOfProvider }

export const authorityOf = (role: MemberRole): Authority => (mayDo(role, 'approvals.decide') ? asOwner : asManager)
