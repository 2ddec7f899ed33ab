/** Every call of the dashboard's API, in the order in which the document shows them. */
import { intentOperations } from './intents.ts'
import type { Operation } from './operation.ts'
import { overviewOperations } from './overview.ts'
import { sessionOperations } from './session.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...overviewOperations,
  ...intentOperations,
  ...webhookOperations,
]
