/**
 * Cancels a PENDING intent for a user, and stores its event if an endpoint subscribes to it. If nothing was cancelled, `find`
 * tells an unknown intent from one that is no longer PENDING.
 */
import { type Allowance, overLimit } from '../accounts/limits/role-limits.ts'
import type { Instant } from '../core/clock.ts'
import { timeOrderedId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Scope } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { insertEndEvents } from './end-events.ts'
import type { Intent } from './intent.ts'
import { cancelPending, intentOf } from './intent-sql.ts'

export const cancelIntent = async (
  tx: Tx,
  zone: Zone,
  find: (scope: Scope, id: string) => Promise<Intent | undefined>,
  request: { readonly scope: Scope; readonly id: string; readonly by: string; readonly allowed: Allowance },
  now: Instant,
): Promise<Intent | Refusal<'intent_unknown' | 'intent_not_pending' | 'over_limit'>> => {
  const over = overLimit(request.allowed, { kind: 'cancel' })
  if (over !== undefined) return over
  const [row] = await cancelPending(tx, request.scope, { ...request, entryId: timeOrderedId(now) }, now)
  if (row !== undefined) {
    await insertEndEvents(tx, 'payment.cancelled', [row], zone, now)
    return intentOf(row)
  }
  const intent = await find(request.scope, request.id)
  return refuse(intent === undefined ? 'intent_unknown' : 'intent_not_pending')
}
