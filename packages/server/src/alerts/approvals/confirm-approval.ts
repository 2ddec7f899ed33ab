/**
 * An owner confirms an approval: its change is done now, with all its checks, in the transaction that ends the approval. It is
 * refused and ends as stale if what the owner was shown is no longer so (the wallet, provider or template before and after the
 * change, the apps of its provider), if more of it needs an owner than was asked for, or if who asked may no longer ask. If a check
 * refuses the change, or the owner has not proved that it is them and a limit is loosened, the approval stays open.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Approval } from '../../accounts/approvals/approval.ts'
import { endApproval } from '../../accounts/approvals/approval-sql.ts'
import { lockOpenApproval, mayAsk } from '../../accounts/approvals/approvals.ts'
import type { Instant } from '../../core/clock.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { DescribeChange } from './ask-approval.ts'
import { type ChangeRefusal, changeFrom, type Performed, performChange, reasonsOf } from './perform-change.ts'
import { asOwner } from './provider-senders.ts'

/** Thrown to undo the change. */
class NotDone {
  readonly why: ChangeRefusal | 'stale'
  constructor(why: ChangeRefusal | 'stale') {
    this.why = why
  }
}

export const confirmApproval = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: { readonly name: string; readonly proved: boolean },
  describe: DescribeChange,
  now: Instant,
): Promise<{ readonly approval: Approval; readonly performed: Performed } | ChangeRefusal> => {
  const locked = await lockOpenApproval(tx, scope, id, now)
  if ('refused' in locked) return locked
  const { approval, change } = locked
  const stale = async (why: 'changed' | 'asker'): Promise<Refusal<'approval_stale'>> => {
    await endApproval(tx, scope, approval.id, 'stale', by.name, now)
    return refuse('approval_stale', { why, name: approval.objectName, by: approval.askedName })
  }
  if (!(await mayAsk(tx, scope, approval.askedBy))) return stale('asker')

  let performed: Performed
  try {
    performed = await tx.attempt(async () => {
      const asked = changeFrom(change)
      const reasons = await reasonsOf(tx, scope, asked, now)
      const done = await performChange(tx, scope, asked, { ...asOwner, proved: by.proved }, now)
      if (done === 'gone') throw new NotDone('stale')
      if (isRefusal(done)) throw new NotDone(done)
      // As it was stored: a value that JSON does not have is left out.
      const { before, after } = JSON.parse(JSON.stringify(describe(done))) as ReturnType<DescribeChange>
      const isAsAsked =
        isDeepStrictEqual(before, approval.before) &&
        isDeepStrictEqual(after, approval.after) &&
        reasons.every((reason) => approval.reasons.includes(reason))
      if (!isAsAsked) throw new NotDone('stale')
      return done
    })
  } catch (fault) {
    if (!(fault instanceof NotDone)) throw fault
    const isOver = fault.why === 'stale' || isAboutChangedTemplate(fault.why)
    return isOver ? stale('changed') : (fault.why as ChangeRefusal)
  }
  await endApproval(tx, scope, approval.id, 'confirmed', by.name, now)
  return { approval: { ...approval, state: 'confirmed', decidedName: by.name, decidedAt: now }, performed }
}

/** The draft was published, or deleted and its id is gone: it can never be confirmed. */
const isAboutChangedTemplate = ({ refused }: Refusal): boolean =>
  refused === 'template_not_draft' || refused === 'template_unknown'
