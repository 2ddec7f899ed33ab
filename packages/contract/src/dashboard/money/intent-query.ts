/** The query of the list of intents. */
import { Type } from 'typebox'
import { dashboardFilters } from '../../intent-query.ts'
import { intentOrders } from '../../kinds.ts'
import { numberedPages, orderingField, pageField, pageSizeField } from '../../query.ts'
import { oneOf } from '../../scalars.ts'

const text = Type.String()

export const intentQuery = {
  ...dashboardFilters,
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
