/** Every call of the dashboard's API, in the order in which the document shows them. */
import { dayCloseOperations } from './day-close.ts'
import type { Operation } from './operation.ts'
import { sessionOperations } from './session.ts'
import { unmatchedOperations } from './unmatched.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...unmatchedOperations,
  ...dayCloseOperations,
  ...webhookOperations,
]
