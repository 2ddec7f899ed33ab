/** Metrics for operators, in the format of Prometheus. Every label has few values: no account, wallet or address is one. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { alertStates } from '@sanad/contract/kinds'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { minute_ms } from '../core/duration.ts'
import { type IntentChange, intentChanges } from '../intents/intent-changes.ts'

export type Metrics = {
  answered(method: string, route: string, status: number, took_ms: number): void
  loopRan(loop: string, outcome: 'ok' | 'fault'): void
  /** Records an attempt of a delivery. `sinceEvent_ms`: the time since the event, only for the first attempt. */
  webhookTried(outcome: string, sinceEvent_ms: number | undefined): void
  /** Records what became of a reported alert. `state`: of a new alert, or `repeated`. */
  alertDecided(state: string): void
  /** An intent was created, or its status changed, and that is committed. */
  intentChanged(change: IntentChange): void
  /** A read that may come from the replica was made. `why`: why it came from the primary. */
  readFrom(reader: string, from: 'replica' | 'primary', why: string): void
  /** A call of an account that has moved was forwarded to its cell, or could not be. */
  forwarded(outcome: ForwardOutcome): void
  /** Spans of traces were thrown away: the receiver did not take them. */
  spansDropped(count: number): void
  text(): Promise<string>
  /** What each process of a machine has for itself: counters, memory, connections. */
  own(): Promise<FigureSet>
  /** The metrics of several processes as those of one, with what this process knows of the whole service. */
  textOf(processes: readonly FigureSet[]): Promise<string>
  readonly contentType: string
}

/**
 * `answered`: the cell answered. `away`: it did not. `busy`: too many were under way. `circle`: another cell had forwarded the call already.
 * `unknown`: no cell knows the address.
 */
export const forwardOutcomes = ['answered', 'away', 'busy', 'circle', 'unknown'] as const
export type ForwardOutcome = (typeof forwardOutcomes)[number]

/** A metric as prom-client's `getMetricsAsJSON` has it. It can pass between processes as JSON: none of a process itself is NaN. */
export type Figure = {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly aggregator: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Record<string, string | number>>
    /** Of a histogram: the name of the series. */
    readonly metricName?: string
  }[]
}

export type FigureSet = readonly Figure[]

/** What is read when the metrics are read. */
export type Sources = {
  /** The state of the webhook queue. */
  readonly queue: () => Promise<QueueState>
  /** How far the clock of this node is ahead of the database's. */
  readonly clockOffset_ms: () => number
  readonly pools: Readonly<Record<string, () => PoolUse>>
  /** Figures of all accounts. They cost a query that grows with their number, and are read at most once a minute. */
  readonly shops: () => Promise<ShopFigures>
  /** Left out: there is no replica. `lag_ms` undefined: not known. */
  readonly replica?: () => { readonly lag_ms: number | undefined; readonly isRead: boolean }
  /** The disk of the data directory. Left out: PostgreSQL is elsewhere. */
  readonly disk?: () => Promise<DiskRoom>
  readonly version: string
}

export type DiskRoom = { readonly free_bytes: number; readonly size_bytes: number }

type PoolUse = { readonly most: number; readonly open: number; readonly idle: number; readonly waiting: number }

export type ShopFigures = {
  readonly accounts: number
  readonly phones: number
  readonly silentPhones: number
  readonly unreadAlerts: number
  /** The last good backup, by the moment of the rows in it; undefined: none is recorded. */
  readonly backup: { readonly at_s: number; readonly age_s: number } | undefined
  readonly unmatchedAlerts: number
}

export type QueueState = {
  readonly oldest_s: number
  readonly sendable_s: number
  readonly waiting: number
  readonly openBreakers: number
}

const answerMost_ms = 1_500

/** The answer; undefined: it failed, or took too long. */
const inTime = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, answerMost_ms, undefined)
  return Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

/** Makes gauges that show parts of one reading. While it cannot be made they are unknown. */
const gaugesOf =
  <Reading>(registry: Registry, read: () => Promise<Reading | undefined>) =>
  (name: string, help: string, value: (reading: Reading) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const reading = await read()
        this.set(reading === undefined ? Number.NaN : value(reading))
      },
    })
  }

/**
 * The gauges of the webhook queue, which are read together, with one query. While the database cannot be reached they are
 * unknown; the other metrics are still shown.
 */
const addQueueGauges = (registry: Registry, queue: () => Promise<QueueState>): void => {
  let pending: Promise<QueueState | undefined> | undefined
  const state = (): Promise<QueueState | undefined> => {
    pending ??= inTime(queue()).finally(() => {
      pending = undefined
    })
    return pending
  }
  const gauge = gaugesOf(registry, state)
  new Gauge({
    name: 'sanad_database_up',
    help: '1 if the database answered when the metrics were read, else 0.',
    registers: [registry],
    async collect() {
      this.set((await state()) === undefined ? 0 : 1)
    },
  })
  gauge(
    'sanad_webhook_oldest_waiting_seconds',
    'How long the oldest delivery that is due has waited, also behind an open breaker.',
    ({ oldest_s }) => oldest_s,
  )
  gauge(
    'sanad_webhook_oldest_sendable_seconds',
    'How long the oldest delivery that is due and that no breaker holds back has waited: the lag of the senders.',
    ({ sendable_s }) => sendable_s,
  )
  gauge('sanad_webhook_waiting', 'Deliveries that are due and wait, counted to 100,000.', ({ waiting }) => waiting)
  gauge(
    'sanad_webhook_open_breakers',
    'Endpoints that are left alone because they cannot be reached.',
    ({ openBreakers }) => openBreakers,
  )
}

/** Figures of all accounts, from a query that is made at most once a minute. While the database is away they are unknown. */
const addShopGauges = (registry: Registry, read: () => Promise<ShopFigures>): void => {
  let [readAt, reading] = [Number.NEGATIVE_INFINITY, Promise.resolve<ShopFigures | undefined>(undefined)]
  const current = (): Promise<ShopFigures | undefined> => {
    if (performance.now() - readAt < minute_ms) return reading
    readAt = performance.now()
    reading = inTime(read()).then((figures) => {
      if (figures === undefined) readAt = Number.NEGATIVE_INFINITY
      return figures
    })
    return reading
  }
  const gauge = gaugesOf(registry, current)
  gauge('sanad_accounts', 'Active accounts.', ({ accounts }) => accounts)
  gauge('sanad_phones', 'Phones that are switched on.', ({ phones }) => phones)
  gauge('sanad_silent_phones', 'Phones that are switched on and silent.', ({ silentPhones }) => silentPhones)
  gauge(
    'sanad_unread_alerts',
    'Messages that no template reads, counted to 10,000.',
    ({ unreadAlerts }) => unreadAlerts,
  )
  gauge(
    'sanad_backup_timestamp_seconds',
    'The moment of the rows in the last good backup by sanad backup, in seconds since 1970. NaN: there is none.',
    ({ backup }) => backup?.at_s ?? Number.NaN,
  )
  gauge(
    'sanad_backup_age_seconds',
    'How old the rows in the last good backup by sanad backup are. NaN: there is none.',
    ({ backup }) => backup?.age_s ?? Number.NaN,
  )
  gauge(
    'sanad_unmatched_alerts',
    'Payments of the last day that no intent took and no user handled for 5 minutes, of each account at most 1,000.',
    ({ unmatchedAlerts }) => unmatchedAlerts,
  )
}

/** How the connections to the database are used. `waiting` above 0 for long: there are too few. */
const addPoolGauges = (registry: Registry, pools: Sources['pools']): void => {
  new Gauge({
    name: 'sanad_database_connections',
    help: 'Connections of this node to the database, by pool: allowed, open, idle; and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, use] of Object.entries(pools))
        for (const [state, count] of Object.entries(use())) this.set({ pool, state }, count)
    },
  })
}

/** How far the replica is behind, and whether it is read. Processes of a machine judge for themselves: the worst is shown. */
const addReplicaGauges = (registry: Registry, replica: NonNullable<Sources['replica']>): void => {
  new Gauge({
    name: 'sanad_replica_lag_seconds',
    help: 'How long the replica lacks something that the primary has. -1: not known.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { lag_ms } = replica()
      this.set(lag_ms === undefined ? -1 : Math.round(lag_ms) / 1000)
    },
  })
  new Gauge({
    name: 'sanad_replica_read',
    help: '1 if the replica is read, 0 if the primary is read instead.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(replica().isRead ? 1 : 0)
    },
  })
}

/** How much room the embedded PostgreSQL has. Unknown while the directory cannot be read. */
const addDiskGauges = (registry: Registry, read: () => Promise<DiskRoom>): void => {
  const gauge = gaugesOf(registry, () => inTime(read()))
  gauge(
    'sanad_disk_free_bytes',
    'Free room on the disk of the data directory, for PostgreSQL.',
    (room) => room.free_bytes,
  )
  gauge('sanad_disk_size_bytes', 'Size of the disk of the data directory.', (room) => room.size_bytes)
}

/**
 * The longest and the usual delay of the event loop since the metrics were read last: how long a request waits for Node. Measuring wakes
 * the process a hundred times a second, so it begins with the first reading, which has no delay to tell yet.
 */
const addLoopGauges = (registry: Registry): void => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  new Gauge({
    name: 'sanad_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last reading.',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
      this.set({ quantile: '0.5' }, seconds(delay.percentile(50)))
      this.set({ quantile: '0.99' }, seconds(delay.percentile(99)))
      this.set({ quantile: '1' }, seconds(delay.max))
      delay.reset()
      // Does nothing if it is enabled.
      delay.enable()
    },
  })
}

/** Without a source its metrics are left out. */
export const openMetrics = (sources: Partial<Sources> = {}): Metrics => {
  const { queue, clockOffset_ms, pools, shops, replica, disk, version } = sources
  const registry = new Registry()
  /** What every process of a machine would answer alike, most of it from the database: only the process that answers reads it. */
  const common = new Registry()
  // First, because metrics are read in this order: the queries of the others must not be seen waiting for a connection.
  if (pools !== undefined) addPoolGauges(registry, pools)
  const duration = new Histogram({
    name: 'sanad_http_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const loops = new Counter({
    name: 'sanad_loop_runs_total',
    help: 'Runs of the background loops.',
    labelNames: ['loop', 'outcome'],
    registers: [registry],
  })
  const attempts = new Counter({
    name: 'sanad_webhook_attempts_total',
    help: 'Attempts to deliver an event, by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const alerts = new Counter({
    name: 'sanad_alerts_total',
    help: 'Alerts that phones reported, by their first state; repeated: reported again.',
    labelNames: ['state'],
    registers: [registry],
  })
  const intents = new Counter({
    name: 'sanad_intents_total',
    help: 'Intents that were created, verified or ended, counted once each by the node that did it.',
    labelNames: ['change'],
    registers: [registry],
  })
  const reads =
    replica &&
    new Counter({
      name: 'sanad_replica_reads_total',
      help: 'Reads that may come from the replica, by the server they came from, and why not from the replica.',
      labelNames: ['reader', 'server', 'why'],
      registers: [registry],
    })
  if (replica !== undefined) addReplicaGauges(registry, replica)
  const dropped = new Counter({
    name: 'sanad_trace_spans_dropped_total',
    help: 'Spans of traces that were thrown away, because their receiver did not take them.',
    registers: [registry],
  })
  const forwards = new Counter({
    name: 'sanad_forwarded_calls_total',
    help: 'Calls of accounts that have moved to another cell, by what became of them there.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // A series that begins at 0 shows its first change as an increase.
  for (const state of [...alertStates, 'repeated']) alerts.inc({ state }, 0)
  for (const change of intentChanges) intents.inc({ change }, 0)
  for (const outcome of forwardOutcomes) forwards.inc({ outcome }, 0)
  const firstAttempts = new Histogram({
    name: 'sanad_webhook_first_attempt_seconds',
    help: 'Time from an event, just before its commit, to the first byte of its first attempt, where it was answered.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers: [registry],
  })
  new Gauge({
    name: 'sanad_memory_bytes',
    help: 'Resident memory of this process.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  if (clockOffset_ms !== undefined)
    new Gauge({
      name: 'sanad_clock_offset_seconds',
      help: "The clock of this machine minus the database's clock. Beyond 2 it is wrong, beyond 10 the node does nothing.",
      registers: [common],
      collect() {
        this.set(Math.round(clockOffset_ms()) / 1000)
      },
    })
  if (queue !== undefined) addQueueGauges(common, queue)
  if (shops !== undefined) addShopGauges(common, shops)
  if (disk !== undefined) addDiskGauges(common, disk)
  if (version !== undefined) {
    addLoopGauges(registry)
    new Gauge({
      name: 'sanad_build_info',
      help: 'Always 1. The labels are the version of Sanad and of Node.',
      labelNames: ['version', 'node'],
      registers: [common],
    }).set({ version, node: process.versions.node }, 1)
  }
  // Finding the labels of a series costs more than counting, so each combination is cached.
  const durationSeries = new Map<string, { observe(value: number): void }>()
  const attemptSeries = new Map<string, { inc(): void }>()
  return {
    answered(method, route, status, took_ms) {
      const name = `${method} ${route} ${status}`
      let series = durationSeries.get(name)
      if (series === undefined) {
        series = duration.labels(method, route, String(status))
        durationSeries.set(name, series)
      }
      series.observe(took_ms / 1000)
    },
    loopRan(loop, outcome) {
      // Both series begin with the first run, so that the first fault is seen as an increase.
      for (const one of ['ok', 'fault'] as const) loops.inc({ loop, outcome: one }, one === outcome ? 1 : 0)
    },
    webhookTried(outcome, sinceEvent_ms) {
      let series = attemptSeries.get(outcome)
      if (series === undefined) {
        series = attempts.labels(outcome)
        attemptSeries.set(outcome, series)
      }
      series.inc()
      if (sinceEvent_ms !== undefined) firstAttempts.observe(sinceEvent_ms / 1000)
    },
    alertDecided: (state) => alerts.inc({ state }),
    readFrom: (reader, server, why) => reads?.inc({ reader, server, why }),
    forwarded: (outcome) => forwards.inc({ outcome }),
    spansDropped: (count) => dropped.inc(count),
    intentChanged: (change) => intents.inc({ change }),
    text: async () => `${await registry.metrics()}${await common.metrics()}`,
    own: () => registry.getMetricsAsJSON() as unknown as Promise<FigureSet>,
    async textOf(processes) {
      // The library changes what it is given.
      const sets = processes.map((set) => set.map((figure) => ({ ...figure, values: [...figure.values] })))
      const summed = AggregatorRegistry.aggregate(sets)
      return `${await summed.metrics()}${await common.metrics()}`
    },
    contentType: registry.contentType,
  }
}
