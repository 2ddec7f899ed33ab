/**
 * A member marks a paid intent as handed over. Only the first mark counts: a second one is told who made it, and when. Money that
 * no member took before is that member's taking.
 */

import type { Instant } from '../core/clock.ts'
import type { IntentId, UserId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Scope } from '../core/scope.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { handoversOf, storeHandover } from './handover-sql.ts'
import { intentOf, lockIntent } from './intent-sql.ts'
import { storeTaking } from './taking-sql.ts'

export type HandedOver = {
  readonly by: string
  readonly at: Instant
  /** Whether this call made the mark. */
  readonly first: boolean
}

export const handOver = async (
  tx: Tx,
  request: { readonly scope: Scope; readonly intentId: IntentId; readonly by: string; readonly userId: UserId },
  now: Instant,
): Promise<HandedOver | Refusal<'intent_unknown' | 'intent_not_paid'>> => {
  const { scope, intentId, by } = request
  const [row] = await lockIntent(tx, scope, intentId)
  if (row === undefined) return refuse('intent_unknown')
  const { status, matched } = intentOf(row)
  if (status !== 'VERIFIED') return refuse('intent_not_paid', { status })
  const stored = await storeHandover(tx, { accountId: scope.accountId, intentId, by, at: now })
  const [mark] = await handoversOf(tx, scope, [intentId])
  if (mark === undefined) throw new Error('a mark was not stored')
  const first = stored.length === 1
  // Money that a member took as a sale or booked stays that member's.
  if (first && matched !== null)
    await storeTaking(tx, { accountId: scope.accountId, alertId: matched.id, userId: request.userId, at: now })
  return { by: mark.by, at: mark.at, first }
}
