import { denialReasons } from '@sanad/contract/kinds'
import { kindByState } from './arrived.ts'

const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ')

/** `creditKind` of arrived.ts in SQL, for sums over many alerts. A test compares the two. `a`: the alias of the alerts. */
export const creditKindSql = (a: string): string => `
  case when ${a}.state in (${listed(statesOf('unmatched'))}) and ${a}.reason in (${listed(denialReasons)}) then 'denied'
       ${[...new Set(Object.values(kindByState))]
         .map((kind) => `when ${a}.state in (${listed(statesOf(kind))}) then '${kind}'`)
         .join('\n       ')}
   end`

const statesOf = (kind: string): string[] =>
  Object.entries(kindByState).flatMap(([state, its]) => (its === kind ? [state] : []))
