/** The webhook sender of this node, the thread that calls receivers, and the waking of the senders of other nodes. */

import type { AccountId } from '../core/ids.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import { deliveriesChannel, nodeWaker } from '../postgres/notify/wake-nodes.ts'
import { version } from '../version.ts'
import { nameResolver } from '../webhooks/calling/resolve-names.ts'
import { threadCaller } from '../webhooks/calling/thread-caller.ts'
import { endpointSecrets } from '../webhooks/endpoints/endpoint-secrets.ts'
import { type CommittedEvents, webhookSender } from '../webhooks/sending/sender.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'

export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>

export const openWebhooks = async (base: Base, live: Live) => {
  const { config, clock, masterKey, sending, metrics, load, clockGuard, onFault } = base
  const settings = config.webhooks
  const secrets = endpointSecrets(masterKey)
  const userAgent = `Sanad/${version}`
  const guard = { development: !config.production, allow: config.webhookAllow }
  const resolve = base.resolve ?? nameResolver({ within_ms: settings.dns_ms, servers: config.webhookNameServers })
  const { calls, calls_per_endpoint, account_share } = settings
  // Several endpoints of one account are often on one server.
  const keptPerOrigin = Math.max(calls_per_endpoint, Math.floor(calls * account_share))
  const calling = { ...guard, timeouts: settings, bounds: settings, keptPerOrigin, keptInAll: calls }
  // Tests inject a resolver; a worker thread cannot receive one. The HTTP client is loaded on the thread that calls.
  const receivers = base.resolve
    ? (await import('../webhooks/calling/call-receiver.ts')).receiverCaller({ ...calling, resolve })
    : threadCaller({ ...calling, nameServers: config.webhookNameServers })
  const sender = webhookSender({
    db: sending,
    clock,
    call: receivers.call,
    unseal: secrets.unseal,
    wholeUrl: secrets.wholeUrl,
    unsealHeaders: secrets.unsealHeaders,
    userAgent,
    settings,
    load: load.read,
    mayWork: clockGuard.mayWork,
    onFault: onFault('the webhook sender failed'),
    onAttempt: metrics.webhookTried,
    tracer: base.tracer,
    onRecorded: (accountId, id) => live.sendThrottledHint(accountId, { kind: 'delivery', id }),
    onEndpointChanged: (accountId, id) => live.sendHint(accountId, { kind: 'webhook', id }),
  })
  const otherNodes = await nodeWaker({
    notifier: live.notifier,
    channel: deliveriesChannel,
    atMostEvery_ms: settings.notify_ms,
    onWoken: () => sender.wake(),
  })
  /** Wakes the senders of all nodes after a commit that queued deliveries. */
  const wake = outsideCalls((committed?: CommittedEvents): void => {
    sender.wake(committed)
    otherNodes.wake()
  })
  return {
    secrets,
    guard,
    resolve,
    call: receivers.call,
    userAgent,
    settings,
    wake,
    wakeForOne: (accountId: AccountId): void => wake({ accountId, events: 1 }),
    start: () => sender.start(),
    async close() {
      await sender.stop()
      otherNodes.close()
      receivers.close()
    },
  }
}
