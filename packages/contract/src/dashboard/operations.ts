/** Every call of the dashboard's API, in the order in which the document shows them. */
import { accountOperations } from './account.ts'
import { auditOperations } from './audit.ts'
import type { Operation } from './operation.ts'
import { operatorOperations } from './operator.ts'
import { sessionOperations } from './session.ts'
import { streamOperations } from './stream.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...webhookOperations,
  ...streamOperations,
  ...auditOperations,
  ...accountOperations,
  ...operatorOperations,
]
