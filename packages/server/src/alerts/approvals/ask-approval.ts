/**
 * A manager asks an owner to confirm a change. The change is tried first, and undone: what an owner could not do either is refused
 * at once, and what the manager may do alone needs no approval. Asking again for the same change gives the open approval.
 */
import {
  type Approval,
  approvalLife_ms,
  mostApprovalsADay,
  mostOpenApprovals,
} from '../../accounts/approvals/approval.ts'
import { approvalOf, countApprovals, insertApproval, sameOpenApproval } from '../../accounts/approvals/approval-sql.ts'
import { mayAsk } from '../../accounts/approvals/approvals.ts'
import { lockAccount } from '../../accounts/tenants/lock-account-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { type ApprovalId, timeOrderedId, type UserId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import {
  type ChangeRefusal,
  type GuardedChange,
  objectOf,
  ownerReasonsIn,
  type Performed,
  storedChange,
  tryChange,
} from './perform-change.ts'
import { asManager, asOwner } from './provider-senders.ts'

/** What users see of a change: the object's name, and its values before and after. `before` null: it is created. */
export type DescribeChange = (performed: Performed) => {
  readonly name: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>>
}

export const askApproval = async (
  tx: Tx,
  asker: { readonly scope: Scope; readonly userId: UserId; readonly name: string },
  change: GuardedChange,
  describe: DescribeChange,
  now: Instant,
): Promise<{ readonly approval: Approval; readonly isNew: boolean } | ChangeRefusal | Refusal<'no_longer_allowed'>> => {
  const { scope, userId } = asker
  await lockAccount(tx, scope)
  // Read after the lock: this node may not know yet that the user was taken over.
  if (!(await mayAsk(tx, scope, userId))) return refuse('no_longer_allowed')
  const alone = await tryChange(tx, scope, change, asManager, now)
  if (alone === 'gone') return refuse('approval_unknown')
  if (!isRefusal(alone)) return refuse('approval_not_needed')
  if (alone.refused !== 'owner_needed') return alone
  const done = await tryChange(tx, scope, change, asOwner, now)
  if (done === 'gone') return refuse('approval_unknown')
  if (isRefusal(done)) return done

  const stored = storedChange(change)
  const [same] = await sameOpenApproval(tx, scope, userId, change.kind, objectOf(change), stored, now)
  const { name, before, after } = describe(done)
  const reasons = ownerReasonsIn(alone)
  if (same !== undefined) {
    const approval = approvalOf(same, now)
    // If what it shows has changed since, the open approval is stale: this is another one.
    const shown = [approval.before, approval.after, approval.reasons]
    if (JSON.stringify(shown) === JSON.stringify([before, after, reasons])) return { approval, isNew: false }
  }
  const [count] = await countApprovals(tx, scope, now - day_ms, now)
  if (count!.open >= mostOpenApprovals) return refuse('approval_limit', { most: String(mostOpenApprovals) })
  if (count!.recent >= mostApprovalsADay)
    return refuse('approval_limit', { most: String(mostApprovalsADay), in: 'day' })
  const asked = {
    accountId: scope.accountId,
    id: timeOrderedId<ApprovalId>(now),
    kind: change.kind,
    objectId: objectOf(change),
    objectName: name.slice(0, 200),
    reasons,
    before,
    after,
    askedBy: userId,
    askedName: asker.name.slice(0, 300),
    askedAt: now,
    expiresAt: now + approvalLife_ms,
  }
  await insertApproval(tx, { ...asked, change: stored })
  return { approval: { ...asked, state: 'open', decidedName: '', decidedAt: null }, isNew: true }
}
