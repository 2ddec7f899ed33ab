/**
 * The account's events on a developer's machine, without an endpoint and without an address that the service can reach: they are
 * fetched with the merchant's key, signed with a secret that is made for this run, and forwarded to a program under development.
 * The service's own deliveries are not touched. An event that the program does not accept is not sent again.
 */
import type { forward as Forward } from '@sanad/sdk/forward'
import { type Clock, systemClock } from '../../core/clock.ts'
import { type DeliveryId, timeOrderedId } from '../../core/ids.ts'
import { version } from '../../version.ts'
import { requestHeaders } from '../../webhooks/calling/request-headers.ts'
import { signatureHeader } from '../../webhooks/calling/signature.ts'
import { newWebhookSecret } from '../../webhooks/endpoints/endpoint-secrets.ts'
import type { ReceivedWebhook } from '../webhook/received-webhook.ts'
import { followFeed } from './follow-feed.ts'
import type { ServiceClient } from './service-client.ts'

type FedEvent = {
  readonly id: string
  readonly event: string
  readonly is_sample: boolean
  readonly body: string
}

export const streamEvents = async (options: {
  readonly client: ServiceClient
  /** Undefined: events are only shown. */
  readonly forwardTo: string | undefined
  /** Signs what is forwarded; left out: one is made. */
  readonly secrets: readonly string[] | undefined
  readonly forward: typeof Forward
  readonly show: (received: ReceivedWebhook) => void
  readonly tell: (text: string) => void
  readonly stopped: AbortSignal
  readonly clock?: Clock
}): Promise<void> => {
  const { client, forwardTo, forward, show, tell, stopped, clock = systemClock } = options
  const secrets = options.secrets ?? [newWebhookSecret(32)]
  let count = 0

  const handOn = async ({ id, is_sample, body }: FedEvent): Promise<void> => {
    const now = clock.now()
    const naming = { eventId: id, deliveryId: timeOrderedId<DeliveryId>(now), attempt: 1 }
    const signature = signatureHeader(secrets, Math.floor(now / 1000), body)
    const headers = {
      ...requestHeaders({}, naming, { userAgent: `Sanad/${version}`, signature }),
      ...(is_sample && { 'x-service-test': 'true' }),
    }
    const sent = { rawHeaders: Object.entries(headers).flat(), body: Buffer.from(body) }
    const forwarded = forwardTo === undefined ? null : { ...(await forward(forwardTo, sent)), to: forwardTo }
    count++
    show({
      time: new Date(now).toTimeString().slice(0, 8),
      at: new Date(now).toISOString(),
      path: '/',
      signature: { kind: 'right' },
      eventId: id,
      deliveryId: naming.deliveryId,
      attempt: '1',
      test: is_sample,
      again: false,
      body,
      forwarded,
      answered: forwarded === null ? 200 : forwarded.kind === 'answer' ? forwarded.status : 502,
    })
  }

  await followFeed<FedEvent>({
    client,
    path: '/events/',
    onFirst: () => {
      tell(`Listening to the events of this API key's account at ${client.origin}. Stop it with Ctrl-C.`)
      if (forwardTo !== undefined) tell(`Each is passed on to ${forwardTo}.`)
      if (forwardTo !== undefined && options.secrets === undefined)
        tell(`They are signed with this secret, which is valid for this run: ${secrets[0]}`)
    },
    onRow: handOn,
    tell,
    stopped,
  })
  tell(`Stopped. ${count} ${count === 1 ? 'event' : 'events'} heard.`)
}
