/** The errors of a call: the service answered with an error, there was no answer, or a wait ended without a result. */

/** @import { ErrorCode, Intent } from '../types/sdk.d.ts' */
/** @import { ErrorAnswer } from '../types/merchant-api.d.ts' */
/** @typedef {ReadonlyArray<{ code: ErrorCode, detail: string, attr: string | null }>} Entries */

export class SanadError extends Error {
  /**
   * @override
   * @type {'SanadError'}
   */
  name = 'SanadError'

  /**
   * @param {{
   *   status: number,
   *   type: ErrorAnswer['type'],
   *   errors: Entries,
   *   retryAfter?: number | null,
   *   requestId?: string | null,
   *   hint?: string | null,
   *   ignored?: readonly string[],
   *   advice?: string | undefined,
   * }} facts `advice`: what to do before the call is repeated.
   */
  constructor({ status, type, errors, retryAfter = null, requestId = null, hint = null, ignored = [], advice }) {
    const sentences = errors.map(({ code, detail, attr }) => `${attr === null ? '' : `${attr}: `}${detail} (${code})`)
    if (hint !== null) sentences.push(`Hint: ${hint}`)
    if (advice !== undefined) sentences.push(advice)
    super(`Sanad answered ${status}. ${sentences.join(' ')}`)
    /** @readonly */
    this.status = status
    /** @readonly */
    this.type = type
    /** @readonly */
    this.errors = errors
    /** @readonly */
    this.retryAfter = retryAfter
    /** @readonly */
    this.requestId = requestId
    /** @readonly */
    this.hint = hint
    /** @readonly */
    this.ignored = ignored
  }

  /** @returns {ErrorCode} */
  get code() {
    return /** @type {Entries[number]} */ (this.errors[0]).code
  }

  /**
   * @param {ErrorCode} code
   * @param {string | null} [attr]
   */
  has(code, attr) {
    return this.errors.some((error) => error.code === code && (attr === undefined || error.attr === attr))
  }
}

export class SanadConnectionError extends Error {
  /**
   * @override
   * @type {'SanadConnectionError'}
   */
  name = 'SanadConnectionError'

  /**
   * @param {'unreachable' | 'timeout' | 'not_sanad'} reason
   * @param {string} message
   * @param {{ cause?: unknown, status?: number }} [options]
   */
  constructor(reason, message, { cause, status } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    /** @readonly */
    this.reason = reason
    /** @readonly */
    this.status = status ?? null
  }
}

export class SanadWaitError extends Error {
  /**
   * @override
   * @type {'SanadWaitError'}
   */
  name = 'SanadWaitError'

  /**
   * @param {Intent} intent
   * @param {number} timeout_ms
   */
  constructor(intent, timeout_ms) {
    super(`The intent ${intent.id} is still ${intent.status} after ${Math.round(timeout_ms / 1000)} s.`)
    /** @readonly */
    this.intent = intent
  }
}
