/** An owner requires a second factor of every member, or no longer. The caller opens the transaction. */
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { type FactorRule, isLooser } from '../people/factor-rule.ts'
import { findFactorRule, lockFactorRule, lockOwnFactor, saveFactorRule } from './factor-rule-sql.ts'

const ruleOf = (row: RowOf<(typeof findFactorRule)['columns']>): FactorRule => ({
  since: row.factor_rule_since,
  graceDays: row.factor_grace_days,
})

const audited = ({ since, graceDays }: FactorRule) => ({ required: since !== null, grace_days: graceDays })

export const factorRuleIn = async (db: Session, scope: Scope): Promise<FactorRule | Refusal<'account_unknown'>> => {
  const [row] = await findFactorRule(db, scope)
  return row === undefined ? refuse('account_unknown') : ruleOf(row)
}

export type WantedRule = { readonly required: boolean; readonly graceDays: number | undefined }

/** The rule keeps its beginning while it holds. Logs nothing if nothing changed. `by`: the owner. `proved`: see proof.ts. */
export const changeFactorRule = async (
  tx: Tx,
  audit: WriteAudit,
  scope: Scope,
  by: { readonly userId: UserId; readonly proved: boolean },
  wanted: WantedRule,
  now: Instant,
): Promise<FactorRule | Refusal<'account_unknown' | 'own_factor_first' | 'confirmation_required'>> => {
  const [row] = await lockFactorRule(tx, scope)
  if (row === undefined) return refuse('account_unknown')
  const before = ruleOf(row)
  const after: FactorRule = {
    since: wanted.required ? (before.since ?? now) : null,
    graceDays: wanted.graceDays ?? before.graceDays,
  }
  if (isLooser(before, after) && !by.proved) return refuse('confirmation_required')
  const [own] = await lockOwnFactor(tx, by.userId)
  if (after.since !== null && before.since === null && own?.has_factor !== true) return refuse('own_factor_first')
  const isOtherState = (before.since === null) !== (after.since === null)
  if (!isOtherState && before.graceDays === after.graceDays) return before
  await saveFactorRule(tx, scope, after.since, after.graceDays)
  audit({
    action: 'account.factor_rule',
    kind: 'account',
    id: scope.accountId,
    before: audited(before),
    after: audited(after),
    ...(isOtherState && { notice: { kind: 'factor_rule_changed', facts: { on: after.since !== null } } }),
  })
  return after
}
