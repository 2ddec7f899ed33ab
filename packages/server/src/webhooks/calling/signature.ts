/**
 * The signature of a delivery: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `{t}.{body}` with the endpoint's secret,
 * its UTF-8 bytes, as key. Pure. Each try is signed anew over the same body; when, and with which secrets, is the
 * caller's. The receiver's side is @sanad/sdk.
 */
import { createHmac } from 'node:crypto'

/**
 * One `v1` for each secret, in the order given: the newest first, then during a rotation the one it replaces. A receiver
 * that knows either finds its own.
 */
export const signatureHeader = (secrets: readonly string[], timestamp_s: number, body: string | Uint8Array): string => {
  // A header without a signature would be taken by nobody, and a delivery would fail for days before anyone asked why.
  if (secrets.length === 0 || secrets.includes('')) throw new Error('A delivery cannot be signed without a secret.')
  if (!Number.isSafeInteger(timestamp_s) || timestamp_s < 0) {
    throw new Error(`A signature carries whole seconds, not ${timestamp_s}.`)
  }
  const signatures = secrets.map((secret) =>
    // As a text, which Node takes as UTF-8: the same key given as bytes costs it five times as long.
    createHmac('sha256', secret).update(`${timestamp_s}.`).update(body).digest('hex'),
  )
  return [`t=${timestamp_s}`, ...signatures.map((hex) => `v1=${hex}`)].join(',')
}
