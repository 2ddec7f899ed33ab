/**
 * The sender: claim, commit, POST, record. Several may run at once, on several nodes. It is fair over endpoints and
 * accounts (share-calls.ts), and some of its calls are kept for first attempts, so that what fails slowly never stands
 * before what is new. A worker that dies loses its leases, and its deliveries go out again: none is lost, one may come
 * twice, with the same event id.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Instant } from '../../core/clock.ts'
import type { AccountId, DeliveryId, EndpointId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { CallReceiver, CallResult } from '../calling/call-receiver.ts'
import { type Headers, keptRequest, requestHeaders } from '../calling/request-headers.ts'
import { shownAnswer } from '../calling/shown-answer.ts'
import { signatureHeader } from '../calling/signature.ts'
import { leaseSpare_ms, type WebhookSettings, webhookDefaults } from '../settings.ts'
import { claimDeliveries, dueEndpoints, type Lease } from './delivery-sql.ts'
import { type Result, recordResults } from './record-results.ts'
import { fateOf, verdictOf } from './schedule.ts'
import { type Ready, shareCalls } from './share-calls.ts'
import { afterBegun, type Load, mayBegin, type Pace, paceAfter, quiet } from './yield-calls.ts'

export type SenderDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly call: CallReceiver
  /** The secret of an endpoint, from its sealed form. */
  readonly unseal: (sealed: Buffer, endpointId: EndpointId) => string
  /** Custom headers, whose values may be secrets, from their sealed form. */
  readonly unsealHeaders: (sealed: string, endpointId: EndpointId) => Readonly<Record<string, string>>
  readonly userAgent: string
  readonly random?: () => number
  readonly settings?: Partial<WebhookSettings>
  /** How busy the house is with requests, which come first; undefined: no news. Left out: it has nothing else to do. */
  readonly load?: () => Load | undefined
  readonly onFault: (fault: unknown) => void
  /** For figures: how an attempt ended, and how long after its event the first byte of the first one was sent. */
  readonly onAttempt?: (outcome: string, sinceEvent_ms: number | undefined) => void
  /** For those who look: what became of an attempt is written down; an endpoint stands otherwise than before. */
  readonly onRecorded?: (accountId: AccountId, id: DeliveryId) => void
  readonly onTurned?: (accountId: AccountId, id: EndpointId) => void
}

/** Events of an account that have just been committed. */
export type Paid = { readonly accountId: AccountId; readonly events: number }

export type Sender = {
  /** Something was committed: look now, not at the next turn. `paid`: by this process, for somebody who asked. */
  wake(paid?: Paid): void
  start(): void
  /** Claims nothing more, waits for the calls under way and writes them down. */
  stop(): Promise<void>
}

type Claimed = Awaited<ReturnType<typeof claimDeliveries>>[number]
type Answer = Pick<CallResult, 'result' | 'status' | 'error' | 'headers' | 'body' | 'took'>
/** The merchant reads it; what was wrong is in the operator's log. */
const notSent = 'It was not sent: something is wrong at Sanad, not at your server.'
const unsent: Answer = {
  result: { kind: 'unsent', error: notSent },
  error: notSent,
  headers: {},
  body: '',
  took: { dns_ms: null, connect_ms: null, first_byte_ms: null, total_ms: 0 },
}
const firstEndpoint = '00000000-0000-0000-0000-000000000000'
const mostLooked = 1_000
/** What arrived and cannot be written down, because the database is away, is tried again for about six seconds. */
const recordAgain_ms = [100, 200, 400, 800, 1_600, 3_200]
/** While more than so many wait to be written down, nothing more is claimed. */
const mostUnwritten = 1_024
/** More than are paid before the next look. */
const mostOwed = 1_024
/** Who gave way looks again so soon: what it may begin meanwhile goes out together, which costs requests less than one by one. */
const giveWay_ms = 80
/** While requests stand beside each other, and a look found nothing due, not each of them that is paid has it look again. */
const lookEvery_ms = 10
/** With most calls under way, those that end are waited for a moment: one claim then serves all of them. */
const claimAgain_ms = 8

export const webhookSender = (deps: SenderDeps): Sender => {
  const { db, clock, call, onFault } = deps
  const random = deps.random ?? Math.random
  const settings: WebhookSettings = { ...webhookDefaults, ...deps.settings }
  /** Claimed and not yet written down. */
  const underWay = new Set<Promise<void>>()
  let calls = 0
  const byEndpoint = new Map<EndpointId, number>()
  const byAccount = new Map<AccountId, number>()
  /** Endpoints that had something due when it was last looked, in the order of their turns. */
  const ready = new Map<EndpointId, Ready>()
  let retries = 0
  let looking = false
  /** When it was last looked for nothing, by a clock that nobody moves. */
  let inVainAt = Number.NEGATIVE_INFINITY
  let pumping: Promise<void> | undefined
  let again = false
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  /** How many deliveries may begin before requests that wait. */
  let pace: Pace = quiet
  /** Deliveries of what this process has just committed: they belong to requests, and do not give way to them. */
  let owed = 0
  /** The events among them whose endpoints are not yet counted: each is owed once until then. */
  const uncounted = new Map<AccountId, number>()
  let later: NodeJS.Timeout | undefined

  const roomNow = (): number => {
    const load = deps.load?.()
    if (load !== undefined) pace = paceAfter(pace, load, settings)
    return mayBegin(pace) + owed
  }
  const lookLater = (pause_ms: number): void => {
    later ??= setTimeout(() => {
      later = undefined
      look()
    }, pause_ms)
    later.unref()
  }
  /** A call has ended: a claim for it alone would cost more than the call. */
  const lookAgain = (): void => {
    const free = settings.calls - calls
    if (calls < settings.calls / 2 || free >= settings.calls / 4) look()
    else if (ready.size > 0) lookLater(claimAgain_ms)
  }

  const written = async (results: readonly Result[]): Promise<void> => {
    const turned = await recordResults(db, results, settings, clock.now())
    for (const { accountId, id } of results) deps.onRecorded?.(accountId, id)
    for (const id of turned) deps.onTurned?.(results.find((one) => one.endpointId === id)!.accountId, id)
  }
  const record = gather<Result, void>({
    together: async (results) => {
      await written(results)
      return results.map(() => undefined)
    },
    alone: (result) => written([result]),
    most: settings.finish_most,
    parallel: 2,
    linger_ms: settings.finish_ms,
  })

  const owe = (deliveries: number): void => {
    owed = Math.min(owed + deliveries, mostOwed)
  }
  /** What was paid is owed to every endpoint of its account that has something due: to one it was already. */
  const oweToAll = (paid: ReadonlyMap<AccountId, number>): void => {
    if (paid.size === 0) return
    const met = new Set<AccountId>()
    for (const { accountId } of ready.values()) {
      if (met.has(accountId)) owe(paid.get(accountId) ?? 0)
      met.add(accountId)
    }
  }

  /** Which endpoints have something due: all of them, a thousand at a time. */
  const findReady = async (now: Instant): Promise<void> => {
    for (let after: string = firstEndpoint; ; ) {
      const seen = await dueEndpoints(db, after, now, settings.calls_per_endpoint, mostLooked)
      for (const { id, account_id, room, due } of seen) {
        if (due) ready.set(id, { id, accountId: account_id, room })
        else ready.delete(id)
      }
      if (seen.length < mostLooked) return
      after = seen.reduce((last, { id }) => (id > last ? id : last), after)
    }
  }

  const pump = async (): Promise<void> => {
    while (!stopped) {
      const room = roomNow()
      if (room < 1) return lookLater(giveWay_ms)
      const early_ms = room === Number.POSITIVE_INFINITY ? 0 : inVainAt + lookEvery_ms - performance.now()
      if (looking && early_ms <= 0) {
        looking = false
        const paid = new Map(uncounted)
        uncounted.clear()
        await findReady(clock.now())
        oweToAll(paid)
        inVainAt = ready.size === 0 ? performance.now() : Number.NEGATIVE_INFINITY
        // Nothing is due, unless something was paid while it was looked.
        if (ready.size === 0 && !looking) owed = 0
      }
      // A claim does not know beforehand what it finds: it takes no more than may be retries, or first attempts only.
      const retryRoom = Math.max(1, Math.floor(settings.calls * (1 - settings.first_share))) - retries
      const firstOnly = retryRoom <= 0
      const free = Math.min(settings.calls - calls, mostUnwritten - (underWay.size - calls), room)
      const most = firstOnly ? free : Math.min(free, retryRoom)
      const shares = shareCalls(ready.values(), most, { byEndpoint, byAccount }, settings)
      if (shares.length === 0) {
        if (!looking) return
        if (early_ms > 0) return lookLater(early_ms)
        continue
      }
      const now = clock.now()
      const lease: Lease = { id: randomUUID(), until: now + settings.lease_ms }
      const rows = await claimDeliveries(db, {
        lease,
        now,
        shares,
        fullRoom: settings.calls_per_endpoint,
        firstOnly,
      })
      const fresh = Math.min(owed, rows.length)
      owed -= fresh
      pace = afterBegun(pace, rows.length - fresh)
      const got = new Map<EndpointId, number>()
      for (const row of rows) {
        got.set(row.endpoint_id, (got.get(row.endpoint_id) ?? 0) + 1)
        begin(row, lease)
      }
      for (const { id, most } of shares) {
        const one = ready.get(id)
        ready.delete(id)
        // It had as much as it was given, so it may have more: its next turn comes after the others'.
        if (one !== undefined && got.get(id) === most) ready.set(id, one)
      }
    }
  }

  const look = (): void => {
    if (stopped) return
    if (pumping !== undefined) {
      again = true
      return
    }
    if (!looking && ready.size === 0) return
    pumping = pump()
      .catch(onFault)
      .finally(() => {
        pumping = undefined
        if (again) {
          again = false
          look()
        }
      })
  }

  const wake = (paid?: Paid): void => {
    if (stopped) return
    if (paid !== undefined) {
      owe(paid.events)
      uncounted.set(paid.accountId, (uncounted.get(paid.accountId) ?? 0) + paid.events)
    }
    looking = true
    look()
  }

  const count = <K>(counts: Map<K, number>, key: K, by: 1 | -1): void => {
    const now = (counts.get(key) ?? 0) + by
    if (now > 0) counts.set(key, now)
    else counts.delete(key)
  }

  const begin = (row: Claimed, lease: Lease): void => {
    const isRetry = row.attempt > 1
    // While it recovers, each answer may open it further: then it is looked at again.
    const recovering = (ready.get(row.endpoint_id)?.room ?? 0) < settings.calls_per_endpoint
    count(byEndpoint, row.endpoint_id, 1)
    count(byAccount, row.account_id, 1)
    calls++
    if (isRetry) retries++
    let out = true
    const callEnded = (): void => {
      if (!out) return
      out = false
      calls--
      count(byEndpoint, row.endpoint_id, -1)
      count(byAccount, row.account_id, -1)
      if (isRetry) retries--
      lookAgain()
    }
    // What arrived makes room for the next at once. A failure, or a probe, only when it is known what follows from it.
    const running: Promise<void> = deliver(row, lease, recovering ? () => {} : callEnded)
      .catch(onFault)
      .finally(() => {
        underWay.delete(running)
        // What it opens further, or what follows it, may go out now.
        if (recovering || row.leads) looking = true
        if (out) callEnded()
        else if (looking) look()
        else lookAgain()
      })
    underWay.add(running)
  }

  /** Signed anew at each attempt, over the same bytes. Throws where this node cannot open what is sealed. */
  const headersOf = (row: Claimed, own: Headers, now: Instant): Headers => {
    const secrets = [deps.unseal(row.secret_sealed, row.endpoint_id)]
    if (row.previous_secret_sealed !== null && row.previous_until !== null && now < row.previous_until)
      secrets.push(deps.unseal(row.previous_secret_sealed, row.endpoint_id))
    const signature = signatureHeader(secrets, Math.floor(now / 1000), row.body)
    const naming = { eventId: row.event_id, deliveryId: row.id, attempt: row.attempt }
    return requestHeaders(own, naming, { userAgent: deps.userAgent, signature })
  }

  const deliver = async (row: Claimed, lease: Lease, arrived: () => void): Promise<void> => {
    const startedAt = clock.now()
    // The database was slow to answer the claim: the lease might end before the call does. It lapses, and is claimed again.
    if (lease.until - startedAt < settings.total_ms + leaseSpare_ms / 2) return
    let own: Headers = {}
    let headers: Headers | undefined
    let answer: Answer
    try {
      own = deps.unsealHeaders(row.headers, row.endpoint_id)
      headers = headersOf(row, own, startedAt)
      answer = await call({ url: row.url, headers, body: row.body })
    } catch (fault) {
      // Written down like any other attempt: left to its lapsing lease, it would come back for ever and nobody would see.
      onFault(fault)
      answer = unsent
    }
    const finishedAt = clock.now()
    const verdict = verdictOf(answer.result, finishedAt)
    const fate = fateOf(verdict, row.attempt, finishedAt, random, settings)
    const ok = verdict.kind === 'ok'
    if (ok) arrived()
    const outcome = ok ? 'ok' : verdict.reason
    const reached = answer.result.kind === 'answer'
    const connecting_ms = (answer.took.dns_ms ?? 0) + (answer.took.connect_ms ?? 0)
    deps.onAttempt?.(
      outcome,
      row.attempt === 1 && !row.by_hand && reached ? startedAt + connecting_ms - row.event_at : undefined,
    )
    // Most endpoints have no headers of their own: then there is nothing to hide.
    const shown = headers !== undefined && Object.keys(own).length > 0 ? shownAnswer(headers, answer) : answer
    await persistently({
      id: row.id,
      place: row.place,
      leaseId: lease.id,
      at: finishedAt,
      nextAt: fate.kind === 'retry' ? fate.at : null,
      ending: fate.kind === 'retry' ? null : fate.kind === 'gone' ? 'disabled' : fate.kind,
      outcome,
      status: answer.status ?? null,
      error: shown.error ?? '',
      request: keptRequest(row.url, own, headers),
      response: JSON.stringify({ headers: shown.headers, body: shown.body }),
      took: JSON.stringify(answer.took),
      accountId: row.account_id,
      endpointId: row.endpoint_id,
      ok,
      reached,
      misconfigured: verdict.kind === 'failed' && verdict.misconfigured,
      gone: verdict.kind === 'failed' && verdict.reason === 'gone',
      tellsOfHealth: !row.by_hand && answer !== unsent,
    })
  }

  /**
   * Recorded already, or the lease lost: then trying again changes nothing. What cannot be written down at last goes out
   * again when its lease has lapsed.
   */
  const persistently = async (result: Result): Promise<void> => {
    for (const pause_ms of recordAgain_ms) {
      try {
        return await record(result)
      } catch (fault) {
        if (stopped) throw fault
        await delay(pause_ms)
      }
    }
    await record(result)
  }

  return {
    wake,
    start() {
      stopped = false
      timer = setInterval(() => wake(), settings.poll_ms)
      timer.unref()
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(later)
      await pumping
      await Promise.allSettled([...underWay])
    },
  }
}
