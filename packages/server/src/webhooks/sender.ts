/**
 * The sender: claim, commit, POST, record. Several may run at once, on several nodes. It is fair over endpoints and accounts:
 * a quarter of the calls at most belong to one account, eight to one endpoint, and half are kept for first attempts, so that
 * what fails slowly never stands before what is new. A worker that dies loses its leases, and its deliveries go out again:
 * none is lost, one may come twice, with the same event id.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Instant } from '../ground/clock.ts'
import type { AccountId, EndpointId } from '../ground/ids.ts'
import type { Db } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'
import type { CallReceiver } from './call-receiver.ts'
import { claimDeliveries } from './delivery-sql.ts'
import { shownHeaders } from './endpoint.ts'
import { type Result, recordResults } from './record-results.ts'
import { fateOf, verdictOf } from './schedule.ts'
import { signatureHeader } from './signature.ts'

export type SenderSettings = {
  readonly calls: number
  readonly perEndpoint: number
  readonly perClaim: number
  readonly lease_ms: number
  readonly poll_ms: number
}

export const senderDefaults: SenderSettings = {
  calls: 256,
  perEndpoint: 4,
  perClaim: 128,
  lease_ms: 30_000,
  poll_ms: 1_000,
}

export type SenderRooms = {
  readonly db: Db
  readonly clock: Clock
  readonly call: CallReceiver
  /** The secret of an endpoint, from its sealed form. */
  readonly unseal: (sealed: Buffer, endpointId: EndpointId) => string
  /** Custom headers, whose values may be secrets, from their sealed form. */
  readonly unsealHeaders: (sealed: string, endpointId: EndpointId) => Readonly<Record<string, string>>
  readonly userAgent: string
  readonly random?: () => number
  readonly settings?: Partial<SenderSettings>
  readonly onFault: (fault: unknown) => void
  /** For figures: how an attempt ended, and how long after its event the first one began. */
  readonly onAttempt?: (outcome: string, sinceEvent_ms: number | undefined) => void
}

export type Sender = {
  /** Something was committed: look now, not at the next turn. */
  wake(): void
  start(): void
  /** Claims nothing more, waits for the calls under way and writes them down. */
  stop(): Promise<void>
}

type Claimed = Awaited<ReturnType<typeof claimDeliveries>>[number]
const firstEndpoint = '00000000-0000-0000-0000-000000000000'

export const webhookSender = (rooms: SenderRooms): Sender => {
  const { db, clock, call, onFault } = rooms
  const random = rooms.random ?? Math.random
  const settings = { ...senderDefaults, ...rooms.settings }
  const underWay = new Set<Promise<void>>()
  const byEndpoint = new Map<EndpointId, number>()
  const byAccount = new Map<AccountId, number>()
  let retries = 0
  let cursor: string = firstEndpoint
  let pumping: Promise<void> | undefined
  let again = false
  let stopped = true
  let timer: NodeJS.Timeout | undefined

  const record = gather<Result, void>({
    together: async (results) => {
      await recordResults(db, results, clock.now())
      return results.map(() => undefined)
    },
    alone: (result) => recordResults(db, [result], clock.now()),
    most: 64,
    parallel: 2,
  })

  const claim = async (room: number, now: Instant): Promise<Claimed[]> => {
    const rows = await claimDeliveries(db, {
      leaseId: randomUUID(),
      leaseUntil: now + settings.lease_ms,
      now,
      after: cursor,
      most: Math.min(room, settings.perClaim),
      busy: [...byEndpoint].map(([id, count]) => ({ id, underWay: count })),
      perEndpoint: settings.perEndpoint,
      fullAccounts: [...byAccount].filter(([, count]) => count >= settings.calls / 4).map(([id]) => id),
      firstOnly: retries >= settings.calls / 2,
    })
    return rows
  }

  const pump = async (): Promise<void> => {
    for (;;) {
      const room = settings.calls - underWay.size
      if (stopped || room <= 0) return
      const rows = await claim(room, clock.now())
      for (const row of rows) begin(row)
      const last = rows.reduce((most, row) => (row.endpoint_id > most ? row.endpoint_id : most), '')
      // A full claim goes on behind its last endpoint; one that reached the end begins anew, once.
      if (rows.length >= Math.min(room, settings.perClaim)) cursor = last
      else if (cursor !== firstEndpoint) cursor = firstEndpoint
      else if (rows.length === 0) return
    }
  }

  const look = (): void => {
    if (stopped) return
    if (pumping !== undefined) {
      again = true
      return
    }
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

  const count = <K>(counts: Map<K, number>, key: K, by: 1 | -1): void => {
    const now = (counts.get(key) ?? 0) + by
    if (now > 0) counts.set(key, now)
    else counts.delete(key)
  }

  const begin = (row: Claimed): void => {
    const isRetry = row.attempt > 1
    count(byEndpoint, row.endpoint_id, 1)
    count(byAccount, row.account_id, 1)
    if (isRetry) retries++
    const running: Promise<void> = deliver(row)
      .catch(onFault)
      .finally(() => {
        underWay.delete(running)
        count(byEndpoint, row.endpoint_id, -1)
        count(byAccount, row.account_id, -1)
        if (isRetry) retries--
        look()
      })
    underWay.add(running)
  }

  const deliver = async (row: Claimed): Promise<void> => {
    const leaseId = row.lease_id
    const startedAt = clock.now()
    const secrets = [rooms.unseal(row.secret_sealed, row.endpoint_id)]
    if (row.previous_secret_sealed !== null && row.previous_until !== null && startedAt < row.previous_until)
      secrets.push(rooms.unseal(row.previous_secret_sealed, row.endpoint_id))
    const body = Buffer.from(row.body)
    const headers: Record<string, string> = {
      ...rooms.unsealHeaders(row.headers, row.endpoint_id),
      'content-type': 'application/json',
      'user-agent': rooms.userAgent,
      'x-service-event-id': row.event_id,
      'x-service-delivery-id': row.id,
      'x-service-attempt': String(row.attempt),
      'x-service-signature': signatureHeader(secrets, Math.floor(startedAt / 1000), body),
    }
    const answer = await call({ url: row.url, headers, body })
    const finishedAt = clock.now()
    const verdict = verdictOf(answer.result, finishedAt)
    const fate = fateOf(verdict, row.attempt, finishedAt, random)
    const ok = verdict.kind === 'ok'
    const outcome = ok ? 'ok' : verdict.reason
    rooms.onAttempt?.(outcome, row.attempt === 1 ? startedAt - row.event_at : undefined)
    await record({
      id: row.id,
      leaseId,
      at: finishedAt,
      nextAt: fate.kind === 'retry' ? fate.at : null,
      ending: fate.kind === 'retry' ? null : fate.kind === 'gone' ? 'disabled' : fate.kind,
      outcome,
      status: answer.status ?? null,
      error: answer.error ?? '',
      request: JSON.stringify({ url: row.url, headers: shownHeaders(headers) }),
      response: JSON.stringify({ headers: answer.headers, body: answer.body }),
      took: JSON.stringify(answer.took),
      endpointId: row.endpoint_id,
      ok,
      reached: answer.result.kind === 'answer',
      misconfigured: verdict.kind === 'failed' && verdict.misconfigured,
      gone: verdict.kind === 'failed' && verdict.reason === 'gone',
      byHand: row.by_hand,
    })
  }

  return {
    wake: look,
    start() {
      stopped = false
      timer = setInterval(look, settings.poll_ms)
      timer.unref()
      look()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await pumping
      await Promise.allSettled([...underWay])
    },
  }
}
