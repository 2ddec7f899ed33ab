/** The filter of a list of intents, from the query of the merchant API or of the dashboard. */
import type { listIntents } from '@sanad/contract/merchant/operations'
import type { QueryOf } from '@sanad/contract/operation'
import type { AccountId } from '../../core/ids.ts'
import type { Filter } from '../../intents/list/intent-list.ts'

type IntentQuery = Omit<QueryOf<typeof listIntents>, 'ordering' | 'page' | 'page_size'>

export const intentFilter = (accountId: AccountId, query: IntentQuery): Filter => ({
  accountId,
  statuses: query.status && new Set(query.status),
  code: query.code,
  reference: query.reference,
  externalOrderId: query.external_order_id,
  walletId: query.wallet,
  from: query.created_after,
  until: query.created_before,
  terms: query.search,
})
