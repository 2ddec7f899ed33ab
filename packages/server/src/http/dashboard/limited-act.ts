/**
 * An act that may be over the limit of a member's role. It is written once, as a function that works inside a transaction, and used
 * by the member's own call and by the call that confirms a request for it: the same verb with the same checks and audit entries.
 */
import type { Change, WriteAudit } from '../../accounts/audit/audit.ts'
import { readLimits } from '../../accounts/limits/account-limits.ts'
import { type Allowance, allowanceOf } from '../../accounts/limits/role-limits.ts'
import type { Instant } from '../../core/clock.ts'
import type { IntentId, UserId } from '../../core/ids.ts'
import { type Scope, wholeOf } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { JoinedDb } from '../../postgres/query/joined.ts'
import { actorIn, type Call } from './route.ts'

/**
 * Who does it: the member who calls; or, of a confirmed request, who asked for it, within the limits of who confirms. Who may not see all
 * wallets does it to what they see; the rules of money look at the whole account.
 */
export type Doer = {
  readonly scope: Scope
  readonly by: string
  readonly userId: UserId
  readonly allowed: Allowance
}

/** The transaction of an act. */
export type Acting = {
  readonly db: JoinedDb
  readonly audit: WriteAudit
  readonly doer: Doer
  readonly now: Instant
}

/** The same, for the rules of money: they look at the whole account. */
export const onWhole = (doer: Doer): Doer => ({ ...doer, scope: wholeOf(doer.scope) })

export type Hint = Pick<Change, 'kind' | 'id'>

/** What is to be sent after the commit, beside the hints of the audit entries. */
export type Done = {
  /** The intent that the act paid or cancelled; null: none, or a sale that can still be undone. */
  readonly intentId: IntentId | null
  readonly hints: readonly Hint[]
}

export const doerIn = async (db: Session, call: Call): Promise<Doer> => {
  const { scope, role, userId } = call.member
  return { scope, userId, by: actorIn(call).actor, allowed: allowanceOf(await readLimits(db, wholeOf(scope)), role) }
}
