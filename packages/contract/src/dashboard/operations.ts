/** Every call of the dashboard's API, in the order in which the document shows them. */
import type { Operation } from './operation.ts'
import { sessionOperations } from './session.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [...sessionOperations, ...webhookOperations]
