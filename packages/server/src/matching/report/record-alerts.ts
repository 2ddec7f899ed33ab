/**
 * Records what phones report. Every alert is stored with its raw text before the phone is answered; one that can be
 * matched is matched in the same transaction. Alerts of the same instant share it; they are settled in the order in which
 * they came, because balances follow from one another.
 *
 * What cannot be settled, for a fault that would come again, is kept for a person, and those behind it go on: a phone would
 * otherwise send it for ever, and never what came after it.
 *
 * A request that has a name is answered once: its answer is remembered in the transaction that does what it says, and one
 * that comes again gets it byte for byte, whatever it says now, on every node: both take the lock of the request first.
 */
import { createHash } from 'node:crypto'
import type { Report } from '../../alerts/alert.ts'
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import { looksLikeCode } from '../../alerts/texts/one-time-code.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeviceId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { gather, rolledBack } from '../../postgres/query/gather.ts'
import { findRequests, type RequestName, rememberRequests } from '../../wallets/phones/phone-sql.ts'
import { releaseProven } from '../reread/release-proven.ts'
import { alertLocks, sortedLocks } from '../resolve/alert-locks.ts'
import { type AlertToResolve, hiddenKind, type ReportReading } from '../resolve/known-alerts.ts'
import { readKnownAlerts } from '../resolve/read-known-alerts.ts'
import { decideAndWrite, isPermanentFault, resolveAlerts, type Settled, storeUndecided } from '../resolve/settle.ts'
import type { UnderstandReport } from './understand-report.ts'

type From = {
  readonly accountId: AccountId
  readonly deviceId: DeviceId
  readonly adapter: string
  readonly trusted: boolean
}
export type Recorded = 'accepted' | 'duplicate' | 'held'

export type RecordAlerts = (from: From, reports: readonly Report[], now: Instant) => Promise<Recorded[]>

/** `write`: the answer, from what became of each alert. */
export type AnswerAlerts = (
  from: From,
  reports: readonly Report[],
  request: { readonly id: string; readonly write: (results: readonly Recorded[]) => string },
  now: Instant,
) => Promise<string>

/** The alerts of one request, and how it is answered if it has a name. */
type Sent = {
  readonly items: readonly AlertToResolve[]
  readonly request: (RequestName & { readonly write: (results: readonly Recorded[]) => string }) | undefined
  readonly now: Instant
}
/** Of a request that was answered before, that answer. */
type Done = {
  readonly settled: readonly Settled[]
  readonly results: readonly Recorded[]
  readonly answer: string | undefined
}

const nameOf = ({ deviceId, requestId }: RequestName): string => `${deviceId} ${requestId}`
const lockOf = (name: RequestName): bigint => createHash('sha256').update(nameOf(name)).digest().readBigInt64BE()

const locksOfAll = (sent: readonly Sent[]): bigint[] =>
  sortedLocks([
    ...alertLocks(sent.flatMap(({ items }) => items)),
    ...sent.flatMap(({ request }) => (request === undefined ? [] : [lockOf(request)])),
  ])

const recorded = ({ known, state, held }: Settled): Recorded => {
  if (known || state === 'duplicate') return 'duplicate'
  return state === 'held' || held ? 'held' : 'accepted'
}

/** An answer repeats what the phone calls its messages, and that may be a hash of a code's text. */
const keptAnswer = (request: RequestName, answer: string, items: readonly AlertToResolve[]): string => {
  const hidden = items.find((item) => hiddenKind(item) !== '')
  return hidden === undefined ? answer : hidden.hiding.sealAnswer(nameOf(request), answer)
}

/** The caller holds the locks of all. */
const recordAll = async (tx: Tx, sent: readonly Sent[], zone: Zone, hiding: Hiding): Promise<Done[]> => {
  const named = sent.flatMap(({ request }) => request ?? [])
  const [answered, book] = await Promise.all([
    named.length === 0 ? [] : findRequests(tx, named),
    readKnownAlerts(
      tx,
      sent.flatMap(({ items }) => items),
    ),
  ])
  const earlier = new Map(
    answered.flatMap((row) => {
      const name = nameOf({ deviceId: row.device_id, requestId: row.request_id })
      const answer = hiding.openAnswer(name, row.answer)
      return answer === undefined ? [] : [[name, answer] as const]
    }),
  )
  const before = (one: Sent): string | undefined => one.request && earlier.get(nameOf(one.request))
  const fresh = sent.filter((one) => before(one) === undefined)
  const settled = decideAndWrite(
    tx,
    fresh.flatMap(({ items }) => items),
    book,
    zone,
  ).values()
  const done = sent.map((one) => {
    const answer = before(one)
    if (answer !== undefined) return { settled: [], results: [], answer }
    const mine = [...settled.take(one.items.length)]
    const results = mine.map(recorded)
    return { settled: mine, results, answer: one.request?.write(results) }
  })
  const remembered = sent.flatMap(({ request, items, now }, i) => {
    const { answer } = done[i]!
    return request === undefined || answer === undefined || earlier.has(nameOf(request))
      ? []
      : [{ ...request, answer: keptAnswer(request, answer, items), now }]
  })
  if (remembered.length > 0) rememberRequests.atEnd(tx, remembered)
  return done
}

export const alertRecorder = (deps: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly understand: UnderstandReport
  /** After the commit: what became of them. */
  readonly onSettled?: (accountId: AccountId, settled: readonly Settled[]) => void
  /** What was kept for a person because of a fault of ours. */
  readonly onFault?: (fault: unknown) => void
}): { readonly record: RecordAlerts; readonly answer: AnswerAlerts } => {
  const { db, shared, zone, understand, onSettled, onFault } = deps

  const recordAlone = async (one: Sent): Promise<Done> => {
    try {
      return (await db.transaction((tx) => recordAll(tx, [one], zone, understand.hiding), locksOfAll([one])))[0]!
    } catch (fault) {
      if (isPermanentFault(fault) || (one.items.length > 1 && rolledBack(fault))) return recordSingly(one)
      throw fault
    }
  }

  /** One alert that cannot be settled does not keep the others of its request from being. */
  const recordSingly = async (one: Sent): Promise<Done> => {
    const settled: Settled[] = []
    for (const item of one.items) settled.push(await settleOrKeep(item))
    const results = settled.map(recorded)
    const answer = one.request?.write(results)
    if (one.request !== undefined) {
      const kept = keptAnswer(one.request, answer!, one.items)
      await rememberRequests(db, [{ ...one.request, answer: kept, now: one.now }])
    }
    return { settled, results, answer }
  }

  const settleOrKeep = async (item: AlertToResolve): Promise<Settled> => {
    try {
      return (await db.transaction((tx) => resolveAlerts(tx, [item], zone), alertLocks([item])))[0]!
    } catch (fault) {
      if (!isPermanentFault(fault)) throw fault
      return keep(item, fault, false).catch((still) => {
        if (!isPermanentFault(still)) throw still
        return keep(item, fault, true)
      })
    }
  }

  const keep = (item: AlertToResolve, fault: unknown, bare: boolean): Promise<Settled> =>
    db.transaction((tx) => storeUndecided(tx, item, fault, bare), alertLocks([item]))

  const recordShared = gather<Sent, Done>({
    together: (sent) => shared.transaction((tx) => recordAll(tx, sent, zone, understand.hiding), locksOfAll(sent)),
    alone: recordAlone,
    mark: ({ request }) => request && nameOf(request),
    most: 128,
    weigh: ({ items }) => items.length,
    // One at a time: two at once would settle faster, and not in the order in which they came.
    parallel: 1,
  })

  const readAll = async (from: From, reports: readonly Report[], now: Instant): Promise<AlertToResolve[]> => {
    const items: AlertToResolve[] = []
    for (const sent of reports) {
      const report = storable(sent)
      const reading = await understand(from.accountId, from.deviceId, report, now).catch((fault): ReportReading => {
        if (!isPermanentFault(fault)) throw fault
        onFault?.(fault)
        // Nobody could ask the templates: what looks like a code is hidden, and still read when somebody can.
        const hidden = looksLikeCode(report.text) ? 'code' : ''
        return { kind: 'unread', reason: 'not_decided', wallet: undefined, hidden }
      })
      items.push({ ...from, report, reading, hiding: understand.hiding, now })
    }
    return items
  }

  const tellOf = async (accountId: AccountId, settled: readonly Settled[], now: Instant): Promise<void> => {
    for (const { fault } of settled) if (fault !== undefined) onFault?.(fault)
    onSettled?.(accountId, settled)
    const wallets = new Set(settled.flatMap(({ proved }) => proved ?? []))
    // What fails here is done by the loop.
    for (const identity of wallets)
      await releaseProven({ ...deps, ...(onSettled && { onSettled }) }, accountId, identity, now).catch(onFault)
  }

  return {
    async record(from, reports, now) {
      const items = await readAll(from, reports, now)
      const { settled, results } = await recordShared({ items, request: undefined, now })
      await tellOf(from.accountId, settled, now)
      return [...results]
    },
    async answer(from, reports, { id, write }, now) {
      const items = await readAll(from, reports, now)
      const request = { deviceId: from.deviceId, requestId: id, write }
      const { settled, answer } = await recordShared({ items, request, now })
      await tellOf(from.accountId, settled, now)
      return answer!
    },
  }
}

const longestText = 65_536
const cut = (text: string, most: number): string => {
  // PostgreSQL stores no NUL and no half of a character; what stands for them is visible.
  const clean = text.replaceAll('\0', '\ufffd').toWellFormed()
  return clean.length <= most ? clean : clean.slice(0, most).toWellFormed()
}

/** An authenticated alert is never refused for what is in it: it is cut to what can be kept. */
const storable = (report: Report): Report => ({
  ...report,
  clientId: cut(report.clientId, 128),
  sender: cut(report.sender, 128),
  package: cut(report.package, 200),
  title: cut(report.title, 500),
  text: cut(report.text, longestText),
})
