/**
 * The rooms wired to each other on a database: the service without its process. `main` gives it the real clock and a
 * port; a test gives it a clock it can move.
 */
import type { FastifyInstance } from 'fastify'
import { keyLookup, loadKey } from './accounts/key-lookup.ts'
import { memberLookup } from './accounts/member-lookup.ts'
import { openTokens } from './accounts/token.ts'
import { templateLookup } from './alerts/template-lookup.ts'
import type { Config } from './config.ts'
import type { Clock } from './ground/clock.ts'
import type { MasterKey } from './ground/seal.ts'
import { zoneOf } from './ground/zone.ts'
import { buildApp } from './http/app.ts'
import { MemoryLimits } from './http/limits/memory-limits.ts'
import { RedisLimits } from './http/limits/redis-limits.ts'
import { openMetrics } from './http/metrics.ts'
import { intentCreator } from './intents/create-intents.ts'
import { intentFinder } from './intents/find-intents.ts'
import { intentLister } from './intents/list-intents.ts'
import { sealedUntilReader } from './intents/tally-intents.ts'
import type { Log } from './log.ts'
import { referenceAttacher } from './matching/attach-references.ts'
import { alertRecorder, type RecordAlerts } from './matching/record-alerts.ts'
import { reportReader } from './matching/understand-report.ts'
import type { Db } from './postgres/database.ts'
import { openSignal } from './postgres/signal.ts'
import { version } from './version.ts'
import { answerOnce } from './wallets/answer-once.ts'
import { deviceLookup } from './wallets/device-lookup.ts'
import { deviceSecrets } from './wallets/device-secrets.ts'
import { pulse } from './wallets/heartbeat.ts'
import { devicePairer } from './wallets/pair-device.ts'
import { walletLookup } from './wallets/wallet-lookup.ts'
import { receiverCaller } from './webhooks/call-receiver.ts'
import { queueState } from './webhooks/delivery-sql.ts'
import { endpointSecrets } from './webhooks/endpoint-secrets.ts'
import { type Resolve, systemResolver } from './webhooks/guard-url.ts'
import { webhookSender } from './webhooks/sender.ts'
import { startLoops } from './work/loops.ts'

export type Service = {
  readonly app: FastifyInstance
  /** Begins the background work. */
  work(): void
  /** Finishes what is under way, then lets go of everything but the database. */
  close(): Promise<void>
}

export const openService = async (given: {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly masterKey: MasterKey
  readonly db: Db
  readonly shared: Db
  /** For the webhook sender alone. */
  readonly sending: Db
  /** Where the rows are, for the word from node to node. */
  readonly databaseUrl: string
  readonly notReady: () => Promise<string | undefined>
  readonly more?: (app: FastifyInstance) => Promise<void>
  /** Who knows what a receiver's name leads to; left out, the machine does. */
  readonly resolve?: Resolve
  /** Who records alerts; left out, the house does. */
  readonly record?: RecordAlerts
}): Promise<Service> => {
  const { config, log, clock, db, shared } = given
  const zone = zoneOf(config.timeZone)
  const metrics = openMetrics(async () => {
    const now = clock.now()
    const [state] = await queueState(db, now)
    const { oldest_due_at: oldest, waiting, open_breakers: openBreakers } = state!
    return { oldest_s: oldest === null ? 0 : (now - oldest) / 1000, waiting, openBreakers }
  })
  const limits =
    config.redisUrl === undefined ? new MemoryLimits() : await RedisLimits.open({ url: config.redisUrl, log })
  const wallets = walletLookup(db)
  const find = intentFinder(shared)
  const secrets = deviceSecrets(given.masterKey)
  const devices = deviceLookup(db)
  const understand = reportReader(db, templateLookup(db))
  const recorder = given.record ?? alertRecorder({ db, shared, zone, understand })
  const attacher = referenceAttacher({ db, shared, zone, find })
  const webhookSecrets = endpointSecrets(given.masterKey)
  const guard = { development: !config.production, allow: config.webhookAllow }
  const resolve = given.resolve ?? systemResolver()
  const receivers = receiverCaller({ ...guard, resolve, timeouts: config.webhooks, bounds: config.webhooks })
  const sender = webhookSender({
    db: given.sending,
    clock,
    call: receivers.call,
    unseal: webhookSecrets.unseal,
    unsealHeaders: webhookSecrets.unsealHeaders,
    userAgent: `Sanad/${version}`,
    settings: config.webhooks,
    onFault: (fault) => log.error({ err: fault }, 'the webhook sender failed'),
    onAttempt: metrics.webhookTried,
  })
  const signal = openSignal({
    url: given.databaseUrl,
    channel: 'sanad_deliveries',
    atMostEvery_ms: config.webhooks.notify_ms,
    onHeard: sender.wake,
    onFault: (fault) => log.warn({ err: fault }, 'no word from other nodes: they are found out by looking'),
  })
  const wake = (): void => {
    sender.wake()
    signal.say()
  }
  // After the commit: what was written may have put an event into the outbox.
  const record: RecordAlerts = async (from, reports, now) => {
    const results = await recorder(from, reports, now)
    if (results.includes('accepted')) wake()
    return results
  }
  const attach: typeof attacher = async (asked, now) => {
    const intent = await attacher(asked, now)
    if ('status' in intent && intent.status === 'VERIFIED') wake()
    return intent
  }

  const tokens = openTokens(given.masterKey)
  const app = await buildApp({
    log,
    clock,
    trustProxy: config.trustProxy,
    health: { notReady: given.notReady },
    metrics,
    merchant: {
      db,
      zone,
      clock,
      wallets,
      find,
      tokens,
      keys: keyLookup(db),
      loadKey: (id) => loadKey(db, id),
      ttl_s: config.tokenTtl_s,
      limits,
      rules: config.limits,
      create: intentCreator({ db, shared, wallets, zone, window_ms: config.intentWindow_ms }),
      attach,
      list: intentLister({ db, shared, sealedUntil: sealedUntilReader(db) }),
      origin: (request) => config.publicUrl ?? `${request.protocol}://${request.host}`,
    },
    device: {
      db,
      zone,
      clock,
      limits,
      rules: config.limits,
      secrets,
      devices,
      pair: devicePairer({ db, secrets, devices }),
      once: answerOnce(db),
      pulse: pulse(db),
      record,
      onFault: (fault) => log.error({ err: fault }, 'what a phone sent could not be taken'),
    },
    dashboard: {
      db,
      zone,
      clock,
      tokens,
      members: memberLookup(db),
      limits,
      rules: config.limits,
      secrets: webhookSecrets,
      guard,
      resolve,
      call: receivers.call,
      userAgent: `Sanad/${version}`,
      settings: config.webhooks,
      wake,
    },
    ...(given.more === undefined ? {} : { more: given.more }),
  })

  let loops: ReturnType<typeof startLoops> | undefined
  return {
    app,
    work() {
      sender.start()
      loops = startLoops({
        db,
        clock,
        zone,
        understand,
        window_ms: config.intentWindow_ms,
        webhooks: config.webhooks,
        wake,
        onFault: (name, fault) => log.error({ err: fault, loop: name }, 'a background loop failed'),
        onRun: metrics.loopRan,
      })
    },
    async close() {
      await app.close()
      await loops?.stop()
      await sender.stop()
      await signal.close()
      receivers.close()
      await limits.close()
    },
  }
}
