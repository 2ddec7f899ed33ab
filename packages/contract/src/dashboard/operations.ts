/** Every call of the dashboard's API, in the order in which the document shows them. */
import { accountOperations } from './account.ts'
import { auditOperations } from './audit.ts'
import { dayCloseOperations } from './day-close.ts'
import { intentOperations } from './intents.ts'
import { keyOperations } from './keys.ts'
import { memberOperations } from './members.ts'
import { noticeOperations } from './notices.ts'
import type { Operation } from './operation.ts'
import { operatorOperations } from './operator.ts'
import { overviewOperations } from './overview.ts'
import { peopleOperations } from './people.ts'
import { phoneOperations } from './phones.ts'
import { providerOperations } from './providers.ts'
import { searchOperations } from './search.ts'
import { sessionOperations } from './session.ts'
import { streamOperations } from './stream.ts'
import { templateOperations } from './templates.ts'
import { testPaymentOperations } from './test-payment.ts'
import { unmatchedOperations } from './unmatched.ts'
import { walletOperations } from './wallets.ts'
import { webhookOperations } from './webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...peopleOperations,
  ...overviewOperations,
  ...intentOperations,
  ...testPaymentOperations,
  ...unmatchedOperations,
  ...searchOperations,
  ...dayCloseOperations,
  ...walletOperations,
  ...phoneOperations,
  ...providerOperations,
  ...templateOperations,
  ...keyOperations,
  ...webhookOperations,
  ...noticeOperations,
  ...accountOperations,
  ...memberOperations,
  ...auditOperations,
  ...streamOperations,
  ...operatorOperations,
]
