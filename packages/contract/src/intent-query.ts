/**
 * The filters of a list of intents, described once for both APIs that have it: the merchant API, and the dashboard, whose document
 * says less. A new filter is added here, in `Filter` (intents/list/intent-list.ts) and in its SQL (views/intents/intent-list-sql.ts).
 */
import { type TSchema, Type } from 'typebox'
import { IntentStatus } from './intent.ts'
import { choicesField, idFilter, instantFilter, searchField, textFilter } from './query.ts'

type IntentFilter<S extends TSchema> = {
  readonly schema: S
  readonly merchant: string
  readonly dashboard: string
  /** The schema in the dashboard's document, where that says less. */
  readonly published?: object
}

const filter = <S extends TSchema>(
  schema: S,
  merchant: string,
  dashboard = merchant,
  published?: object,
): IntentFilter<S> => ({ schema, merchant, dashboard, ...(published === undefined ? {} : { published }) })

const text = Type.String()
const timeRule =
  'ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a ' +
  'bare date is its midnight.'

const filters = {
  status: filter(
    choicesField(IntentStatus),
    'One or several, separated by commas, in capitals: `VERIFIED,WRONG_AMOUNT`. An unknown value is refused; empty means no filter.',
    'One or several statuses, separated by commas.',
  ),
  code: filter(textFilter(), 'Exact payment code.', 'Exactly this payment code.'),
  reference: filter(textFilter(), 'Exact wallet reference.', 'Exactly this reference.'),
  external_order_id: filter(textFilter(), 'Exact order number.', 'Exactly this order.'),
  wallet: filter(idFilter(), 'Only intents of this wallet. An unknown wallet finds nothing.', 'Only this wallet.'),
  created_after: filter(
    instantFilter('after'),
    `Created at this time or later. ${timeRule}`,
    'Created at this time or later. A date means its midnight in the account’s zone.',
    text,
  ),
  created_before: filter(
    instantFilter('before'),
    `Created at this time or earlier. ${timeRule}`,
    'Created at this time or before.',
    text,
  ),
  search: filter(
    searchField(),
    'Words to look for in `reference`, `code` and `external_order_id`. Every word must occur in one of the three, ' +
      'anywhere in it, in either case. Words are split on spaces and commas; a phrase in double quotes stays whole.',
    'Terms that must occur in the code, the reference or the order.',
  ),
}

type Described = {
  readonly [Name in keyof typeof filters]: { readonly description: string } & Pick<(typeof filters)[Name], 'schema'>
}

const described = (describe: (one: IntentFilter<TSchema>) => object): Described =>
  Object.fromEntries(
    Object.entries(filters).map(([name, one]) => [name, { schema: one.schema, ...describe(one) }]),
  ) as Described

export const merchantFilters = described(({ merchant }) => ({ description: merchant }))
export const dashboardFilters = described(({ dashboard, published }) => ({
  description: dashboard,
  ...(published === undefined ? {} : { published }),
}))
