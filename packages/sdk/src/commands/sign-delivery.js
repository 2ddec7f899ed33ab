/** A delivery as the service sends it: its headers, and the signature over its body. */
import { sign } from '../verify-webhook.js'

/**
 * The signature header, as the service signs a delivery.
 *
 * @param {readonly string[]} secrets
 * @param {number} now
 * @param {string} body
 */
const signatureOf = async (secrets, now, body) => {
  const t = String(Math.floor(now / 1000))
  const bodyBytes = new TextEncoder().encode(body)
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, t, bodyBytes)))
  return [`t=${t}`, ...signatures.map((bytes) => `v1=${Buffer.from(bytes).toString('hex')}`)].join(',')
}

/**
 * @param {{ agent: string, eventId: string, deliveryId: string, test: boolean, secrets: readonly string[], now: number, body: string }}
 *   delivery
 */
export const signedDelivery = async ({ agent, eventId, deliveryId, test, secrets, now, body }) => {
  const headers = {
    'content-type': 'application/json',
    'user-agent': agent,
    'x-service-event-id': eventId,
    'x-service-delivery-id': deliveryId,
    'x-service-attempt': '1',
    'x-service-signature': await signatureOf(secrets, now, body),
    ...(test && { 'x-service-test': 'true' }),
  }
  return { rawHeaders: Object.entries(headers).flat(), body: Buffer.from(body) }
}
