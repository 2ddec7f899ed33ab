/** Every call of the dashboard's API, in the order in which the document shows them. */

import type { Operation } from '../operation.ts'
import { callOperations } from './calls/api-calls.ts'
import { checkoutOperations } from './checkouts/checkouts.ts'
import { paymentLinkOperations } from './checkouts/payment-links.ts'
import { counterOperations } from './money/counter.ts'
import { dayCloseOperations } from './money/day-close.ts'
import { intentOperations } from './money/intents.ts'
import { overviewOperations } from './money/overview.ts'
import { searchOperations } from './money/search.ts'
import { testPaymentOperations } from './money/test-payment.ts'
import { unmatchedOperations } from './money/unmatched.ts'
import { operatedAccountOperations } from './operator/accounts.ts'
import { sharedProviderOperations } from './operator/shared-providers.ts'
import { sharedTemplateOperations } from './operator/shared-templates.ts'
import { accountOperations } from './people/account.ts'
import { auditOperations } from './people/audit.ts'
import { checkoutPageOperations } from './people/checkout-page.ts'
import { keyOperations } from './people/keys.ts'
import { memberOperations } from './people/members.ts'
import { noticeOperations } from './people/notices.ts'
import { peopleOperations } from './people/own-settings.ts'
import { sessionOperations } from './people/session.ts'
import { streamOperations } from './stream.ts'
import { approvalOperations } from './wallets/approvals.ts'
import { phoneOperations } from './wallets/phones.ts'
import { providerOperations } from './wallets/providers.ts'
import { templateOperations } from './wallets/templates.ts'
import { uniqueAmountOperations } from './wallets/unique-amounts.ts'
import { walletOperations } from './wallets/wallets.ts'
import { webhookOperations } from './webhooks/webhooks.ts'

export const dashboardOperations: readonly Operation[] = [
  ...sessionOperations,
  ...peopleOperations,
  ...overviewOperations,
  ...intentOperations,
  ...testPaymentOperations,
  ...checkoutOperations,
  ...paymentLinkOperations,
  ...unmatchedOperations,
  ...searchOperations,
  ...counterOperations,
  ...dayCloseOperations,
  ...walletOperations,
  ...uniqueAmountOperations,
  ...phoneOperations,
  ...providerOperations,
  ...templateOperations,
  ...approvalOperations,
  ...keyOperations,
  ...webhookOperations,
  ...callOperations,
  ...noticeOperations,
  ...accountOperations,
  ...checkoutPageOperations,
  ...memberOperations,
  ...auditOperations,
  ...streamOperations,
  ...operatedAccountOperations,
  ...sharedProviderOperations,
  ...sharedTemplateOperations,
]
