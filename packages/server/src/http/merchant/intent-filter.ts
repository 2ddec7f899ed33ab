/** The filter of a list of intents, from the query of the merchant API or of the dashboard. Most filters keep their name. */
import type { listIntents } from '@sanad/contract/merchant/operations'
import type { QueryOf } from '@sanad/contract/operation'
import type { Scope } from '../../core/scope.ts'
import type { Filter } from '../../intents/list/intent-list.ts'

type IntentQuery = Omit<QueryOf<typeof listIntents>, 'ordering' | 'page' | 'page_size'>

export const intentFilter = (scope: Scope, query: IntentQuery): Filter => {
  const { status, external_order_id, wallet, created_after, created_before, search, ...others } = query
  return {
    // A filter that `Filter` does not have would find everything: then this does not compile.
    ...(others satisfies Pick<Filter, keyof typeof others>),
    scope,
    statuses: status && new Set(status),
    externalOrderId: external_order_id,
    walletId: wallet,
    from: created_after,
    until: created_before,
    terms: search,
  }
}
