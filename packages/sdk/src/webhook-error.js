/** A request that must not be processed as a webhook. `code` is for programs, `message` is a sentence for the log. */

/** @import { WebhookErrorCode } from '../types/sdk.d.ts' */

export class WebhookError extends Error {
  /**
   * @override
   * @type {'WebhookError'}
   */
  name = 'WebhookError'

  /**
   * @param {WebhookErrorCode} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    /** @readonly */
    this.code = code
  }
}
