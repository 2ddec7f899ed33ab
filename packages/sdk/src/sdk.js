/**
 * The entry point of @sanad/sdk. Plain JavaScript, so that a merchant's Node 18, Deno, Bun or edge runtime runs it
 * without a build.
 */
export { verifyWebhook } from './verify-webhook.js'
export { WebhookError } from './webhook-error.js'
