/** Creates the parts of the service, one creator for each module. A part is given those before it. */
import { callLog } from '../calls/call-log.ts'
import { backgroundQueue } from '../core/background-queue.ts'
import type { UserId } from '../core/ids.ts'
import { openStreams } from '../http/dashboard/live/open-streams.ts'
import { openMail } from '../mail.ts'
import { createAccounts } from './create-accounts.ts'
import { createAlerts } from './create-alerts.ts'
import { createCheckouts } from './create-checkouts.ts'
import { createIntents } from './create-intents.ts'
import { createMatching } from './create-matching.ts'
import { createPhones } from './create-phones.ts'
import { createReads } from './create-reads.ts'
import { createViews } from './create-views.ts'
import type { Base } from './open-base.ts'
import { openLive } from './open-live.ts'
import { openPush } from './open-push.ts'
import { openWebhooks } from './open-webhooks.ts'

export type Parts = Awaited<ReturnType<typeof openParts>>

export const openParts = async (base: Base) => {
  const views = createViews(base)
  const alerts = createAlerts(base)
  const live = await openLive(base)
  const webhooks = await openWebhooks(base, live)
  const accounts = createAccounts(base)
  // What a member may do and see changes at once on every node.
  live.onHint((accountId, { kind, id }) => {
    if (kind !== 'member') return
    if (accountId === null || id === '') accounts.sessions.forgetAll()
    else accounts.sessions.forgetMember(id as UserId, accountId)
  }, accounts.sessions.forgetAll)
  // What a merchant is offered changes at once on this node, and on others as soon as the hint is there.
  live.onHint(views.offered.follow, views.offered.forgetAll)
  const calls = callLog(base.db, base.onWarning('API calls could not be written to their log'))
  return {
    views,
    reads: createReads(base, views, live),
    alerts,
    live,
    webhooks,
    push: await openPush(base, live, webhooks),
    matching: createMatching(base, views, alerts, live, webhooks),
    createIntent: createIntents(base, views, live),
    phones: createPhones(base, alerts, live),
    checkouts: createCheckouts(base, views, live, webhooks),
    accounts,
    calls,
    mail: openMail(base.config.mail, base.log),
    /** What is done after an answer. */
    afterwards: backgroundQueue({ most: 200, onFault: base.onFault('work after an answer failed') }),
    /** The open streams of dashboards. */
    streams: openStreams(),
  }
}
