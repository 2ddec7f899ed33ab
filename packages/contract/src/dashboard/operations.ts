/** Every call of the dashboard's API, in the order in which the document shows them. */

import { keyOperations } from './keys.ts'
import { dayCloseOperations } from './day-close.ts'
import type { Operation } from './operation.ts'
import { phoneOperations } from './phones.ts'
import { providerOperations } from './providers.ts'
import { intentOperations } from './intents.ts'
import type { Operation } from './operation.ts'
import { overviewOperations } from './overview.ts'
import { memberOperations } from './members.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people.ts'
import { sessionOperations } from './session.ts'
import { templateOperations } from './templates.ts'
import { walletOperations } from './wallets.ts'
import { unmatchedOperations } from './unmatched.ts'
import { accountOperations } from './account.ts'
import { auditOperations } from './audit.ts'
import type { Operation } from './operation.ts'
import { operatorOperations } from './operator.ts'
import { sessionOperations } from './session.ts'
import { streamOperations } from './stream.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...walletOperations,
  ...phoneOperations,
  ...providerOperations,
  ...templateOperations,
  ...keyOperations,
  ...overviewOperations,
  ...intentOperations,
  ...unmatchedOperations,
  ...dayCloseOperations,
  ...peopleOperations,
  ...memberOperations,
  ...webhookOperations,
  ...webhookOperations,
  ...streamOperations,
  ...auditOperations,
  ...accountOperations,
  ...operatorOperations,
]
