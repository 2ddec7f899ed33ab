/**
 * How a phone signs: an HMAC-SHA256 over the method, the path as sent without its query, its identity headers, and the
 * hash of the body’s bytes. Here are the signed text and the comparison. Pure.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type Signed = {
  readonly method: string
  readonly path: string
  readonly device: string
  readonly requestId: string
  readonly timestamp: string
  readonly body: Uint8Array
}

const version = 'v1'

export const signedText = ({ method, path, device, requestId, timestamp, body }: Signed): string => {
  const hash = createHash('sha256').update(body).digest('hex')
  return [version, method, path, device, requestId, timestamp, hash].join('\n')
}

/** `v1=<hex>`: what the phone sends. The key is the secret's text, as UTF-8. */
export const signatureOf = (secret: string, signed: Signed): string =>
  `${version}=${createHmac('sha256', secret).update(signedText(signed)).digest('hex')}`

const HEX = /^[0-9a-f]{64}$/i

/** Constant-time. What is no hash at all is compared too, with zeros, so that it takes as long. */
export const fits = (secret: string, over: readonly (string | Uint8Array)[], hex: string): boolean => {
  const hmac = createHmac('sha256', secret)
  for (const part of over) hmac.update(part)
  const isHash = HEX.test(hex)
  const sent = isHash ? Buffer.from(hex, 'hex') : Buffer.alloc(32)
  return timingSafeEqual(hmac.digest(), sent) && isHash
}

/** The hash of a signature header of this version; of another one, nothing that fits. */
export const hashIn = (signature: string): string =>
  signature.startsWith(`${version}=`) ? signature.slice(version.length + 1) : ''
