/**
 * Of what owners are told about an endpoint (accounts/notices/owner-notices.ts), some passes: that it fails, that it was disabled.
 * Whether it is so still is asked before a letter is written.
 */
import type { OwnerNotice } from '../../accounts/notices/owner-notice.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { endpointStanding } from './endpoint-standing-sql.ts'

/** It fails on, or nobody has enabled it since. What somebody has done is so for ever. */
export const isStillSo = async (
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
