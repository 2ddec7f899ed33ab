import type { Scope } from '../../core/scope.ts'
import { instant, text } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The actions on one object, newest first, without the values before and after them. Index: audit_of_object. */
export const actionsOnObject = scoped(
  'actions_on_object',
  { at: instant(), actor: text(), action: text() },
  (scope: Scope, kind: string, id: string, most: number) => [scope.accountId, kind, id, most],
  `
  select at, actor, action
    from audit_log
   where account_id = $1 and kind = $2 and object_id = $3
   order by id desc
   limit $4`,
)
