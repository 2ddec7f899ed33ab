import type { IntentId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { minor, nullable, text, uuid } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'
import type { Status } from './intent.ts'

/** The columns of an intent that `readArrival` reads. */
export const arrivalColumns = {
  arrived: nullable(minor()),
  forgiven: nullable(minor()),
  excess: nullable(minor()),
}

/** The same as a list of columns of `intent`, a name in the statement. */
export const arrivalRow = (intent: string): string =>
  Object.keys(arrivalColumns)
    .map((name) => `${intent}.${name}`)
    .join(', ')

/** What arrived for a VERIFIED intent, as `readArrival` says it. */
export const arrivedSql = (intent: string): string => `coalesce(${intent}.arrived, ${intent}.payable)`

/** What `readArrival` needs, of some intents, in no order. Index: primary key, once for each. */
export const arrivalsOfIntents = scoped(
  'arrivals_of_intents',
  { id: uuid<IntentId>(), status: text<Status>(), payable: minor(), ...arrivalColumns },
  (scope: Scope, ids: readonly IntentId[]) => [scope.accountId, ids],
  `
  select i.id, i.status, i.payable, ${arrivalRow('i')}
    from intents i
   where i.account_id = $1 and i.id = any($2::uuid[])`,
)
