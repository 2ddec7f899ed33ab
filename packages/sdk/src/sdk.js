/** The door of @sanad/sdk. Plain JavaScript on purpose: a merchant's Node 18, Deno, Bun or edge runs it without a build. */
export { verifyWebhook } from './verify-webhook.js'
export { WebhookError } from './webhook-error.js'
