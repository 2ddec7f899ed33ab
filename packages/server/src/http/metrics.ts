/** Metrics for operators, in the format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  answered(method: string, route: string, status: number, took_ms: number): void
  loopRan(loop: string, outcome: 'ok' | 'fault'): void
  /** Records an attempt of a delivery. `sinceEvent_ms`: the time since the event, only for the first attempt. */
  webhookTried(outcome: string, sinceEvent_ms: number | undefined): void
  text(): Promise<string>
  readonly contentType: string
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
  const gauge = (name: string, help: string, read: (state: QueueState) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const current = await state()
        this.set(current === undefined ? Number.NaN : read(current))
      },
    })
  }
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

/**
 * `queue` reads the state of the webhook queue each time the metrics are read; `clockOffset_ms` how far the clock of this node
 * is ahead of the database's.
 */
export const openMetrics = (queue?: () => Promise<QueueState>, clockOffset_ms?: () => number): Metrics => {
  const registry = new Registry()
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
      registers: [registry],
      collect() {
        this.set(Math.round(clockOffset_ms()) / 1000)
      },
    })
  if (queue !== undefined) addQueueGauges(registry, queue)
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
    loopRan: (loop, outcome) => loops.inc({ loop, outcome }),
    webhookTried(outcome, sinceEvent_ms) {
      let series = attemptSeries.get(outcome)
      if (series === undefined) {
        series = attempts.labels(outcome)
        attemptSeries.set(outcome, series)
      }
      series.inc()
      if (sinceEvent_ms !== undefined) firstAttempts.observe(sinceEvent_ms / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
