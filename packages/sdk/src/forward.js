/**
 * Forwards a webhook: the same bytes and headers, POSTed to another address. For `sanad listen --forward-to`, so it
 * needs Node. The caller interprets the answer.
 */
import * as http from 'node:http'
import * as https from 'node:https'

/** @import { forward as Forward } from '../types/forward.d.ts' */

// These headers belong to one connection, or are set anew for the request.
const connectionHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** @type {typeof Forward} */
export const forward = (url, { rawHeaders, body }, { timeout_ms = 15_000 } = {}) =>
  new Promise((done) => {
    const to = new URL(url)
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    /** @param {Error & { code?: string }} fault */
    const fail = (fault) => done({ kind: 'failed', error: sentence(fault, timeout_ms), took_ms: took() })

    /** @type {Record<string, string[]>} */
    const headers = { 'content-length': [String(body.byteLength)] }
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = String(rawHeaders[i])
      if (connectionHeaders.has(name.toLowerCase())) continue
      headers[name] = [...(headers[name] ?? []), String(rawHeaders[i + 1])]
    }
    const { request } = to.protocol === 'https:' ? https : http
    const signal = AbortSignal.timeout(timeout_ms)
    const forwarded = request(to, { method: 'POST', headers, signal, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: answerHeaders } = answer
      answer.on('error', fail)
      // As in the service: the answer is complete when its body has ended.
      answer.on('end', () =>
        done({ kind: 'answer', status, location: answerHeaders.location ?? null, took_ms: took() }),
      )
      answer.resume()
    })
    forwarded.on('error', fail)
    forwarded.end(body)
  })

/**
 * @param {Error & { code?: string }} fault
 * @param {number} timeout_ms
 */
const sentence = (fault, timeout_ms) => {
  if (fault.name === 'TimeoutError' || fault.code === 'ABORT_ERR')
    return `no whole answer within ${timeout_ms / 1000} s`
  if (fault.code === 'ECONNREFUSED') return 'nothing listens there'
  if (fault.code === 'ENOTFOUND') return 'there is no host of that name'
  return fault.message || String(fault.code)
}
