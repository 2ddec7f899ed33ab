/**
 * Reads the query of `GET /sessions/` into a filter, an order and a page. All errors of the filters are reported at once.
 * The parameters are read by the code of the list of intents.
 */
import { checkoutStatuses } from '../../checkouts/checkout.ts'
import { type CheckoutFilter, type CheckoutOrder, checkoutOrders } from '../../checkouts/checkout-list.ts'
import type { AccountId } from '../../core/ids.ts'
import { strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { invalid, type ProblemEntry } from '../answers.ts'
import type { KnownParameters } from '../hints/query-hint.ts'
import {
  listParameters,
  type Parameters,
  readPage,
  readStatuses,
  readTerms,
  readText,
  readTime,
  readWallet,
} from '../merchant/list-query.ts'
import { lastValues } from '../query/parameters.ts'

/** The parameters of `GET /sessions/`. */
export const checkoutListParameters: KnownParameters = {
  ...listParameters,
  names: listParameters.names.filter((name) => name !== 'code'),
  statuses: checkoutStatuses,
  orderings: checkoutOrders.filter((order) => !order.startsWith('-')),
}

export type CheckoutListQuery = {
  readonly filter: CheckoutFilter
  readonly order: CheckoutOrder
  readonly pageSize: number
  /** Undefined: not a page number. */
  readonly page: number | 'last' | undefined
}

export const readCheckoutListQuery = (url: string, accountId: AccountId, zone: Zone): CheckoutListQuery => {
  const sent = lastValues(url)
  const errors: ProblemEntry[] = []
  const filter: CheckoutFilter = {
    accountId,
    statuses: readStatuses(sent, checkoutStatuses, errors),
    externalOrderId: readText(sent, 'external_order_id', errors),
    reference: readText(sent, 'reference', errors),
    walletId: readWallet(sent, errors),
    from: readTime(sent, 'created_after', zone, errors),
    until: readTime(sent, 'created_before', zone, errors),
    terms: [],
  }
  if (errors.length > 0) throw invalid(errors)
  return { filter: { ...filter, terms: readTerms(sent) }, order: readOrder(sent), ...readPage(sent) }
}

/** The first known order is used; checkouts that are equal in it are ordered by id. */
const readOrder = (sent: Parameters): CheckoutOrder =>
  (sent.get('ordering') ?? '')
    .split(',')
    .map((part) => strip(part) as CheckoutOrder)
    .find((order) => checkoutOrders.includes(order)) ?? '-created_at'
