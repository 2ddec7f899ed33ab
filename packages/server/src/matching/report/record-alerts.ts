/**
 * Records the reports of phones. Every report is stored as an alert with its raw text before the phone is answered, and is
 * matched in the same transaction if possible. Reports that arrive at the same time share a transaction. They are resolved in
 * the order of arrival, because balances follow from one another.
 *
 * A report that always fails is stored for review and does not stop the others. Otherwise the phone would send it for ever,
 * and would never send the reports after it.
 *
 * A request with an id is answered once. Its answer is stored in the same transaction, and a repeated request gets the same
 * bytes on every node, because both take the lock of the request first.
 */
import { createHash } from 'node:crypto'
import type { ReportOutcome } from '@sanad/contract/kinds'
import type { Report } from '../../alerts/alert.ts'
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import { looksLikeCode } from '../../alerts/texts/one-time-code.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { inSpan } from '../../core/tracing/call-context.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { gather, rolledBack } from '../../postgres/query/gather.ts'
import { findPhoneRequests, type RequestKey, rememberPhoneRequests } from '../../wallets/phones/phone-sql.ts'
import type { ReadReport } from '../reading/read-report.ts'
import { type AlertToResolve, hiddenKind, type KnownAlerts, type ReportReading } from '../records/known-alerts.ts'
import { releaseProven } from '../reread/release-proven.ts'
import { alertLocks, sortedLocks } from '../resolve/alert-locks.ts'
import { readKnownAlerts } from '../resolve/read-known-alerts.ts'
import {
  type AlertOutcome,
  decideAndWrite,
  isPermanentFault,
  resolveAlerts,
  storeUndecided,
} from '../resolve/resolve-alerts.ts'
import { pause_ms, pausingAccounts } from './pausing-accounts.ts'

type ReportSource = {
  readonly accountId: AccountId
  readonly phoneId: PhoneId
  readonly adapter: string
  readonly trusted: boolean
}
export type Recorded = ReportOutcome

export type RecordAlerts = (from: ReportSource, reports: readonly Report[], now: Instant) => Promise<Recorded[]>

/** `write` makes the answer from the result of each report. */
export type AnswerAlerts = (
  from: ReportSource,
  reports: readonly Report[],
  request: { readonly id: string; readonly write: (results: readonly Recorded[]) => string },
  now: Instant,
) => Promise<string>

/** The alerts of one request; `request` is undefined if it has no id. */
type RequestBatch = {
  readonly alerts: readonly AlertToResolve[]
  readonly request: (RequestKey & { readonly write: (results: readonly Recorded[]) => string }) | undefined
  readonly now: Instant
}
/** For a request that was answered before only `answer` is set. */
type RecordedBatch = {
  readonly outcomes: readonly AlertOutcome[]
  readonly results: readonly Recorded[]
  readonly answer: string | undefined
}

const requestKey = ({ phoneId, requestId }: RequestKey): string => `${phoneId} ${requestId}`
const requestLock = (request: RequestKey): bigint =>
  createHash('sha256').update(requestKey(request)).digest().readBigInt64BE()

const batchLocks = (batches: readonly RequestBatch[]): bigint[] =>
  sortedLocks([
    ...alertLocks(batches.flatMap(({ alerts }) => alerts)),
    ...batches.flatMap(({ request }) => (request === undefined ? [] : [requestLock(request)])),
  ])

const resultOf = ({ known, state, held }: AlertOutcome): Recorded => {
  if (known || state === 'duplicate') return 'duplicate'
  return state === 'held' || held ? 'held' : 'accepted'
}

/** The answer as it is stored. It repeats the phone's ids of its messages, and such an id may be a hash of a one-time code's
 *  text: then the answer is sealed. */
const storedAnswer = (request: RequestKey, answer: string, alerts: readonly AlertToResolve[]): string => {
  const hidden = alerts.find((alert) => hiddenKind(alert) !== '')
  return hidden === undefined ? answer : hidden.hiding.sealAnswer(requestKey(request), answer)
}

/** The caller holds `batchLocks(batches)`. */
const recordAll = async (
  tx: Tx,
  batches: readonly RequestBatch[],
  zone: Zone,
  hiding: Hiding,
): Promise<{ readonly recorded: readonly RecordedBatch[]; readonly known: KnownAlerts }> => {
  const requests = batches.flatMap(({ request }) => request ?? [])
  const [answered, known] = await Promise.all([
    requests.length === 0 ? [] : findPhoneRequests(tx, requests),
    readKnownAlerts(
      tx,
      batches.flatMap(({ alerts }) => alerts),
    ),
  ])
  const answers = new Map(
    answered.flatMap((row) => {
      const key = requestKey({ phoneId: row.device_id, requestId: row.request_id })
      const answer = hiding.openAnswer(key, row.answer)
      return answer === undefined ? [] : [[key, answer] as const]
    }),
  )
  const earlierAnswer = ({ request }: RequestBatch): string | undefined => request && answers.get(requestKey(request))
  const fresh = batches.filter((batch) => earlierAnswer(batch) === undefined)
  const decided = await decideAndWrite(
    tx,
    fresh.flatMap(({ alerts }) => alerts),
    known,
    zone,
  )
  const outcomes = decided.values()
  const recorded = batches.map((batch) => {
    const answer = earlierAnswer(batch)
    if (answer !== undefined) return { outcomes: [], results: [], answer }
    const own = [...outcomes.take(batch.alerts.length)]
    const results = own.map(resultOf)
    return { outcomes: own, results, answer: batch.request?.write(results) }
  })
  const remembered = batches.flatMap(({ request, alerts, now }, i) => {
    const { answer } = recorded[i]!
    return request === undefined || answer === undefined || answers.has(requestKey(request))
      ? []
      : [{ ...request, answer: storedAnswer(request, answer, alerts), now }]
  })
  if (remembered.length > 0) rememberPhoneRequests.atEnd(tx, remembered)
  return { recorded, known }
}

export const alertRecorder = (deps: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly readReport: ReadReport
  /** Called after the commit. */
  readonly onResolved?: (accountId: AccountId, outcomes: readonly AlertOutcome[]) => void
  /** Called after the commit with what was reported alone; `onResolved` also gets earlier alerts that are read again. */
  readonly onReported?: (outcomes: readonly AlertOutcome[]) => void
  /** Called for each alert that was stored for review because of a fault in Sanad. */
  readonly onFault?: (fault: unknown) => void
}): { readonly record: RecordAlerts; readonly answer: AnswerAlerts } => {
  const { db, shared, zone, readReport, onResolved, onReported, onFault } = deps

  const recordAlone = async (batch: RequestBatch): Promise<RecordedBatch> => {
    try {
      const { recorded } = await db.transaction(
        (tx) => recordAll(tx, [batch], zone, readReport.hiding),
        batchLocks([batch]),
      )
      return recorded[0]!
    } catch (fault) {
      if (isPermanentFault(fault) || (batch.alerts.length > 1 && rolledBack(fault))) return recordSingly(batch)
      throw fault
    }
  }

  /** Each alert in its own transaction, so that one that always fails does not stop the others. */
  const recordSingly = async (batch: RequestBatch): Promise<RecordedBatch> => {
    const outcomes: AlertOutcome[] = []
    for (const alert of batch.alerts) outcomes.push(await resolveOrStore(alert))
    const results = outcomes.map(resultOf)
    const answer = batch.request?.write(results)
    if (batch.request !== undefined) {
      const stored = storedAnswer(batch.request, answer!, batch.alerts)
      await rememberPhoneRequests(db, [{ ...batch.request, answer: stored, now: batch.now }])
    }
    return { outcomes, results, answer }
  }

  const resolveOrStore = async (alert: AlertToResolve): Promise<AlertOutcome> => {
    try {
      return (await db.transaction((tx) => resolveAlerts(tx, [alert], zone), alertLocks([alert])))[0]!
    } catch (fault) {
      if (!isPermanentFault(fault)) throw fault
      return store(alert, fault, false).catch((second) => {
        if (!isPermanentFault(second)) throw second
        return store(alert, fault, true)
      })
    }
  }

  const store = (alert: AlertToResolve, fault: unknown, bare: boolean): Promise<AlertOutcome> =>
    db.transaction((tx) => storeUndecided(tx, alert, fault, bare), alertLocks([alert]))

  const recordShared = gather<RequestBatch, RecordedBatch>({
    together: (batches, next) =>
      shared.transaction(async (tx) => {
        const { recorded, known } = await recordAll(tx, batches, zone, readReport.hiding)
        next(
          pausingAccounts(
            batches.flatMap(({ alerts }) => alerts),
            known,
          ),
        )
        return recorded
      }, batchLocks(batches)),
    alone: recordAlone,
    mark: ({ request }) => request && requestKey(request),
    caller: ({ alerts }) => alerts[0]!.accountId,
    most: 128,
    weigh: ({ alerts }) => alerts.length,
    // The next batch begins when this one is decided, before its commit. Alerts that depend on each other (one message, one
    // reference, one balance) wait for its locks and keep the order of arrival; others do not wait. If deciding takes long, as with
    // the alerts of a busy phone, a batch of other accounts begins before that.
    parallel: 3,
    parallelOfCaller: 2,
    keepsOrder: true,
    pause_ms,
    soon_ms: 10,
  })

  const readAll = async (from: ReportSource, reports: readonly Report[], now: Instant): Promise<AlertToResolve[]> => {
    const alerts: AlertToResolve[] = []
    for (const received of reports) {
      const report = storable(received)
      const reading = await readReport(wholeAccount(from.accountId), from.phoneId, report, now).catch(
        (fault): ReportReading => {
          if (!isPermanentFault(fault)) throw fault
          onFault?.(fault)
          // Wallets or templates could not be loaded. A text that looks like a one-time code is hidden; it can be read later.
          const hidden = looksLikeCode(report.text) ? 'code' : ''
          return { kind: 'unread', reason: 'not_decided', wallet: undefined, hidden }
        },
      )
      alerts.push({ ...from, report, reading, hiding: readReport.hiding, now })
    }
    return alerts
  }

  const afterCommit = async (scope: Scope, outcomes: readonly AlertOutcome[], now: Instant): Promise<void> => {
    for (const { fault } of outcomes) if (fault !== undefined) onFault?.(fault)
    onReported?.(outcomes)
    onResolved?.(scope.accountId, outcomes)
    const wallets = new Set(outcomes.flatMap(({ proved }) => proved ?? []))
    // If this fails, the background loop repeats it.
    for (const identity of wallets)
      await releaseProven({ ...deps, ...(onResolved && { onResolved }) }, scope, identity, now).catch(onFault)
  }

  return {
    async record(from, reports, now) {
      const alerts = await readAll(from, reports, now)
      const { outcomes, results } = await inSpan('match alerts', () =>
        recordShared({ alerts, request: undefined, now }),
      )
      await afterCommit(wholeAccount(from.accountId), outcomes, now)
      return [...results]
    },
    async answer(from, reports, { id, write }, now) {
      const alerts = await readAll(from, reports, now)
      const request = { phoneId: from.phoneId, requestId: id, write }
      const { outcomes, answer } = await inSpan('match alerts', () => recordShared({ alerts, request, now }))
      await afterCommit(wholeAccount(from.accountId), outcomes, now)
      return answer!
    },
  }
}

const longestText = 65_536
const cut = (text: string, longest: number): string => {
  // PostgreSQL stores neither NUL nor half a surrogate pair: they become the replacement character, which is visible.
  const clean = text.replaceAll('\0', '\ufffd').toWellFormed()
  return clean.length <= longest ? clean : clean.slice(0, longest).toWellFormed()
}

/** A report of an authenticated phone is never refused for its content: it is cut to what can be stored. */
const storable = (report: Report): Report => ({
  ...report,
  clientId: cut(report.clientId, 128),
  sender: cut(report.sender, 128),
  package: cut(report.package, 200),
  title: cut(report.title, 500),
  text: cut(report.text, longestText),
})
