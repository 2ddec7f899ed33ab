/**
 * The account's events on a developer's machine, without an endpoint and without an address that the service can reach.
 * They are fetched with the merchant's key, signed with a secret that is made for this run, and forwarded to a program
 * under development. The service's own deliveries are not changed. An event that the program refuses is not sent again.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { forward } from '../forward.js'
import { followFeed } from './follow-feed.js'
import { signedDelivery } from './sign-delivery.js'

/** @import { ReceivedWebhook } from './received-webhook.js' */
/** @import { ServiceClient } from './service-client.js' */
/** @typedef {{ id: string, event: string, is_test?: boolean, is_sample: boolean, body: string }} FeedEvent */

/**
 * Without `forwardTo` events are only shown. `secrets` sign forwarded events; left out: a secret is made.
 *
 * @param {{ client: ServiceClient, forwardTo: string | undefined, secrets: readonly string[] | undefined,
 *   show: (received: ReceivedWebhook) => void, tell: (text: string) => void, stopped: AbortSignal }} options
 */
export const streamEvents = async ({ client, forwardTo, secrets, show, tell, stopped }) => {
  const signingSecrets = secrets ?? [`whsec_${randomBytes(32).toString('base64url')}`]
  let count = 0

  /** @param {FeedEvent} event */
  const handleEvent = async ({ id, is_test, is_sample, body }) => {
    const now = Date.now()
    const deliveryId = randomUUID()
    const test = Boolean(is_test || is_sample)
    const delivery = await signedDelivery({
      agent: 'Sanad/listen',
      eventId: id,
      deliveryId,
      test,
      secrets: signingSecrets,
      now,
      body,
    })
    const forwarded = forwardTo === undefined ? null : { ...(await forward(forwardTo, delivery)), to: forwardTo }
    count++
    show({
      time: new Date(now).toTimeString().slice(0, 8),
      at: new Date(now).toISOString(),
      path: '/',
      signature: { kind: 'right' },
      eventId: id,
      deliveryId,
      attempt: '1',
      test,
      again: false,
      body,
      forwarded,
      answered: forwarded === null ? 200 : forwarded.kind === 'answer' ? forwarded.status : 502,
    })
  }

  await followFeed({
    client,
    path: '/events/',
    onFirst: () => {
      tell(`Listening to the events of this API key's account at ${client.origin}. Stop it with Ctrl-C.`)
      if (forwardTo !== undefined) tell(`Each is passed on to ${forwardTo}.`)
      if (forwardTo !== undefined && secrets === undefined)
        tell(`They are signed with this secret, which is valid for this run: ${signingSecrets[0]}`)
    },
    onRow: handleEvent,
    tell,
    stopped,
  })
  tell(`Stopped. ${count} ${count === 1 ? 'event' : 'events'} heard.`)
}
