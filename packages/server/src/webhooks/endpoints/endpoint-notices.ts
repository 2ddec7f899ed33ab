/**
 * Whether a notice about an endpoint (accounts/notices/owner-notices.ts) is still true: that it fails, or that it was disabled.
 * Checked before an email is written.
 */
import type { OwnerNotice } from '../../accounts/notices/owner-notice.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { endpointState } from './endpoint-state-sql.ts'

/** True if the endpoint still fails, or is still disabled since the notice. A notice about a user's change stays true. */
export const isStillTrue = async (
  db: Session,
  { accountId, objectId, kind, facts, at }: OwnerNotice,
): Promise<boolean> => {
  if (kind !== 'webhook_failing' && kind !== 'webhook_disabled' && kind !== 'webhook_gone') return true
  const [endpoint] = await endpointState(db, wholeAccount(accountId), objectId)
  if (endpoint === undefined || endpoint.deleted) return false
  return kind === 'webhook_failing'
    ? endpoint.enabled && endpoint.failing_since === (facts.failing_since ?? null)
    : !endpoint.enabled && endpoint.disabled_at === at
}
