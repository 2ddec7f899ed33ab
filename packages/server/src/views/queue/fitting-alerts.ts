/** Finds the unmatched money that fits an intent which waits or has expired, for a member to book. It changes nothing. */
import { hour_ms, minute_ms } from '../../core/duration.ts'
import { firstIdAt } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import type { Scope } from '../../core/scope.ts'
import type { Intent } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { alertsThatFit } from './fitting-alerts-sql.ts'

/** At a counter the buyer may pay before the cashier has created the intent. */
const before_ms = 10 * minute_ms
/** Money that came shortly after the end still fits: it is booked onto a copy. */
const after_ms = 2 * hour_ms
const most = 20

export const fittingAlerts = (db: Session, scope: Scope, intent: Intent) =>
  alertsThatFit(db, {
    scope,
    walletId: intent.walletId,
    payable: intent.payable,
    currency: intent.currency,
    createdAt: intent.createdAt,
    referenceKey: intent.reference === '' ? null : referenceKey(intent.reference),
    firstId: firstIdAt(intent.createdAt - before_ms),
    lastId: firstIdAt(Math.max(intent.expiresAt, intent.createdAt + after_ms)),
    most,
  })
