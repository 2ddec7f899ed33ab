/**
 * Connects the modules on a database: the service without its process. `serve.ts` gives it the real clock and a port; a
 * test gives it a clock that it can move.
 */
import type { FastifyInstance } from 'fastify'
import { keyLookup, loadKey } from './accounts/keys/key-lookup.ts'
import { keyUse } from './accounts/keys/key-use.ts'
import { liveChannel, liveHub } from './accounts/live/live-hub.ts'
import { throttleHints } from './accounts/live/throttle-hints.ts'
import { ownersMailer } from './accounts/notices/email-owners.ts'
import { knownBrowsers } from './accounts/sessions/known-browser.ts'
import { secondFactor } from './accounts/sessions/second-factor.ts'
import { sessionLookup } from './accounts/sessions/session-lookup.ts'
import { openTokens } from './accounts/sessions/token.ts'
import { termsLookup } from './accounts/tenants/account-terms.ts'
import { hidingBy } from './alerts/hidden/hidden-text.ts'
import { templateLookup } from './alerts/publishing/template-lookup.ts'
import { callLog } from './calls/call-log.ts'
import { pageFinder } from './checkouts/buyer/find-page.ts'
import { usualWaits } from './checkouts/buyer/usual-wait.ts'
import { checkoutTokens } from './checkouts/checkout-token.ts'
import type { Config } from './config.ts'
import { backgroundQueue } from './core/background-queue.ts'
import type { Clock } from './core/clock.ts'
import { type ClockGuard, trustedClock } from './core/clock-guard.ts'
import type { AccountId, CheckoutId, IntentId } from './core/ids.ts'
import type { Keys } from './core/seal.ts'
import { zoneOf } from './core/zone.ts'
import { buildApp } from './http/app/app.ts'
import { openStreams } from './http/dashboard/live/open-streams.ts'
import { phonesWithHints } from './http/device/phones-with-hints.ts'
import { drainOf } from './http/drain.ts'
import { MemoryLimits } from './http/limits/memory-limits.ts'
import { type AddressesOf, listenAt } from './http/listen.ts'
import { loadMeter } from './http/load-meter.ts'
import { openMetrics } from './http/metrics.ts'
import { buildOperatorsApp } from './http/operators-app.ts'
import { payStreams } from './http/pay/pay-streams.ts'
import { shopWalletLookup } from './http/pay/shop-wallets.ts'
import { queueFigures } from './http/queue-figures.ts'
import { readyAtRightTime } from './http/wrong-time.ts'
import { intentCreator } from './intents/create/create-intents.ts'
import { talliedUntilReader } from './intents/totals/tally-intents.ts'
import type { Log } from './log.ts'
import { openMail } from './mail.ts'
import { reportReader } from './matching/reading/read-report.ts'
import { alertRecorder, type RecordAlerts } from './matching/report/record-alerts.ts'
import { referenceAttacher } from './matching/resolve/attach-references.ts'
import { claimHints } from './matching/resolve/keep-claim.ts'
import type { AlertOutcome } from './matching/resolve/resolve-alerts.ts'
import type { Db } from './postgres/connection/database.ts'
import { openNotifier } from './postgres/notify/notifier.ts'
import { nodeWaker } from './postgres/notify/wake-nodes.ts'
import { version } from './version.ts'
import { intentFinder } from './views/intents/find-intents.ts'
import { intentLister } from './views/intents/list-intents.ts'
import { walletLookup } from './views/wallets/find-wallet.ts'
import { answerOnce } from './wallets/phones/answer-once.ts'
import { phoneLookup } from './wallets/phones/phone-lookup.ts'
import { phoneSecrets } from './wallets/phones/phone-secrets.ts'
import { receiverCaller } from './webhooks/calling/call-receiver.ts'
import type { Resolve } from './webhooks/calling/guard-url.ts'
import { nameResolver } from './webhooks/calling/resolve-names.ts'
import { threadCaller } from './webhooks/calling/thread-caller.ts'
import { endpointSecrets } from './webhooks/endpoints/endpoint-secrets.ts'
import { type CommittedEvents, webhookSender } from './webhooks/sending/sender.ts'
import { startLoops } from './work/background-loops.ts'

/** The channel on which a node wakes the senders of other nodes. */
const deliveriesChannel = 'sanad_deliveries'

export type Service = {
  readonly app: FastifyInstance
  /** For operators only: health and metrics. */
  readonly operatorsApp: FastifyInstance
  /** Listens for requests; returns the port. */
  listen(host: string, port: number, find?: AddressesOf): Promise<number>
  /** Starts the background work. */
  work(): void
  /**
   * Finishes what is running, then closes everything but the database. Connections on which no request comes for
   * `idle_ms` are closed; until then a request on one of them is still answered.
   */
  close(idle_ms?: number): Promise<void>
}

/** The Redis client is imported only if there is a Redis: it would be a large part of what a start loads. */
const openLimits = async ({ redisUrl }: Config, log: Log) => {
  if (redisUrl === undefined) return new MemoryLimits()
  const { RedisLimits } = await import('./http/limits/redis-limits.ts')
  return RedisLimits.open({ url: redisUrl, log })
}

export const openService = async (options: {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** Says whether the clock may be believed. Left out: it may, as a test moves it. */
  readonly clockGuard?: ClockGuard
  readonly masterKey: Keys
  readonly db: Db
  /** The connections for statements that many requests share: they wait only briefly for a lock. */
  readonly shared: Db
  /** The connections of the webhook sender. */
  readonly sending: Db
  /** Where the connection for notifications between nodes is opened. */
  readonly databaseUrl: string
  readonly notReady: () => Promise<string | undefined>
  /** Adds further routes, such as the dashboard's pages. */
  readonly more?: (app: FastifyInstance) => Promise<void>
  /** Resolves the host names of receivers. Left out: the name servers of the settings or of the machine are asked. */
  readonly resolve?: Resolve
  /** Records alerts. Left out: the service's own recorder is used. */
  readonly record?: RecordAlerts
}): Promise<Service> => {
  const { config, log, clock, db, shared, clockGuard = trustedClock } = options
  const zone = zoneOf(config.timeZone)
  const metrics = openMetrics(queueFigures(db, clock), () => clockGuard.state().offset_ms)
  const limits = await openLimits(config, log)
  const wallets = walletLookup(db)
  const find = intentFinder(shared)
  const talliedUntil = talliedUntilReader(db)
  const secrets = phoneSecrets(options.masterKey)
  const templates = templateLookup(db)
  const hiding = hidingBy(options.masterKey)
  const readReport = reportReader(db, templates, hiding)
  const knownPhones = phoneLookup(db, readReport.forget)
  const notifier = await openNotifier({
    url: options.databaseUrl,
    onFault: (fault) => log.warn({ err: fault }, 'no notifications from other nodes: dashboards load again'),
  })
  const live = liveHub({ clock, notify: (payload) => notifier.notify(liveChannel, payload) })
  await notifier.subscribe(liveChannel, live.receive, live.forgetAll)
  const sendThrottledHint = throttleHints(live.sendHint)
  const streams = openStreams()
  const onResolved = (accountId: AccountId, outcomes: readonly AlertOutcome[]): void => {
    for (const { id, known, intentId } of outcomes) {
      if (known) continue
      live.sendHint(accountId, { kind: 'alert', id })
      if (intentId !== null) live.sendHint(accountId, { kind: 'intent', id: intentId })
    }
  }
  const attacher = referenceAttacher({ db, shared, zone, find })
  const webhookSecrets = endpointSecrets(options.masterKey)
  const guard = { development: !config.production, allow: config.webhookAllow }
  const resolve =
    options.resolve ?? nameResolver({ within_ms: config.webhooks.dns_ms, servers: config.webhookNameServers })
  const { calls, calls_per_endpoint, account_share } = config.webhooks
  // Several endpoints of one account are often on one server.
  const keptPerOrigin = Math.max(calls_per_endpoint, Math.floor(calls * account_share))
  const calling = { ...guard, timeouts: config.webhooks, bounds: config.webhooks, keptPerOrigin, keptInAll: calls }
  // Tests inject a resolver; a worker thread cannot receive one.
  const receivers = options.resolve
    ? receiverCaller({ ...calling, resolve })
    : threadCaller({ ...calling, nameServers: config.webhookNameServers })
  const load = loadMeter()
  const sender = webhookSender({
    db: options.sending,
    clock,
    call: receivers.call,
    unseal: webhookSecrets.unseal,
    unsealHeaders: webhookSecrets.unsealHeaders,
    userAgent: `Sanad/${version}`,
    settings: config.webhooks,
    load: load.read,
    mayWork: clockGuard.mayWork,
    onFault: (fault) => log.error({ err: fault }, 'the webhook sender failed'),
    onAttempt: metrics.webhookTried,
    onRecorded: (accountId, id) => sendThrottledHint(accountId, { kind: 'delivery', id }),
    onEndpointChanged: (accountId, id) => live.sendHint(accountId, { kind: 'webhook', id }),
  })
  const otherNodes = await nodeWaker({
    notifier,
    channel: deliveriesChannel,
    atMostEvery_ms: config.webhooks.notify_ms,
    onWoken: () => sender.wake(),
  })
  const wake = (committed?: CommittedEvents): void => {
    sender.wake(committed)
    otherNodes.wake()
  }
  const recorder = {
    ...alertRecorder({
      db,
      shared,
      zone,
      readReport,
      onResolved: (accountId, outcomes) => {
        onResolved(accountId, outcomes)
        const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0)
        if (events > 0) wake({ accountId, events })
      },
      onFault: (fault) => log.error({ err: fault }, 'a message could not be processed, and was kept for review'),
    }),
    ...(options.record && { record: options.record }),
  }
  const attach: typeof attacher = async (request, now) => {
    const intent = await attacher(request, now)
    if ('status' in intent) {
      if (intent.matched !== null) wake({ accountId: request.accountId, events: 1 })
      live.sendHint(request.accountId, { kind: 'intent', id: intent.id })
      if (intent.matched !== null) live.sendHint(request.accountId, { kind: 'alert', id: intent.matched.id })
    } else for (const hint of claimHints(intent.facts)) live.sendHint(request.accountId, hint)
    return intent
  }
  const creator = intentCreator({ db, shared, wallets, zone, window_ms: config.intentWindow_ms })
  const create: typeof creator = async (request, now) => {
    const result = await creator(request, now)
    if ('kind' in result && result.kind === 'created')
      live.sendHint(request.accountId, { kind: 'intent', id: result.intentId })
    return result
  }
  const list = intentLister({ db, shared, talliedUntil })
  const phones = phonesWithHints({ db, knownPhones, secrets, sendHint: live.sendHint })

  const mail = openMail(config.mail, log)
  const later = backgroundQueue({
    most: 200,
    onFault: (fault) => log.error({ err: fault }, 'work after an answer failed'),
  })

  const pages = payStreams({ live, onFault: (fault) => log.error({ err: fault }, 'an open page could not be read') })
  const checkouts = {
    db,
    zone,
    clock,
    wallets,
    limits,
    rules: config.limits,
    checkoutTokens: checkoutTokens(options.masterKey),
    onIntents: (accountId: AccountId, ids: readonly IntentId[]) => {
      for (const id of ids) live.sendHint(accountId, { kind: 'intent', id })
    },
    onEvent: (accountId: AccountId) => wake({ accountId, events: 1 }),
    onCheckout: (accountId: AccountId, id: CheckoutId) => live.sendHint(accountId, { kind: 'checkout', id }),
  }

  const tokens = openTokens(options.masterKey)
  const keys = keyLookup(db)
  const uses = keyUse(db, (fault) => log.warn({ err: fault }, 'the last use of keys could not be stored'))
  const apiCalls = callLog(db, (fault) => log.warn({ err: fault }, 'API calls could not be written to their log'))
  /** The dependencies of every API that is called with an API key. */
  const keyed = { db, zone, clock, tokens, keys, keyUse: uses, limits, rules: config.limits }
  const originOf = (request: { protocol: string; host: string }): string =>
    config.publicUrl ?? `${request.protocol}://${request.host}`
  const secure = config.production || config.publicUrl?.startsWith('https:') === true
  const phoneFault = (fault: unknown): void => log.error({ err: fault }, 'a request of a phone failed')
  const notReady = readyAtRightTime(options.notReady, clockGuard)
  const app = await buildApp({
    log,
    clock,
    trustProxy: config.trustProxy,
    onlyTls: config.publicUrl?.startsWith('https:') === true,
    health: { notReady },
    clockGuard,
    metrics,
    load,
    merchant: {
      ...keyed,
      wallets,
      find,
      loadKey: (id) => loadKey(db, id),
      ttl_s: config.tokenTtl_s,
      create,
      attach,
      list,
      origin: originOf,
    },
    checkout: {
      ...checkouts,
      ...keyed,
      development: !config.production,
      origin: originOf,
    },
    calls: apiCalls,
    developer: {
      ...keyed,
      secrets: webhookSecrets,
      call: receivers.call,
      userAgent: `Sanad/${version}`,
    },
    pay: {
      ...checkouts,
      window_ms: config.intentWindow_ms,
      walletsIn: walletLookup,
      attach,
      usualWait: usualWaits(db),
      findPage: pageFinder(shared),
      shopWallets: shopWalletLookup(db, clock),
      streams: pages,
      onFault: (fault) => log.error({ err: fault }, "a buyer's page failed"),
    },
    device: {
      db,
      zone,
      clock,
      limits,
      rules: config.limits,
      secrets,
      knownPhones,
      ...phones,
      once: answerOnce(db),
      ...recorder,
      origin: originOf,
      onSetup: ({ accountId, id }) => live.sendHint(accountId, { kind: 'phone', id }),
      onFault: phoneFault,
    },
    pair: {
      db,
      clock,
      limits,
      rules: config.limits,
      secrets,
      knownPhones,
      secure,
      ownOrigin: originOf,
      onChange: (accountId, id, noticed) => {
        live.sendHint(accountId, { kind: 'phone', id })
        if (noticed) live.sendHint(accountId, { kind: 'notice', id: '' })
      },
      onFault: phoneFault,
    },
    dashboard: {
      db,
      zone,
      clock,
      tokens,
      sessions: sessionLookup(db),
      factor: secondFactor(options.masterKey),
      knownBrowsers: knownBrowsers(options.masterKey),
      send: mail.send,
      mails: mail.on,
      afterwards: later,
      tokenTtl_s: config.tokenTtl_s,
      secure,
      ownOrigin: originOf,
      terms: termsLookup(db, zone),
      find,
      // A list of its own: the many queries of users do not push the few of merchants' programs out of the cache.
      list: intentLister({ db, shared, talliedUntil }),
      wallets,
      window_ms: config.intentWindow_ms,
      talliedUntil,
      knownPhones,
      phoneSecrets: secrets,
      templates,
      keys,
      keyUse: uses,
      sendHint: live.sendHint,
      live,
      streams,
      limits,
      rules: config.limits,
      secrets: webhookSecrets,
      guard,
      resolve,
      call: receivers.call,
      userAgent: `Sanad/${version}`,
      settings: config.webhooks,
      wake: (accountId) => wake({ accountId, events: 1 }),
      readReport,
      checkoutTokens: checkouts.checkoutTokens,
      development: !config.production,
    },
    ...(options.more === undefined ? {} : { more: options.more }),
  })

  const drain = drainOf(app.server)
  const operatorsApp = await buildOperatorsApp({ notReady }, metrics)

  let loops: ReturnType<typeof startLoops> | undefined
  return {
    app,
    operatorsApp,
    listen: (host, port, find) => listenAt(app, drain, host, port, find),
    work() {
      sender.start()
      loops = startLoops({
        db,
        clock,
        zone,
        readReport,
        window_ms: config.intentWindow_ms,
        sendHint: live.sendHint,
        sendThrottledHint,
        // Without a public URL no mail is set up (config.ts).
        owners: mail.on ? { emailOwners: ownersMailer(db, mail.sendNow), origin: config.publicUrl ?? '' } : undefined,
        onResolved,
        webhooks: config.webhooks,
        wake,
        onFault: (name, fault) => log.error({ err: fault, loop: name }, 'a background loop failed'),
        onRun: metrics.loopRan,
        mayWork: clockGuard.mayWork,
      })
    },
    async close(idle_ms = 0) {
      drain.begin()
      // Streams do not end by themselves: draining does not wait for them.
      streams.close()
      pages.close()
      await drain.done(idle_ms)
      await app.close()
      await later.done()
      await loops?.stop()
      await mail.close()
      await sender.stop()
      otherNodes.close()
      receivers.close()
      await uses.close()
      await apiCalls.close()
      await limits.close()
      await notifier.close()
      // Closed last: until then it answers that the node is stopping.
      await operatorsApp.close()
    },
  }
}
