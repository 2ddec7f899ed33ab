/**
 * The account's events on a developer's machine, without an endpoint and without an address that the service can reach.
 * They are fetched with the merchant's key, signed with a secret that is made for this run, and forwarded to a program
 * under development. The service's own deliveries are not changed. An event that the program refuses is not sent again.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { forward } from '../forward.js'
import { sign } from '../verify-webhook.js'
import { followFeed } from './follow-feed.js'

/** @import { ReceivedWebhook } from './received-webhook.js' */
/** @import { ServiceClient } from './service-client.js' */
/** @typedef {{ id: string, event: string, is_test?: boolean, is_sample: boolean, body: string }} FeedEvent */

/** The signature header, as the service signs a delivery. @param {readonly string[]} secrets @param {number} now @param {string} body */
const signatureOf = async (secrets, now, body) => {
  const t = String(Math.floor(now / 1000))
  const bodyBytes = new TextEncoder().encode(body)
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, t, bodyBytes)))
  return [`t=${t}`, ...signatures.map((bytes) => `v1=${Buffer.from(bytes).toString('hex')}`)].join(',')
}

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
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Sanad/listen',
      'x-service-event-id': id,
      'x-service-delivery-id': deliveryId,
      'x-service-attempt': '1',
      'x-service-signature': await signatureOf(signingSecrets, now, body),
      ...((is_test || is_sample) && { 'x-service-test': 'true' }),
    }
    const delivery = { rawHeaders: Object.entries(headers).flat(), body: Buffer.from(body) }
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
      test: is_test || is_sample,
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
