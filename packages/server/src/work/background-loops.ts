/** The background work of the service, each task in a loop of its own. */

import { approvalKept_ms } from '../accounts/approvals/approval.ts'
import { pruneApprovals } from '../accounts/approvals/approval-sql.ts'
import type { SendHint } from '../accounts/live/throttle-hints.ts'
import type { EmailOwners } from '../accounts/notices/email-owners.ts'
import { noticeLife_ms } from '../accounts/notices/owner-notices.ts'
import { pruneNotices } from '../accounts/notices/owner-notices-sql.ts'
import { pruneUserNotices } from '../accounts/notices/user-notices-sql.ts'
import { pruneLinks } from '../accounts/people/link-sql.ts'
import { requestKept_ms } from '../accounts/requests/limit-request.ts'
import { pruneLimitRequests } from '../accounts/requests/limit-request-sql.ts'
import type { Retention } from '../accounts/retention/retention.ts'
import { prunePasskeyChallenges } from '../accounts/sessions/passkey-sql.ts'
import { pruneSessions } from '../accounts/sessions/session-sql.ts'
import { knownBrowserLife_ms } from '../accounts/watch/watch-sign-ins.ts'
import { pruneKnownBrowsers } from '../accounts/watch/watch-sql.ts'
import { deleteHidden } from '../alerts/hidden/delete-hidden.ts'
import { pruneCheckoutKeys } from '../checkouts/checkout-sql.ts'
import { endDueCheckouts } from '../checkouts/end-checkouts.ts'
import { viewsLife_ms } from '../checkouts/links/payment-link.ts'
import { pruneLinkViews } from '../checkouts/links/payment-link-sql.ts'
import type { Clock } from '../core/clock.ts'
import { day_ms, minute_ms } from '../core/duration.ts'
import type { SendMailNow } from '../core/email.ts'
import type { AccountId } from '../core/ids.ts'
import { runJob } from '../core/tracing/call-context.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import type { Zone } from '../core/zone.ts'
import { claimLife_ms } from '../intents/claims/reference-claim.ts'
import { pruneReferenceClaims } from '../intents/claims/reference-claims-sql.ts'
import { keyLife_ms } from '../intents/create/create-intents.ts'
import { pruneKeys } from '../intents/create/create-intents-sql.ts'
import { expireIntents } from '../intents/expire-intents.ts'
import { indexIntents } from '../intents/list/index-intents.ts'
import { tallyIntents } from '../intents/totals/tally-intents.ts'
import { announceUnmatched } from '../matching/queue/announce-unmatched.ts'
import { finishSales } from '../matching/queue/finish-sales.ts'
import type { ReadReport } from '../matching/reading/read-report.ts'
import { hideEarlier } from '../matching/reread/hide-earlier.ts'
import { releaseNextProven } from '../matching/reread/release-proven.ts'
import { releaseSuspended } from '../matching/reread/release-suspended.ts'
import { rereadForTemplate } from '../matching/reread/reread-templates.ts'
import { rereadForWallet } from '../matching/reread/reread-wallets.ts'
import type { AlertOutcome } from '../matching/resolve/resolve-alerts.ts'
import type { Db } from '../postgres/connection/database.ts'
import { analyseGrown } from '../postgres/maintenance/analyse-grown.ts'
import type { CollectPushes } from '../push/collect-pushes.ts'
import { pruneDevices } from '../push/push-devices-sql.ts'
import { pruneTold } from '../push/push-queue-sql.ts'
import { type SendPushDeps, sendPushes } from '../push/send-pushes.ts'
import { answerLife_ms } from '../wallets/phones/answer-once.ts'
import { prunePhoneRequests } from '../wallets/phones/phone-sql.ts'
import { figuresLife_ms } from '../webhooks/endpoints/endpoint-figures.ts'
import { pruneEndpointHours, pruneSampleEvents } from '../webhooks/log/event-feed-sql.ts'
import { forgetBodies, keepPartitions } from '../webhooks/log/keep-partitions.ts'
import { replayStep } from '../webhooks/log/replay-events.ts'
import { sampleLife_ms } from '../webhooks/log/trigger-sample.ts'
import { endDisabledDeliveries, reapLeases } from '../webhooks/sending/delivery-sql.ts'
import { mostAttempts } from '../webhooks/sending/schedule.ts'
import type { WebhookSettings } from '../webhooks/settings.ts'
import { type Loop, startLoop } from './background-loop.ts'
import { endRequests } from './end-requests.ts'
import { eraseAccounts } from './erase-accounts.ts'
import { eraseOld } from './erase-old.ts'
import { learnRhythms } from './learn-rhythms.ts'
import { countService, sampleService } from './measure-service.ts'
import { notifyOwners } from './notify-owners.ts'
import { notifyUsers } from './notify-users.ts'

/** Sessions and links stay in the database for this time after they end, so that questions about them can be answered. */
const endedLife_ms = 30 * day_ms

export const startLoops = (options: {
  readonly db: Db
  readonly clock: Clock
  readonly zone: Zone
  readonly readReport: ReadReport
  readonly window_ms: number
  readonly webhooks: WebhookSettings
  /** For how long accounts that have set nothing keep texts, payers, calls and the audit log. */
  readonly retention: Retention
  /** Wakes the webhook sender: deliveries were queued, or returned to the queue. */
  readonly wake: () => void
  /** Reports changes to open dashboards. */
  readonly sendHint: SendHint
  /** The same, throttled, for changes that come by the thousand. */
  readonly sendThrottledHint: SendHint
  /** Undefined: no mail is set up. */
  readonly owners:
    | { readonly emailOwners: EmailOwners; readonly sendNow: SendMailNow; readonly origin: string }
    | undefined
  /** Notifications on members' devices. */
  readonly push: Pick<CollectPushes, 'collectPushes'> & { readonly sending: SendPushDeps }
  readonly onResolved: (accountId: AccountId, outcomes: readonly AlertOutcome[]) => void
  readonly onFault: (name: string, fault: unknown) => void
  readonly onRun: (name: string, outcome: 'ok' | 'fault') => void
  /** Asked before each run of each loop: nothing runs while the clock of this node is far off. */
  readonly mayWork: () => boolean | Promise<boolean>
  /** Undefined: no traces. */
  readonly tracer: Tracer | undefined
}): Loop => {
  const { db, clock, zone, readReport, window_ms, webhooks, wake, sendHint, owners, onResolved } = options
  const { hiding } = readReport
  /** The rows that one run of a loop handles at most; if it was all of them, the loop runs again at once. */
  const most = 500
  /** Wakes the sender if deliveries were queued. Returns their number. */
  const wakeFor = (deliveries: number): number => {
    if (deliveries > 0) wake()
    return deliveries
  }
  const loops = [
    {
      name: 'expire',
      every_ms: 1_000,
      work: async () =>
        (await expireIntents(db, most, clock.now(), zone, (accountId, id, hasEvent) => {
          sendHint(accountId, { kind: 'intent', id })
          if (hasEvent) wake()
        })) === most,
    },
    {
      name: 'index',
      every_ms: 250,
      work: async () => {
        await indexIntents(db)
        return false
      },
    },
    {
      name: 'end checkouts',
      every_ms: 1_000,
      work: async () =>
        (await endDueCheckouts(db, zone, most, clock.now(), (accountId, id) => {
          wake()
          sendHint(accountId, { kind: 'checkout', id })
        })) >= most,
    },
    {
      name: 'announce',
      every_ms: 1_000,
      work: async () =>
        wakeFor(
          await announceUnmatched(db, zone, most, clock.now(), (accountId, id) =>
            sendHint(accountId, { kind: 'alert', id }),
          ),
        ) === most,
    },
    {
      name: 'finish sales',
      every_ms: 500,
      work: () =>
        finishSales(
          {
            db,
            zone,
            onFinished: (accountId, alertId, { id }) => {
              wake()
              sendHint(accountId, { kind: 'alert', id: alertId })
              sendHint(accountId, { kind: 'intent', id })
            },
            onFault: (fault) => options.onFault('finish sales', fault),
          },
          most,
          clock.now(),
        ),
    },
    {
      name: 'end requests',
      every_ms: 1_000,
      work: () =>
        endRequests(db, most, clock.now(), ({ accountId, id, alertId, intentId }) => {
          sendHint(accountId, { kind: 'request', id })
          if (alertId !== null) sendHint(accountId, { kind: 'alert', id: alertId })
          if (intentId !== null) sendHint(accountId, { kind: 'intent', id: intentId })
        }),
    },
    {
      name: 'reap leases',
      every_ms: webhooks.reap_ms,
      work: async () => wakeFor((await reapLeases(db, clock.now(), most, mostAttempts(webhooks))).length) === most,
    },
    {
      name: 'end disabled deliveries',
      every_ms: 5_000,
      work: async () => {
        const ended = await endDisabledDeliveries(db, clock.now(), most)
        for (const { id, account_id } of ended) options.sendThrottledHint(account_id, { kind: 'delivery', id })
        return ended.length === most
      },
    },
    ...(owners === undefined
      ? []
      : [
          {
            name: 'notify owners',
            every_ms: 1_000,
            work: () => notifyOwners({ db, clock, zone, ...owners }),
          },
          {
            name: 'notify users',
            every_ms: 1_000,
            work: () => notifyUsers({ db, clock, zone, ...owners }),
          },
        ]),
    { name: 'collect pushes', every_ms: 1_000, work: () => options.push.collectPushes(clock.now()) },
    { name: 'send pushes', every_ms: 1_000, work: () => sendPushes(options.push.sending) },
    {
      name: 'replay',
      every_ms: 500,
      work: async () => {
        wakeFor(await replayStep(db, webhooks.replay_per_s, clock.now()))
        return false
      },
    },
    {
      name: 'keep partitions',
      every_ms: minute_ms,
      // A new service has no partitions, and neither has one that was stopped for days. Rows inserted before the first
      // run stay outside of them.
      first_ms: 2_000,
      work: async () => {
        await keepPartitions(db, webhooks, clock.now())
        return false
      },
    },
    {
      name: 'forget bodies',
      every_ms: minute_ms,
      work: async () => (await forgetBodies(db, webhooks, clock.now(), most)) === most,
    },
    {
      name: 'reread for template',
      every_ms: 5_000,
      work: () =>
        rereadForTemplate(
          { db, zone, hiding, onResolved, onFault: (fault) => options.onFault('reread for template', fault) },
          clock.now(),
        ),
    },
    {
      name: 'reread for wallet',
      every_ms: 2_000,
      work: () =>
        rereadForWallet(
          { db, zone, hiding, onResolved, onFault: (fault) => options.onFault('reread for wallet', fault) },
          clock.now(),
        ),
    },
    {
      name: 'delete hidden',
      every_ms: minute_ms,
      work: () => deleteHidden(db, most, clock.now()),
    },
    {
      name: 'hide earlier',
      every_ms: minute_ms,
      // After an upgrade, one-time codes in stored texts are readable until this has run.
      first_ms: 1_000,
      work: () => hideEarlier(db, readReport, most, clock.now()),
    },
    {
      name: 'release proven',
      every_ms: 5_000,
      work: () => releaseNextProven({ db, zone, readReport, onResolved }, clock.now()),
    },
    {
      name: 'release suspended',
      every_ms: 1_000,
      work: () => releaseSuspended({ db, zone, readReport, onResolved }, clock.now()),
    },
    {
      name: 'analyse',
      every_ms: 10_000,
      work: async () => {
        await analyseGrown(db)
        return false
      },
    },
    {
      name: 'sample service',
      every_ms: minute_ms,
      first_ms: 5_000,
      work: async () => {
        await sampleService(db, clock.now())
        return false
      },
    },
    { name: 'count service', every_ms: minute_ms, first_ms: 6_000, work: () => countService(db, clock.now()) },
    { name: 'tally', every_ms: minute_ms, work: () => tallyIntents(db, window_ms, clock.now()) },
    {
      name: 'prune keys',
      every_ms: minute_ms,
      work: async () => (await pruneKeys(db, clock.now() - keyLife_ms, most)).length === most,
    },
    {
      name: 'prune checkout keys',
      every_ms: minute_ms,
      work: async () => (await pruneCheckoutKeys(db, clock.now() - keyLife_ms, most)).length === most,
    },
    {
      name: 'prune claims',
      every_ms: minute_ms,
      work: async () => (await pruneReferenceClaims(db, clock.now() - claimLife_ms, most)).length === most,
    },
    {
      name: 'prune sessions',
      every_ms: minute_ms,
      work: async () => (await pruneSessions(db, clock.now() - endedLife_ms)).length > 0,
    },
    {
      name: 'prune passkey challenges',
      every_ms: minute_ms,
      work: async () => (await prunePasskeyChallenges(db, clock.now())).length > 0,
    },
    {
      name: 'prune links',
      every_ms: minute_ms,
      work: async () => (await pruneLinks(db, clock.now() - endedLife_ms)).length > 0,
    },
    {
      name: 'prune notices',
      every_ms: minute_ms,
      work: async () => (await pruneNotices(db, clock.now() - noticeLife_ms, most)).length === most,
    },
    {
      name: 'prune user notices',
      every_ms: minute_ms,
      work: async () => (await pruneUserNotices(db, clock.now() - noticeLife_ms, most)).length === most,
    },
    {
      name: 'prune known browsers',
      every_ms: minute_ms,
      work: async () => (await pruneKnownBrowsers(db, clock.now() - knownBrowserLife_ms, most)).length === most,
    },
    {
      name: 'prune approvals',
      every_ms: minute_ms,
      work: async () => (await pruneApprovals(db, clock.now() - approvalKept_ms, most)).length === most,
    },
    {
      name: 'prune requests',
      every_ms: minute_ms,
      work: async () => (await pruneLimitRequests(db, clock.now() - requestKept_ms, most)).length === most,
    },
    { name: 'erase accounts', every_ms: minute_ms, first_ms: 15_000, work: () => eraseAccounts(db, most, clock.now()) },
    {
      name: 'erase old',
      every_ms: minute_ms,
      first_ms: 10_000,
      work: () => eraseOld({ db, hiding, retention: options.retention }, most, clock.now()),
    },
    {
      name: 'prune endpoint hours',
      every_ms: minute_ms,
      work: async () => (await pruneEndpointHours(db, clock.now() - figuresLife_ms, most)).length === most,
    },
    {
      name: 'prune link views',
      every_ms: minute_ms,
      work: async () => (await pruneLinkViews(db, clock.now() - viewsLife_ms, most)).length === most,
    },
    {
      name: 'prune sample events',
      every_ms: minute_ms,
      work: async () => (await pruneSampleEvents(db, clock.now() - sampleLife_ms, most)).length === most,
    },
    {
      name: 'prune devices',
      every_ms: minute_ms,
      work: async () => (await pruneDevices(db, most)).length === most,
    },
    {
      name: 'prune told',
      every_ms: minute_ms,
      work: async () => (await pruneTold(db, clock.now(), most)).length === most,
    },
    { name: 'learn rhythms', every_ms: minute_ms, first_ms: 5_000, work: () => learnRhythms(db, zone, clock.now()) },
    {
      name: 'prune phone requests',
      every_ms: minute_ms,
      work: async () => (await prunePhoneRequests(db, clock.now() - answerLife_ms, most)).length === most,
    },
  ].map(({ work, ...loop }) =>
    startLoop({
      ...loop,
      work: () => runJob(options.tracer, loop.name, work),
      onFault: options.onFault,
      onRun: options.onRun,
      mayRun: options.mayWork,
    }),
  )
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
