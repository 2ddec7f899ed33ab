/** The query of the list of intents, and of its table. */
import { Type } from 'typebox'
import { IntentStatus } from '../../intent.ts'
import { intentOrders } from '../../kinds.ts'
import {
  choicesField,
  idFilter,
  instantFilter,
  numberedPages,
  orderingField,
  pageField,
  pageSizeField,
  searchField,
  textFilter,
} from '../../query.ts'
import { oneOf } from '../../scalars.ts'

const text = Type.String()

export const intentFilters = {
  status: { description: 'One or several statuses, separated by commas.', schema: choicesField(IntentStatus) },
  code: { description: 'Exactly this payment code.', schema: textFilter() },
  reference: { description: 'Exactly this reference.', schema: textFilter() },
  external_order_id: { description: 'Exactly this order.', schema: textFilter() },
  wallet: { description: 'Only this wallet.', schema: idFilter() },
  created_after: {
    description: 'Created at this time or later. A date means its midnight in the account’s zone.',
    schema: instantFilter('after'),
    published: text,
  },
  created_before: {
    description: 'Created at this time or before.',
    schema: instantFilter('before'),
    published: text,
  },
  search: { description: 'Terms that must occur in the code, the reference or the order.', schema: searchField() },
}

export const intentQuery = {
  ...intentFilters,
  ordering: {
    description: 'What to sort by: one or several fields, separated by commas; a leading `-` reverses.',
    schema: orderingField(intentOrders, '-created_at'),
    published: Type.Array(oneOf([...intentOrders, ...intentOrders.map((field) => `-${field}` as const)], 'A field.')),
  },
  page: { description: 'Which page, from 1, or `last`.', schema: pageField(), published: text },
  page_size: {
    description: `How many on a page; ${numberedPages.usual} when left out, at most ${numberedPages.largest}.`,
    schema: pageSizeField(numberedPages),
    published: Type.Integer(),
  },
}
