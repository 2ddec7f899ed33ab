/** Reads approvals, and ends them without doing their change. The callers open the transactions. */
import type { Instant } from '../../core/clock.ts'
import { largestId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { findMember } from '../people/member-sql.ts'
import { type MemberRole, memberMay } from '../people/permission.ts'
import { walletsIn } from '../people/wallet-limit.ts'
import type { Approval } from './approval.ts'
import { approvalOf, endApproval, findApproval, listApprovals, lockApproval } from './approval-sql.ts'

export const approvalsOf = async (
  db: Session,
  scope: Scope,
  page: { readonly below: string | undefined; readonly open: boolean; readonly size: number },
  now: Instant,
): Promise<Approval[]> =>
  (await listApprovals(db, scope, page.below ?? largestId, page.open, now, page.size)).map((row) =>
    approvalOf(row, now),
  )

export const findApprovalOf = async (
  db: Session,
  scope: Scope,
  id: string,
  now: Instant,
): Promise<Approval | undefined> => {
  const [row] = await findApproval(db, scope, id)
  return row && approvalOf(row, now)
}

/** Locks an approval that can still be decided. `change`: as it was stored. */
export const lockOpenApproval = async (
  tx: Tx,
  scope: Scope,
  id: string,
  now: Instant,
): Promise<
  { readonly approval: Approval; readonly change: string } | Refusal<'approval_unknown' | 'approval_over'>
> => {
  const [row]: RowOf<typeof lockApproval.columns>[] = await lockApproval(tx, scope, id)
  if (row === undefined) return refuse('approval_unknown')
  const approval = approvalOf(row, now)
  return approval.state === 'open'
    ? { approval, change: row.change }
    : refuse('approval_over', { state: approval.state, by: approval.decidedName })
}

/** Whether a user may ask, or may still ask, in an account: a membership that waits for an owner gives no right. */
export const mayAsk = async (tx: Tx, scope: Scope, userId: UserId): Promise<boolean> => {
  const [asker] = await findMember(tx, scope, userId)
  return (
    asker !== undefined &&
    !asker.disabled &&
    asker.request_since === null &&
    memberMay({ role: asker.role as MemberRole, wallets: walletsIn(asker.wallets) }, 'approvals.ask')
  )
}

/** An owner declines, or who asked takes it back. `only`: the user who must have asked for it. */
export const endWithoutChange = async (
  tx: Tx,
  scope: Scope,
  id: string,
  state: 'declined' | 'withdrawn',
  by: { readonly name: string; readonly only?: UserId },
  now: Instant,
): Promise<Approval | Refusal<'approval_unknown' | 'approval_over' | 'approval_of_another'>> => {
  const locked = await lockOpenApproval(tx, scope, id, now)
  if ('refused' in locked) return locked
  const { approval } = locked
  if (by.only !== undefined && approval.askedBy !== by.only) return refuse('approval_of_another')
  await endApproval(tx, scope, approval.id, state, by.name, now)
  return { ...approval, state, decidedName: by.name, decidedAt: now }
}
