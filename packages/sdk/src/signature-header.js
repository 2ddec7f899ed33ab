/**
 * Parses `X-Service-Signature`: `t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret is being rotated.
 * Schemes other than `v1` are ignored, so that one can be added later. Pure.
 */
import { WebhookError } from './webhook-error.js'

// Sanad signs with at most two secrets. A forged header must not cost much more than that.
const longest = 2048

/** @param {string} why */
const malformed = (why) =>
  new WebhookError('malformed_header', `X-Service-Signature is not of the form t=<unix-ts>,v1=<hex>: ${why}.`)

/**
 * `t` is returned exactly as it was written, because these characters were signed.
 *
 * @param {string | readonly string[] | null | undefined} header
 * @returns {{ t: string, signatures: Uint8Array[] }}
 */
export const readSignatureHeader = (header) => {
  const values = typeof header === 'string' ? [header] : (header ?? [])
  const text = values[0]?.trim() ?? ''
  if (text === '') {
    throw new WebhookError(
      'missing_header',
      'The request has no X-Service-Signature header: it does not come from Sanad.',
    )
  }
  if (values.length > 1) throw malformed('it was sent more than once')
  if (text.length > longest) throw malformed('it is too long')

  /** @type {string | undefined} */
  let t
  /** @type {Uint8Array[]} */
  const signatures = []
  for (const part of text.split(',')) {
    const equals = part.indexOf('=')
    if (equals === -1) throw malformed(`one part has no "="`)
    const name = part.slice(0, equals).trim()
    const value = part.slice(equals + 1).trim()
    if (name === 't') {
      if (t !== undefined) throw malformed('it has two times')
      if (!/^\d{1,12}$/.test(value)) throw malformed('its time is not a whole number of seconds')
      t = value
    } else if (name === 'v1') {
      if (!/^[0-9a-f]{64}$/i.test(value)) throw malformed('a v1 is not 64 hexadecimal digits')
      signatures.push(Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(value.slice(2 * i, 2 * i + 2), 16)))
    }
  }
  if (t === undefined) throw malformed('it has no time')
  if (signatures.length === 0) throw malformed('it has no v1')
  return { t, signatures }
}
