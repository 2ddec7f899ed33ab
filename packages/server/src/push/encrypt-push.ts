/**
 * A message as the request that a push service takes: encrypted for the browser (RFC 8291, aes128gcm), and signed for the service
 * (RFC 8292). The service can read neither counts nor amounts. Sending is left to the caller (webhooks/calling/).
 */
import type { Instant } from '../core/clock.ts'
import { hour_ms } from '../core/duration.ts'
import type { CallRequest } from '../webhooks/calling/call-receiver.ts'
import type { PushKeys } from './push-keys.ts'
import { serviceKeeps_s } from './push-schedule.ts'
import type { Subscription } from './subscription.ts'

const encoding = 'aes128gcm'

export const pushRequest = async (
  { endpoint, p256dh, auth }: Subscription,
  message: string,
  { publicKey, privateKey }: PushKeys,
  { subject, userAgent }: { readonly subject: string; readonly userAgent: string },
  now: Instant,
): Promise<CallRequest> => {
  const { default: webPush } = await import('web-push')
  const { cipherText } = webPush.encrypt(p256dh, auth, message, encoding)
  const signedUntil_s = Math.floor((now + 12 * hour_ms) / 1000)
  const { origin } = new URL(endpoint)
  const signed = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, encoding, signedUntil_s)
  return {
    url: endpoint,
    headers: {
      'user-agent': userAgent,
      authorization: signed.Authorization,
      ttl: String(serviceKeeps_s),
      // A phone that sleeps is woken: money has arrived.
      urgency: 'high',
      'content-type': 'application/octet-stream',
      'content-encoding': encoding,
    },
    body: new Uint8Array(cipherText),
  }
}
