/** Every call of the dashboard's API, in the order in which the document shows them. */
import { memberOperations } from './members.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people.ts'
import { sessionOperations } from './session.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...peopleOperations,
  ...memberOperations,
  ...webhookOperations,
]
