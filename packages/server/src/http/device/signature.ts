/**
 * The signature of a phone: an HMAC-SHA256 over the method, the path as sent without its query, the identity headers, and
 * the hash of the body’s bytes. Builds the signed text and compares signatures. Pure.
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

/** `v1=<hex>`: the signature header of a phone. The key is the secret's text, as UTF-8. */
export const signatureOf = (secret: string, signed: Signed): string =>
  `${version}=${createHmac('sha256', secret).update(signedText(signed)).digest('hex')}`

const HEX = /^[0-9a-f]{64}$/i

/** Compares in constant time. A text that is no hash is compared too, as zeros, so that it takes the same time. */
export const isValidSignature = (secret: string, over: readonly (string | Uint8Array)[], hex: string): boolean => {
  const hmac = createHmac('sha256', secret)
  for (const part of over) hmac.update(part)
  const isHash = HEX.test(hex)
  const sent = isHash ? Buffer.from(hex, 'hex') : Buffer.alloc(32)
  return timingSafeEqual(hmac.digest(), sent) && isHash
}

/** The hash in a signature header of this version; empty for any other header. */
export const hashIn = (signature: string): string =>
  signature.startsWith(`${version}=`) ? signature.slice(version.length + 1) : ''
