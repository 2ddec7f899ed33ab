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
import { foldCounts, tallyIntents } from '../intents/totals/tally-intents.ts'
import { announceUnmatched } from '../matching/queue/announce-unmatched.ts'
import { finishSales } from '../matching/queue/finish-sales.ts'
import type { ReadReport } from '../matching/reading/read-report.ts'
import { hideEarlier } from '../matching/reread/hide-earlier.ts'
import { releaseNextProven } from '../matching/reread/release-proven.ts'
import { releaseSuspended } from '../matching/reread/release-suspended.ts'
import { otherNodes_ms } from '../matching/reread/reread-alerts.ts'
import { rereadForTemplate } from '../matching/reread/reread-templates.ts'
import { rereadForWallet } from '../matching/reread/reread-wallets.ts'
import type { AlertOutcome } from '../matching/resolve/resolve-alerts.ts'
import type { Db } from '../postgres/connection/database.ts'
import { analyseGrown } from '../postgres/maintenance/analyse-grown.ts'
import type { CollectPushes } from '../push/collect-pushes.ts'
import { pruneDevices } from '../push/push-devices-sql.ts'
import { nextPushDue, pruneTold } from '../push/push-queue-sql.ts'
import { type SendPushDeps, sendPushes } from '../push/send-pushes.ts'
import { nextDue } from '../views/next-due-sql.ts'
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
import { type Loop, type Loops, type Pauses, runLoops } from './background-loop.ts'
import { endRequests } from './end-requests.ts'
import { eraseAccounts } from './erase-accounts.ts'
import { eraseOld } from './erase-old.ts'
import { learnRhythms } from './learn-rhythms.ts'
import { countService, sampleService } from './measure-service.ts'
import { notifyOwners } from './notify-owners.ts'
import { notifyUsers } from './notify-users.ts'

/** What is too old is looked for this often: a few minutes more do not matter after days. */
const prune = (name: string, work: () => Promise<boolean>): Loop => ({
  name,
  every_ms: 10 * minute_ms,
  first_ms: minute_ms,
  work,
})

/** The longest sleep of a loop whose work waits for times that no index has: when a phone is silent. */
const untold_ms = 15_000

/** Sessions and links stay in the database for this time after they end, so that questions about them can be answered. */
const endedLife_ms = 30 * day_ms

export const startLoops = (options: {
  readonly db: Db
  /** The same database. What is committed over it gives other loops nothing to do, and wakes none. */
  readonly quietDb: Db
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
  /** Left out: the time of this machine. */
  readonly pauses?: Pauses
}): Loops => {
  const { db, quietDb, clock, zone, readReport, window_ms, webhooks, wake, sendHint, owners, onResolved } = options
  const { hiding } = readReport
  /** The rows that one run of a loop handles at most; if it was all of them, the loop runs again at once. */
  const most = 500
  /** Wakes the sender if deliveries were queued. Returns their number. */
  const wakeFor = (deliveries: number): number => {
    if (deliveries > 0) wake()
    return deliveries
  }
  const loops: Loop[] = [
    {
      name: 'expire',
      sleeps: true,
      every_ms: 1_000,
      work: async () =>
        (await expireIntents(db, most, clock.now(), zone, (accountId, id, hasEvent) => {
          sendHint(accountId, { kind: 'intent', id })
          if (hasEvent) wake()
        })) === most,
    },
    {
      name: 'index',
      sleeps: true,
      every_ms: 250,
      work: async () => {
        await indexIntents(db)
        return false
      },
    },
    {
      name: 'end checkouts',
      sleeps: true,
      every_ms: 1_000,
      work: async () =>
        (await endDueCheckouts(db, zone, most, clock.now(), (accountId, id) => {
          wake()
          sendHint(accountId, { kind: 'checkout', id })
        })) >= most,
    },
    {
      name: 'announce',
      sleeps: true,
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
      sleeps: true,
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
      sleeps: true,
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
      sleeps: true,
      every_ms: webhooks.reap_ms,
      work: async () => wakeFor((await reapLeases(db, clock.now(), most, mostAttempts(webhooks))).length) === most,
    },
    {
      name: 'end disabled deliveries',
      sleeps: true,
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
            sleeps: true,
            every_ms: 1_000,
            work: () => notifyOwners({ db, clock, zone, ...owners }),
          },
          {
            name: 'notify users',
            sleeps: true,
            every_ms: 1_000,
            work: () => notifyUsers({ db, clock, zone, ...owners }),
          },
        ]),
    {
      name: 'collect pushes',
      sleeps: true,
      longest_ms: untold_ms,
      every_ms: 1_000,
      work: () => options.push.collectPushes(clock.now()),
    },
    { name: 'send pushes', sleeps: true, every_ms: 1_000, work: () => sendPushes(options.push.sending) },
    {
      name: 'replay',
      sleeps: true,
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
        await keepPartitions(quietDb, webhooks, clock.now())
        return false
      },
    },
    {
      name: 'forget bodies',
      every_ms: minute_ms,
      work: async () => (await forgetBodies(quietDb, webhooks, clock.now(), most)) === most,
    },
    {
      name: 'reread for template',
      sleeps: true,
      every_ms: 5_000,
      work: () =>
        rereadForTemplate(
          { db, zone, hiding, onResolved, onFault: (fault) => options.onFault('reread for template', fault) },
          clock.now(),
        ),
    },
    {
      name: 'reread for wallet',
      sleeps: true,
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
      work: () => deleteHidden(quietDb, most, clock.now()),
    },
    {
      name: 'hide earlier',
      every_ms: minute_ms,
      // After an upgrade, one-time codes in stored texts are readable until this has run.
      first_ms: 1_000,
      work: () => hideEarlier(quietDb, readReport, most, clock.now()),
    },
    {
      name: 'release proven',
      sleeps: true,
      every_ms: 5_000,
      work: () => releaseNextProven({ db, zone, readReport, onResolved }, clock.now()),
    },
    {
      name: 'release suspended',
      sleeps: true,
      every_ms: 1_000,
      work: () => releaseSuspended({ db, zone, readReport, onResolved }, clock.now()),
    },
    {
      name: 'analyse',
      sleeps: true,
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
        await sampleService(quietDb, clock.now())
        return false
      },
    },
    { name: 'count service', every_ms: minute_ms, first_ms: 6_000, work: () => countService(quietDb, clock.now()) },
    { name: 'fold counts', sleeps: true, every_ms: 10_000, work: () => foldCounts(quietDb, most) },
    { name: 'tally', every_ms: minute_ms, work: () => tallyIntents(quietDb, window_ms, clock.now()) },
    prune('prune keys', async () => (await pruneKeys(quietDb, clock.now() - keyLife_ms, most)).length === most),
    prune(
      'prune checkout keys',
      async () => (await pruneCheckoutKeys(quietDb, clock.now() - keyLife_ms, most)).length === most,
    ),
    prune(
      'prune claims',
      async () => (await pruneReferenceClaims(quietDb, clock.now() - claimLife_ms, most)).length === most,
    ),
    prune('prune sessions', async () => (await pruneSessions(quietDb, clock.now() - endedLife_ms)).length > 0),
    prune('prune passkey challenges', async () => (await prunePasskeyChallenges(quietDb, clock.now())).length > 0),
    prune('prune links', async () => (await pruneLinks(quietDb, clock.now() - endedLife_ms)).length > 0),
    prune(
      'prune notices',
      async () => (await pruneNotices(quietDb, clock.now() - noticeLife_ms, most)).length === most,
    ),
    prune(
      'prune user notices',
      async () => (await pruneUserNotices(quietDb, clock.now() - noticeLife_ms, most)).length === most,
    ),
    prune(
      'prune known browsers',
      async () => (await pruneKnownBrowsers(quietDb, clock.now() - knownBrowserLife_ms, most)).length === most,
    ),
    prune(
      'prune approvals',
      async () => (await pruneApprovals(quietDb, clock.now() - approvalKept_ms, most)).length === most,
    ),
    prune(
      'prune requests',
      async () => (await pruneLimitRequests(quietDb, clock.now() - requestKept_ms, most)).length === most,
    ),
    {
      name: 'erase accounts',
      every_ms: minute_ms,
      first_ms: 15_000,
      work: () => eraseAccounts(quietDb, most, clock.now()),
    },
    {
      name: 'erase old',
      every_ms: minute_ms,
      first_ms: 10_000,
      work: () => eraseOld({ db: quietDb, hiding, retention: options.retention }, most, clock.now()),
    },
    prune(
      'prune endpoint hours',
      async () => (await pruneEndpointHours(quietDb, clock.now() - figuresLife_ms, most)).length === most,
    ),
    prune(
      'prune link views',
      async () => (await pruneLinkViews(quietDb, clock.now() - viewsLife_ms, most)).length === most,
    ),
    prune(
      'prune sample events',
      async () => (await pruneSampleEvents(quietDb, clock.now() - sampleLife_ms, most)).length === most,
    ),
    prune('prune devices', async () => (await pruneDevices(quietDb, most)).length === most),
    prune('prune told', async () => (await pruneTold(quietDb, clock.now(), most)).length === most),
    {
      name: 'learn rhythms',
      every_ms: minute_ms,
      first_ms: 5_000,
      work: () => learnRhythms(quietDb, zone, clock.now()),
    },
    prune(
      'prune phone requests',
      async () => (await prunePhoneRequests(quietDb, clock.now() - answerLife_ms, most)).length === most,
    ),
  ]
  return runLoops({
    loops: loops.map((loop) => ({ ...loop, work: () => runJob(options.tracer, loop.name, loop.work) })),
    clock,
    async nextDue() {
      const found = await Promise.all([nextDue(db, otherNodes_ms), nextPushDue(db)])
      const times = found.flatMap(([row]) => row?.at ?? [])
      return times.length === 0 ? undefined : Math.min(...times)
    },
    onFault: options.onFault,
    onRun: options.onRun,
    mayRun: options.mayWork,
    ...(options.pauses === undefined ? {} : { pauses: options.pauses }),
  })
}
