/** `sanad health`: the health of the whole service, in five lines. */

import { systemClock } from '../core/clock.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import { countTwins } from '../wallets/identity/find-twins.ts'
import { queueState } from '../webhooks/sending/delivery-sql.ts'
import type { AddTo } from './command-line.ts'

export const addTo: AddTo = (health, { say, onStore }) => {
  health.action(async () => {
    const now = systemClock.now()
    const { figures, queue, twins } = await onStore('sanad health', async (db) => ({
      figures: (await serviceFigures(db, now))[0]!,
      queue: (await queueState(db, now))[0]!,
      twins: await countTwins(db),
    }))
    const oldest = queue.oldest_due_at === null ? 0 : Math.floor((now - queue.oldest_due_at) / 1000)
    say(`accounts         ${figures.accounts} active, ${figures.suspended} suspended`)
    say(`phones           ${figures.phones} on, ${figures.silent_phones} of them silent`)
    say(
      `webhooks         ${queue.unfinished} wait, the oldest for ${oldest} s; ${queue.open_breakers} endpoints unreachable`,
    )
    say(`unread alerts    ${figures.unread_alerts}`)
    say(`twin wallets     ${twins}${twins === 0 ? '' : ': sanad wallet twins lists them'}`)
  })
}
