/** Where a merchant is told of payments, and what became of every attempt to tell them. */
import { operation } from './operation.ts'

const tag = 'Webhooks'

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks/',
  access: 'webhooks.read',
  tag,
  summary: 'All endpoints',
  status: 200,
})
export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks/',
  access: 'webhooks.secrets',
  tag,
  summary: 'A new endpoint; its secret is shown this once',
  example: { url: 'https://shop.example/hook' },
  status: 201,
  showsSecret: true,
})
export const showWebhook = operation({
  id: 'showWebhook',
  method: 'GET',
  path: '/webhooks/{id}/',
  access: 'webhooks.read',
  tag,
  summary: 'One endpoint',
  status: 200,
})
export const changeWebhook = operation({
  id: 'changeWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}/',
  access: 'webhooks.write',
  tag,
  summary: 'Change an endpoint',
  example: { enabled: false },
  status: 200,
})
export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}/',
  access: 'webhooks.write',
  tag,
  summary: 'Delete an endpoint',
  status: 204,
})
export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate/',
  access: 'webhooks.secrets',
  tag,
  summary: 'A new secret, shown this once',
  status: 200,
  showsSecret: true,
})
export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test/',
  access: 'webhooks.write',
  tag,
  summary: 'Send a test event',
  status: 200,
})
export const showWebhookSecret = operation({
  id: 'showWebhookSecret',
  method: 'GET',
  path: '/webhooks/{id}/secret/',
  access: 'webhooks.secrets',
  tag,
  summary: 'The secret',
  status: 200,
  showsSecret: true,
})
export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries/',
  access: 'webhooks.read',
  tag,
  summary: 'The delivery log',
  status: 200,
})
export const showDelivery = operation({
  id: 'showDelivery',
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{delivery}/',
  access: 'webhooks.read',
  tag,
  summary: 'One delivery with every attempt',
  status: 200,
})
export const redeliver = operation({
  id: 'redeliver',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{delivery}/redeliver/',
  access: 'webhooks.write',
  tag,
  summary: 'Send it again',
  status: 202,
})
export const listReplays = operation({
  id: 'listReplays',
  method: 'GET',
  path: '/webhooks/{id}/replays/',
  access: 'webhooks.read',
  tag,
  summary: 'All replays',
  status: 200,
})
export const startReplay = operation({
  id: 'startReplay',
  method: 'POST',
  path: '/webhooks/{id}/replays/',
  access: 'webhooks.write',
  tag,
  summary: 'Send a range again',
  status: 201,
})
export const showReplay = operation({
  id: 'showReplay',
  method: 'GET',
  path: '/webhooks/{id}/replays/{replay}/',
  access: 'webhooks.read',
  tag,
  summary: 'One replay',
  status: 200,
})
export const stopReplay = operation({
  id: 'stopReplay',
  method: 'POST',
  path: '/webhooks/{id}/replays/{replay}/stop/',
  access: 'webhooks.write',
  tag,
  summary: 'Stop a replay',
  status: 200,
})
export const resumeReplay = operation({
  id: 'resumeReplay',
  method: 'POST',
  path: '/webhooks/{id}/replays/{replay}/resume/',
  access: 'webhooks.write',
  tag,
  summary: 'Go on with a replay',
  status: 200,
})

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  showWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  showWebhookSecret,
  listDeliveries,
  showDelivery,
  redeliver,
  listReplays,
  startReplay,
  showReplay,
  stopReplay,
  resumeReplay,
]
