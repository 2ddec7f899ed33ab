/**
 * Who must have a second factor does not remove the last one: a member of any account that requires one, and an operator in production.
 * The rule of every account of the user counts, not only of the one they act for, or the removal would be a call in another account away.
 */
import type { UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { factorRulesOfUser } from './session-sql.ts'

/** The caller has locked the user's row: a rule that is switched on at the same moment waits for it. */
export const refuseLastFactor = async (
  tx: Tx,
  userId: UserId,
  operatorsNeedFactor: boolean,
): Promise<Refusal<'last_factor'> | undefined> => {
  const [rules] = await factorRulesOfUser(tx, userId)
  if (rules === undefined) return undefined
  if (rules.account !== null) return refuse('last_factor', { account: rules.account })
  return operatorsNeedFactor && rules.operator ? refuse('last_factor') : undefined
}
