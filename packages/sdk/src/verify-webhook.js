/**
 * Verifies a webhook: signed with the endpoint's secret, recent, and an event. Web Crypto only. The caller drops
 * duplicates, by the id in the header X-Service-Event-Id.
 */
import { readSignatureHeader } from './signature-header.js'
import { WebhookError } from './webhook-error.js'

/** @import { verifyWebhook as VerifyWebhook, WebhookEvent } from '../types/sdk.d.ts' */

/** @type {typeof VerifyWebhook} */
export const verifyWebhook = async (rawBody, header, secret, options = {}) => {
  const { toleranceS = 300, now = Date.now() } = options
  const body = bytesOf(rawBody)
  const secrets = secretsOf(secret)
  // NaN is neither too old nor too new: it would disable the check.
  if (!(toleranceS >= 0)) throw new TypeError('toleranceS must be a number of seconds, 0 or more.')
  if (!Number.isFinite(now)) throw new TypeError('now must be a time in milliseconds, as Date.now() gives it.')

  const { t, signatures } = readSignatureHeader(header)
  const expected = await Promise.all(secrets.map((key) => sign(key, t, body)))
  // Every pair is compared completely: the time reveals nothing about how close a guess was.
  let matches = 0
  for (const ours of expected) for (const theirs of signatures) matches += isSame(ours, theirs)
  if (matches === 0) {
    throw new WebhookError(
      'no_match',
      "No signature matches: the secret is not this endpoint's, or the body is not, byte for byte, the one that was sent.",
    )
  }

  const age_s = now / 1000 - Number(t)
  if (age_s > toleranceS) {
    throw new WebhookError('too_old', `The signature is ${Math.round(age_s)} s old; ${toleranceS} s are allowed.`)
  }
  // Sanad does not sign ahead of time, so this clock is slow.
  if (-age_s > toleranceS) {
    throw new WebhookError(
      'too_new',
      `The signature is dated ${Math.round(-age_s)} s ahead of this machine's clock; ${toleranceS} s are allowed.`,
    )
  }
  return eventOf(body)
}

/**
 * @param {unknown} rawBody
 * @returns {Uint8Array<ArrayBuffer>}
 */
const bytesOf = (rawBody) => {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  // By their tag, not by instanceof: bytes from outside of a sandbox belong to another realm.
  if (/^\[object (?:Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(rawBody)))
    return new Uint8Array(/** @type {Uint8Array<ArrayBuffer> | ArrayBuffer} */ (rawBody))
  throw new TypeError(
    'rawBody must be the body as it arrived, text or bytes: parsed and written again, JSON is no longer what was signed.',
  )
}

/**
 * @param {unknown} secret
 * @returns {string[]}
 */
const secretsOf = (secret) => {
  const secrets = Array.isArray(secret) ? secret : [secret]
  // An unset variable must not become a key that everybody knows.
  if (secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one !== '')) {
    throw new TypeError("secret must be the endpoint's signing secret, or a list of them; it is empty or not text.")
  }
  return secrets
}

/**
 * @param {string} secret
 * @param {string} t
 * @param {Uint8Array<ArrayBuffer>} body
 */
export const sign = async (secret, t, body) => {
  const subtle = await subtleCrypto()
  const prefix = new TextEncoder().encode(`${t}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', key, signed))
}

const subtleCrypto = async () => {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto.subtle
  // Node 18 has it, but not as a global. The name is a variable so that a bundler for the edge does not resolve it.
  const name = 'node:crypto'
  /** @type {typeof import('node:crypto')} */
  const node = await import(/* webpackIgnore: true */ /* @vite-ignore */ name)
  return node.webcrypto.subtle
}

/**
 * 1 if they are equal, otherwise 0, without a branch that depends on their content. Both are 32 bytes.
 *
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
const isSame = (a, b) => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= /** @type {number} */ (a[i]) ^ /** @type {number} */ (b[i])
  return Number(difference === 0)
}

/**
 * @param {Uint8Array} body
 * @returns {WebhookEvent}
 */
const eventOf = (body) => {
  let value
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new WebhookError('malformed_body', 'The body is signed correctly, but it is not JSON in UTF-8.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || typeof value.event !== 'string') {
    throw new WebhookError('malformed_body', 'The body is signed correctly, but it is not an event: it has no kind.')
  }
  return value
}
