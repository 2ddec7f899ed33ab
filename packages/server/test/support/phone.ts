/** A phone for tests. It signs its requests as the protocol requires; a test can make it sign or send something wrong. */
import { randomUUID } from 'node:crypto'
import { type Signed, signatureOf } from '../../src/http/device/signature.ts'
import { type Answer, askAt } from './story.ts'

/** What a test changes in a request: the values that are signed, the secret, the signature, or what is sent. */
export type RequestChanges = Partial<Omit<Signed, 'body'>> & {
  readonly secret?: string
  readonly signature?: string
  /** The body that is signed, if it differs from the body that is sent. */
  readonly signedBody?: string | Uint8Array
  readonly headers?: Record<string, string>
  readonly query?: string
  readonly origin?: string
}

export const phone = (origin: string, now: () => number, device: { readonly id: string; readonly secret: string }) => {
  const send = (path: string, body: unknown, changes: RequestChanges = {}): Promise<Answer> => {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const bytes = Buffer.from(raw ? (body as string) : JSON.stringify(body))
    const signed = {
      method: 'POST',
      path: `/api/v1/device${path}`,
      device: device.id,
      requestId: randomUUID(),
      timestamp: String(Math.floor(now() / 1000)),
      ...changes,
      body: changes.signedBody === undefined ? bytes : Buffer.from(changes.signedBody as string),
    }
    const headers = {
      'X-Service-Device': signed.device,
      'X-Service-Request-Id': signed.requestId,
      'X-Service-Timestamp': signed.timestamp,
      'X-Service-Device-Signature': changes.signature ?? signatureOf(changes.secret ?? device.secret, signed),
      ...changes.headers,
    }
    return askAt(`${changes.origin ?? origin}/api/v1/device${path}${changes.query ?? ''}`, 'POST', {
      body: bytes,
      headers,
    })
  }
  return {
    id: device.id,
    secret: device.secret,
    send,
    alerts: (alerts: readonly unknown[], changes?: RequestChanges) => send('/alerts', { alerts }, changes),
    heartbeat: (fields: Record<string, unknown> = {}, changes?: RequestChanges) =>
      send('/heartbeat', { clock: Math.floor(now() / 1000), ...fields }, changes),
  }
}
