/**
 * The signature of a delivery: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `{t}.{body}`. The key is the UTF-8 bytes
 * of the endpoint's secret. Pure. Each attempt is signed again over the same body; the caller passes the time and the secrets.
 * The receiver's side is @sanad/sdk.
 */
import { createHmac } from 'node:crypto'

/**
 * One `v1` for each secret, in the given order: the newest first, then during a rotation the previous one. A receiver that
 * knows one of them finds its signature.
 */
export const signatureHeader = (secrets: readonly string[], timestamp_s: number, body: string | Uint8Array): string => {
  // Every receiver would reject a header without a signature, and deliveries would fail for days.
  if (secrets.length === 0 || secrets.includes('')) throw new Error('A delivery cannot be signed without a secret.')
  if (!Number.isSafeInteger(timestamp_s) || timestamp_s < 0) {
    throw new Error(`A signature needs a time in whole seconds, not ${timestamp_s}.`)
  }
  const signatures = secrets.map((secret) =>
    // The key is a string, which Node reads as UTF-8: the same key as bytes takes five times as long.
    createHmac('sha256', secret).update(`${timestamp_s}.`).update(body).digest('hex'),
  )
  return [`t=${timestamp_s}`, ...signatures.map((hex) => `v1=${hex}`)].join(',')
}
