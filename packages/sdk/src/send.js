/**
 * Sends one request and reads its answer. Each attempt has a time limit, retry.js decides about retries, and every failure
 * is one of the errors of errors.js. A redirect is never followed: the secret must not reach another host.
 */
import { SanadConnectionError, SanadError } from './errors.js'
import { retryAfterSeconds, retryWait } from './retry.js'

/** @import { FetchLike } from '../types/sdk.d.ts' */
/** @import { ErrorAnswer } from '../types/merchant-api.d.ts' */
/**
 * @typedef {{
 *   fetch: FetchLike,
 *   timeout: number,
 *   maxRetries: number,
 *   maxRetryWait: number,
 *   sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
 *   now: () => number,
 * }} Transport
 * @typedef {{
 *   method: string,
 *   url: string,
 *   headers: Record<string, string>,
 *   body?: string | undefined,
 *   signal?: AbortSignal | undefined,
 *   isRepeatable?: boolean,
 *   advice?: string | undefined,
 * }} Outgoing
 * @typedef {{ status: number, header: (name: string) => string | null, body: unknown }} Received
 */

/**
 * Waits, and throws the signal's reason when it is aborted meanwhile.
 *
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export const sleep = (ms, signal) => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {Promise<void>} */
  const waited = new Promise((done) => {
    timer = setTimeout(done, ms)
  })
  return unlessAborted(waited, signal).finally(() => clearTimeout(timer))
}

/**
 * The promise, or the signal's reason if that comes first. The work behind the promise continues for others that wait for it.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
export const unlessAborted = (promise, signal) => {
  if (signal === undefined) return promise
  return new Promise((done, fail) => {
    const abort = () => fail(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(done, fail).finally(() => signal.removeEventListener('abort', abort))
  })
}

/**
 * @param {Transport} transport
 * @param {Outgoing} outgoing
 * @returns {Promise<Received>}
 */
export const send = async (transport, outgoing) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(transport, outgoing)
    } catch (fault) {
      const { maxRetries, maxRetryWait } = transport
      const { isRepeatable = true } = outgoing
      const wait = retryWait(fault, { attempt, maxRetries, maxRetryWait, random: Math.random(), isRepeatable })
      if (wait === undefined) throw fault
      await transport.sleep(wait, outgoing.signal)
    }
  }
}

/**
 * @param {Transport} transport
 * @param {Outgoing} outgoing
 * @returns {Promise<Received>}
 */
const sendOnce = async ({ fetch, timeout, now }, { method, url, headers, body, signal, advice }) => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const cancel = () => controller.abort()
  signal?.addEventListener('abort', cancel, { once: true })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort()
  }, timeout)
  try {
    const request = async () => {
      const answer = await fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: controller.signal,
        redirect: 'manual',
      })
      return { answer, text: await answer.text() }
    }
    // A fetch that ignores its signal must not keep the caller waiting.
    const { answer, text } = await unlessAborted(request(), controller.signal)
    return readAnswer(answer.status, (name) => answer.headers.get(name), text, now(), advice)
  } catch (cause) {
    if (cause instanceof SanadError || cause instanceof SanadConnectionError) throw cause
    if (signal?.aborted) throw signal.reason
    if (isTimedOut) {
      const message = `Sanad gave no whole answer within ${timeout / 1000} s.`
      throw new SanadConnectionError('timeout', withAdvice(message, advice), { cause })
    }
    const message = `No answer of Sanad at ${new URL(url).origin}: there is no connection, or it was lost.`
    throw new SanadConnectionError('unreachable', withAdvice(message, advice), { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

/**
 * @param {number} status
 * @param {(name: string) => string | null} header
 * @param {string} text
 * @param {number} now
 * @param {string | undefined} advice
 * @returns {Received}
 */
const readAnswer = (status, header, text, now, advice) => {
  const body = parseJson(text)
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) return { status, header, body }
  if (!isErrorAnswer(body)) {
    const message = `The answer (status ${status}) is not one of Sanad: is baseUrl right, and is there a proxy?`
    throw new SanadConnectionError('not_sanad', withAdvice(message, advice), { status })
  }
  throw new SanadError({
    status,
    type: body.type,
    errors: /** @type {import('./errors.js').Entries} */ (body.errors),
    retryAfter: retryAfterSeconds(header('retry-after'), now),
    requestId: header('x-request-id'),
    hint: header('x-service-hint')?.slice(0, longestHint) || null,
    ignored: namesIn(header('x-service-ignored')),
    // A refusal has processed nothing.
    advice: status < 500 ? undefined : advice,
  })
}

/** @type {(message: string, advice: string | undefined) => string} */
const withAdvice = (message, advice) => (advice === undefined ? message : `${message} ${advice}`)

/** A proxy may answer too: what it sends is not trusted to be short. */
const longestHint = 300
const mostNames = 10

/**
 * `order_id, items.0.sku`
 *
 * @param {string | null} text
 * @returns {readonly string[]}
 */
const namesIn = (text) =>
  (text ?? '')
    .slice(0, 1000)
    .split(', ')
    .filter((name) => name !== '')
    .slice(0, mostNames)
    .map((name) => {
      try {
        return decodeURIComponent(name)
      } catch {
        return name
      }
    })

/** @param {string} text */
const parseJson = (text) => {
  try {
    return /** @type {unknown} */ (JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * @param {unknown} body
 * @returns {body is ErrorAnswer}
 */
const isErrorAnswer = (body) => {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !('type' in body)) return false
  const { errors } = body
  return Array.isArray(errors) && errors.length > 0 && errors.every((entry) => typeof entry?.code === 'string')
}
