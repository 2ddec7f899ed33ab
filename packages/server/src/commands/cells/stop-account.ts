/** Freezes an account whose freeze has begun: waits for its webhooks that are being sent, and for all that writes rows of it. */
import { systemClock } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { completeFreeze } from '../../postgres/tenancy/freeze-account.ts'
import { leasedDeliveries } from '../../webhooks/sending/delivery-sql.ts'

/** As long as the longest lease of a webhook may be. */
const longestCalls_ms = 15 * minute_ms

export const stopAccount = (db: Db, accountId: AccountId, say: (line: string) => void) => {
  const scope = wholeAccount(accountId)
  return completeFreeze(db, accountId, {
    underWay: async () => (await leasedDeliveries(db, scope))[0]!.leased,
    now: systemClock.now,
    most_ms: longestCalls_ms,
    say,
  })
}
