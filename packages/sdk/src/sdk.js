/**
 * The entry point of @sanad/sdk. Plain JavaScript, so that a merchant's Node 20, Deno, Bun or edge runtime runs it
 * without a build.
 */
export { memoryStore } from './checkout.js'
export { Sanad } from './client.js'
export { SanadConnectionError, SanadError, SanadWaitError } from './errors.js'
export { webhooks } from './receive-webhook.js'
export { verifyWebhook } from './verify-webhook.js'
export { WebhookError } from './webhook-error.js'
