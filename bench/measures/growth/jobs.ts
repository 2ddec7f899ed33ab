/** Background jobs, run by the benchmark itself on a service whose own loops do not run. */
import { usualRetention } from '../../../packages/server/src/accounts/retention/retention.ts'
import { hidingBy } from '../../../packages/server/src/alerts/hidden/hidden-text.ts'
import { endDueCheckouts } from '../../../packages/server/src/checkouts/end-checkouts.ts'
import { type Instant, systemClock } from '../../../packages/server/src/core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../../packages/server/src/core/duration.ts'
import { zoneOf } from '../../../packages/server/src/core/zone.ts'
import { expireIntents } from '../../../packages/server/src/intents/expire-intents.ts'
import { indexIntents } from '../../../packages/server/src/intents/list/index-intents.ts'
import { foldCounts, tallyIntents } from '../../../packages/server/src/intents/totals/tally-intents.ts'
import { announceUnmatched } from '../../../packages/server/src/matching/queue/announce-unmatched.ts'
import { otherNodes_ms } from '../../../packages/server/src/matching/reread/reread-alerts.ts'
import { type Db, openDatabase } from '../../../packages/server/src/postgres/connection/database.ts'
import { analyseGrown } from '../../../packages/server/src/postgres/maintenance/analyse-grown.ts'
import { at } from '../../../packages/server/src/postgres/query/columns.ts'
import { nextDue } from '../../../packages/server/src/views/next-due-sql.ts'
import { forgetBodies, keepPartitions } from '../../../packages/server/src/webhooks/log/keep-partitions.ts'
import { reapLeases } from '../../../packages/server/src/webhooks/sending/delivery-sql.ts'
import { mostAttempts } from '../../../packages/server/src/webhooks/sending/schedule.ts'
import { webhookDefaults } from '../../../packages/server/src/webhooks/settings.ts'
import { eraseOld } from '../../../packages/server/src/work/erase-old.ts'
import { learnRhythms } from '../../../packages/server/src/work/learn-rhythms.ts'
import { countService, sampleService } from '../../../packages/server/src/work/measure-service.ts'
import type { ServiceProcess } from '../../harness/service-process.ts'
import { makeOpen } from '../../rows/seed.ts'
import { masterKeyOf } from './samples.ts'

export type Job = {
  readonly name: string
  /** Before each run; not measured. */
  readonly prepare?: (service: ServiceProcess) => Promise<unknown>
  readonly run: (db: Db) => Promise<unknown>
}

const batch = 100
/** Two years ahead: then the texts, the log and the queue of the whole past are old enough to be erased, a batch at a time. */
const later = (now: Instant): Instant => now + 700 * day_ms

export const jobsOf = (service: ServiceProcess): Job[] => {
  const zone = zoneOf('Asia/Aden')
  const hiding = hidingBy(masterKeyOf(service))
  const now = (): Instant => systemClock.now()
  const deps = (db: Db) => ({ db, hiding, retention: usualRetention })
  return [
    {
      name: `expire ${batch} intents`,
      prepare: ({ db, merchant }) => makeOpen(db, merchant, batch, now() - 2 * hour_ms),
      run: (db) => expireIntents(db, batch, now(), zone),
    },
    { name: 'look for intents that expire', run: (db) => expireIntents(db, batch, now(), zone) },
    { name: 'look for checkouts that end', run: (db) => endDueCheckouts(db, zone, batch, now(), () => {}) },
    { name: 'look for unmatched money to announce', run: (db) => announceUnmatched(db, zone, batch, now(), () => {}) },
    { name: 'what is due next', run: (db) => nextDue(db, otherNodes_ms) },
    { name: 'index new intents', run: (db) => indexIntents(db) },
    { name: 'add up counts', run: (db) => foldCounts(db, 500) },
    { name: 'tally an hour', run: (db) => tallyIntents(db, hour_ms, now()) },
    {
      name: `erase ${batch} texts`,
      // Begins again with the oldest: the account has more of them than runs take.
      prepare: async ({ db, merchant }) => {
        await eraseOld(deps(db), batch, now())
        await db.run({
          text: `update retention_progress set due_at = case when account_id = $1 and kind = 'texts' then $2::timestamptz else $3 end`,
          values: [merchant.accountId, at(0), at(later(now()) + day_ms)],
        })
      },
      run: (db) => eraseOld(deps(db), batch, later(now())),
    },
    { name: 'look for leases that ended', run: (db) => reapLeases(db, now(), batch, mostAttempts(webhookDefaults)) },
    { name: 'keep partitions', run: (db) => keepPartitions(db, webhookDefaults, now()) },
    { name: 'forget bodies', run: (db) => forgetBodies(db, webhookDefaults, now(), batch) },
    { name: 'analyse what has grown', run: (db) => analyseGrown(db) },
    { name: 'sample the service', run: (db) => sampleService(db, now()) },
    { name: 'count the service', run: (db) => countService(db, now()) },
    { name: 'learn rhythms of phones', run: (db) => learnRhythms(db, zone, now() + minute_ms) },
  ]
}

/** The connection on which the benchmark runs the jobs. */
export const jobPool = ({ databaseUrl }: ServiceProcess) =>
  openDatabase({
    url: databaseUrl,
    connections: 1,
    application: 'sanad bench jobs',
    statement_timeout_ms: hour_ms,
    onFault: () => {},
  })
