/**
 * The sender: claim, commit, POST, record. Several senders may run at once, on several nodes. A pure state machine
 * (sender-state.ts) decides what to do next; this file runs the effects of the machine and reports their results. Calls are
 * shared fairly among endpoints and accounts (share-calls.ts), and part of them is reserved for first attempts, so that slow
 * failures never delay new events. A worker that dies loses its leases, and its deliveries are sent again: none is lost; one may
 * arrive twice, with the same event id.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AccountId, DeliveryId, EndpointId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import { type WebhookSettings, webhookDefaults } from '../settings.ts'
import { type AttemptDeps, deliveryAttempter } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries, dueEndpoints, type Lease } from './delivery-sql.ts'
import { type Result, recordResults } from './record-results.ts'
import type { NewEvents, SenderEffect, SenderEvent } from './sender-events.ts'
import { firstEndpoint, step, stoppedSender } from './sender-state.ts'
import type { Load } from './yield-calls.ts'

export type SenderDeps = AttemptDeps & {
  readonly db: Db
  readonly settings?: Partial<WebhookSettings>
  /** Asked before deliveries are looked for and claimed. False: none are, now. Left out: always true. */
  readonly mayWork?: () => boolean | Promise<boolean>
  /** The load of requests, which come first. Undefined: not measured yet. Left out: there are no requests. */
  readonly load?: () => Load | undefined
  /** For open dashboards: an attempt was recorded; an endpoint was disabled or its owners warned, or its breaker changed. */
  readonly onRecorded?: (accountId: AccountId, id: DeliveryId) => void
  readonly onEndpointChanged?: (accountId: AccountId, id: EndpointId) => void
}

/** Events of an account that have just been committed. */
export type CommittedEvents = NewEvents

export type Sender = {
  /** Events were committed: the sender looks now, not at the next poll. `committed`: the events of a request to this process. */
  wake(committed?: CommittedEvents): void
  /** Starts the sender, if it is stopped. */
  start(): void
  /** Claims nothing more, waits for the calls under way and records them. */
  stop(): Promise<void>
}

/**
 * While nothing waits at all, a node looks this often. It is woken when events are committed, on whichever node, and when deliveries
 * return to the queue; so this is how late a delivery of which nobody told is sent at most.
 */
const longestQuiet_ms = 15_000

type Event = SenderEvent<ClaimedDelivery, Lease>
type Effect = SenderEffect<ClaimedDelivery, Lease>

/** While the database cannot be reached, recording a result is tried again for about six seconds. */
const recordRetries_ms = [100, 200, 400, 800, 1_600, 3_200]

export const webhookSender = (deps: SenderDeps): Sender => {
  const { db, clock, onFault, mayWork = () => true } = deps
  const settings: WebhookSettings = { ...webhookDefaults, ...deps.settings }
  const attempt = deliveryAttempter(deps, settings)
  let state = stoppedSender
  let polling: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = Promise.withResolvers<void>()
  /** Until when polling is left out: the last look found no delivery that waits, not even for its time. */
  let quietUntil_ms = Number.NEGATIVE_INFINITY

  const poll = (): void => {
    if (performance.now() >= quietUntil_ms) dispatch({ kind: 'wake' })
  }

  const dispatch = (event: Event): void => {
    const next = step(state, event, settings)
    state = next.state
    for (const effect of next.effects) run(effect)
  }

  const run = (effect: Effect): void => {
    switch (effect.kind) {
      case 'start-polling':
        stopped = Promise.withResolvers()
        polling = setInterval(poll, settings.poll_ms)
        polling.unref()
        break
      case 'stop-timers':
        clearInterval(polling)
        clearTimeout(timer)
        break
      case 'set-timer':
        timer = setTimeout(() => dispatch({ kind: 'timer' }), effect.wait_ms)
        timer.unref()
        break
      case 'plan':
        dispatch({ kind: 'planned', now_ms: performance.now(), load: deps.load?.() })
        break
      case 'look':
        void query(async () => {
          if (!(await mayWork())) return { kind: 'found', endpoints: [], now_ms: performance.now() }
          const endpoints = await dueEndpoints(db, effect.after, clock.now(), settings.calls_per_endpoint, effect.limit)
          const nothingWaits = effect.after === firstEndpoint && endpoints.length === 0 && state.calls.length === 0
          quietUntil_ms = nothingWaits ? performance.now() + longestQuiet_ms : Number.NEGATIVE_INFINITY
          return { kind: 'found', endpoints, now_ms: performance.now() }
        })
        break
      case 'claim':
        quietUntil_ms = Number.NEGATIVE_INFINITY
        void query(async () => {
          const now = clock.now()
          const lease: Lease = { id: randomUUID(), until: now + settings.lease_ms }
          if (!(await mayWork())) return { kind: 'claimed', deliveries: [], lease }
          const { shares, firstOnly } = effect
          const deliveries = await claimDeliveries(db, {
            lease,
            now,
            shares,
            callLimit: settings.calls_per_endpoint,
            firstOnly,
          })
          return { kind: 'claimed', deliveries, lease }
        })
        break
      case 'send':
        void send(effect.call, effect.delivery, effect.lease)
        break
      case 'stopped':
        stopped.resolve()
    }
  }

  const query = async (work: () => Promise<Event>): Promise<void> => {
    let event: Event
    try {
      event = await work()
    } catch (fault) {
      onFault(fault)
      event = { kind: 'failed' }
    }
    dispatch(event)
  }

  const send = async (call: number, row: ClaimedDelivery, lease: Lease): Promise<void> => {
    try {
      const result = await attempt(row, lease)
      if (result?.ok) dispatch({ kind: 'answered', call })
      if (result !== undefined) await recordWithRetries(result)
    } catch (fault) {
      onFault(fault)
    }
    dispatch({ kind: 'ended', call })
  }

  const recordBatch = async (results: readonly Result[]): Promise<void> => {
    const changed = await recordResults(db, results, settings, clock.now())
    for (const { accountId, id } of results) deps.onRecorded?.(accountId, id)
    for (const id of changed) deps.onEndpointChanged?.(results.find((one) => one.endpointId === id)!.accountId, id)
  }
  const record = gather<Result, void>({
    together: async (results) => {
      await recordBatch(results)
      return results.map(() => undefined)
    },
    alone: (result) => recordBatch([result]),
    most: settings.finish_most,
    parallel: 2,
    linger_ms: settings.finish_ms,
  })

  /**
   * Recording twice changes nothing: after the first time, or after the lease was lost, the row is no longer ours. If a result
   * cannot be recorded at all, the delivery is sent again when its lease has ended.
   */
  const recordWithRetries = async (result: Result): Promise<void> => {
    for (const pause_ms of recordRetries_ms) {
      try {
        return await record(result)
      } catch (fault) {
        if (state.mode.name === 'STOPPING') throw fault
        await delay(pause_ms)
      }
    }
    await record(result)
  }

  return {
    wake: (committed) => dispatch({ kind: 'wake', committed }),
    start: () => dispatch({ kind: 'start' }),
    async stop() {
      dispatch({ kind: 'stop' })
      if (state.mode.name !== 'STOPPED') await stopped.promise
    },
  }
}
