/**
 * Some notices about an endpoint (accounts/notices/owner-notices.ts) may no longer be true: that it fails, that it was disabled.
 * This is checked before an email is written.
 */
import type { OwnerNotice } from '../../accounts/notices/owner-notice.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { endpointStanding } from './endpoint-standing-sql.ts'

/** True if it still fails, or has not been enabled since. A notice of what a user did stays true. */
export const isStillTrue = async (
  db: Session,
  { accountId, objectId, kind, facts, at }: OwnerNotice,
): Promise<boolean> => {
  if (kind !== 'webhook_failing' && kind !== 'webhook_disabled' && kind !== 'webhook_gone') return true
  const [now] = await endpointStanding(db, accountId, objectId)
  if (now === undefined || now.deleted) return false
  return kind === 'webhook_failing'
    ? now.enabled && now.failing_since === (facts.failing_since ?? null)
    : !now.enabled && now.disabled_at === at
}
