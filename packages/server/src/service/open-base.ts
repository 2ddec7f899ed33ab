/** What the service is opened with, and what all its parts share: settings, log, clock, databases, limits, metrics. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Keys } from '../core/seal.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { zoneOf } from '../core/zone.ts'
import { diskRoom } from '../http/disk-room.ts'
import { MemoryLimits } from '../http/limits/memory-limits.ts'
import { loadMeter } from '../http/load-meter.ts'
import { type Metrics, openMetrics } from '../http/metrics.ts'
import { queueFigures } from '../http/queue-figures.ts'
import { shopFigures } from '../http/shop-figures.ts'
import { changesAnIntent, changesOf } from '../intents/intent-changes.ts'
import type { Log } from '../log.ts'
import type { RecordAlerts } from '../matching/report/record-alerts.ts'
import { type ClockGuard, trustedClock } from '../postgres/clock/clock-guard.ts'
import { openTimedPulse, type Pulse } from '../postgres/clock/pulse.ts'
import { type CommittedStatement, countCommitted } from '../postgres/connection/count-committed.ts'
import type { Pool } from '../postgres/connection/database.ts'
import { traceStatements } from '../postgres/connection/trace-statements.ts'
import { hasWritten, mayWrite } from '../postgres/connection/written.ts'
import { followFrozenAccounts } from '../postgres/tenancy/frozen-accounts.ts'
import type { Machine } from '../processes/parent-link.ts'
import { version } from '../version.ts'
import type { Resolve } from '../webhooks/calling/guard-url.ts'
import type { Replica } from './open-replica.ts'

export type ServiceOptions = {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** Says whether the clock may be believed. Left out: it may, as a test moves it. */
  readonly clockGuard?: ClockGuard
  /** What is read of the database every second. Left out: the service reads it itself. */
  readonly pulse?: Pulse
  readonly masterKey: Keys
  readonly db: Pool
  /** The connections for statements that many requests share: they wait only briefly for a lock. */
  readonly shared: Pool
  /** The connections of the webhook sender. */
  readonly sending: Pool
  /** Left out: there is none. */
  readonly replica?: Replica
  /** Where the connection for notifications between nodes is opened. */
  readonly databaseUrl: string
  readonly notReady: () => Promise<string | undefined>
  /** Adds further routes, such as the dashboard's pages. */
  readonly more?: (app: FastifyInstance) => Promise<void>
  /** Resolves the host names of receivers. Left out: the name servers of the settings or of the machine are asked. */
  readonly resolve?: Resolve
  /** The other processes of this machine. Left out: this is the only one. */
  readonly machine?: Machine
  /** Records alerts. Left out: the service's own recorder is used. */
  readonly record?: RecordAlerts
}

export type Base = Awaited<ReturnType<typeof openBase>>

/** Tells that something was committed: no more than that, and not by whom. */
const changeSignal = () => {
  const followers: (() => void)[] = []
  return {
    tell(): void {
      for (const follow of followers) follow()
    },
    follow(follower: () => void): void {
      followers.push(follower)
    },
  }
}

/** The Redis client is imported only if there is a Redis: it would be a large part of what a start loads. */
const openLimits = async ({ redisUrl }: Config, log: Log, machine: Machine | undefined) => {
  if (redisUrl === undefined) return machine?.limits ?? new MemoryLimits()
  const { RedisLimits } = await import('../http/limits/redis-limits.ts')
  return RedisLimits.open({ url: redisUrl, log })
}

/** The exporter is imported only if traces are sent. */
const openTraces = async ({ traces }: Config, log: Log, metrics: Metrics): Promise<Tracer | undefined> => {
  if (traces === undefined) return undefined
  const { openTracer } = await import('./trace-exporter.ts')
  return openTracer({
    settings: traces,
    version,
    onDropped: metrics.spansDropped,
    onChange: (isTaking, why) => {
      if (isTaking) log.info({}, 'the receiver of traces takes them again')
      else log.warn({ why }, 'the receiver of traces does not take them: they are dropped and counted')
    },
  })
}

export const openBase = async (options: ServiceOptions) => {
  const { config, log, clock, clockGuard = trustedClock, replica } = options
  const traced = (pool: Pool): Pool => (config.traces === undefined ? pool : traceStatements(pool))
  const count = (statement: CommittedStatement): void => {
    for (const change of changesOf(statement)) metrics.intentChanged(change)
  }
  const changes = changeSignal()
  const counted = (pool: Pool): Pool =>
    countCommitted(
      traced(pool),
      (name, text) => mayWrite(name, text) || changesAnIntent(name),
      (statement) => {
        count(statement)
        if (hasWritten(statement)) changes.tell()
      },
    )
  const [db, shared, sending] = [counted(options.db), counted(options.shared), counted(options.sending)]
  const metrics = openMetrics({
    queue: queueFigures(db, clock),
    clockOffset_ms: () => clockGuard.state().offset_ms,
    pools: {
      requests: db.connections,
      shared: shared.connections,
      sender: sending.connections,
      ...(replica && { replica: replica.reading.connections }),
    },
    ...(replica && {
      replica: () => ({ lag_ms: replica.watch.lag()?.lag_ms, isRead: replica.watch.whyNot() === undefined }),
    }),
    shops: shopFigures(db, clock),
    ...(config.databaseUrl === undefined ? { disk: diskRoom(config.dataDir) } : {}),
    version,
  })
  const ownPulse = options.pulse === undefined ? await openTimedPulse(db) : undefined
  return {
    ...options,
    ownPulse,
    db,
    shared,
    sending,
    /** The database for work that gives no background loop anything to do: its commits wake none. */
    quietDb: countCommitted(traced(options.db), changesAnIntent, count),
    /** What was committed by this process, for its background loops and those of other nodes. */
    changes,
    clockGuard,
    zone: zoneOf(config.timeZone),
    metrics,
    tracer: await openTraces(config, log, metrics),
    load: loadMeter(),
    frozen: followFrozenAccounts(options.pulse ?? ownPulse!),
    limits: await openLimits(config, log, options.machine),
    /** Logs a fault that nobody waits for. */
    onFault:
      (what: string) =>
      (fault: unknown): void =>
        log.error({ err: fault }, what),
    onWarning:
      (what: string) =>
      (fault: unknown): void =>
        log.warn({ err: fault }, what),
  }
}
