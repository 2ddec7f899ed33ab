import type { Scope } from '../../core/scope.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'

/** Lets this transaction delete audit entries; those of the last year are refused all the same (audit_log_stays). */
export const allowPruning = statement(
  'allow_pruning',
  { allowed: text() },
  () => [],
  `select set_config('sanad.forgets', 'audit', true) as allowed`,
)

/** Deletes the oldest entries of an account before an id, at most so many. Index: audit_of_account. */
export const pruneAudit = scoped(
  'prune_audit',
  { id: uuid() },
  (scope: Scope, before: string, most: number) => [scope.accountId, before, most],
  `
  delete from audit_log
   where id = any(array(select l.id from audit_log l where l.account_id = $1 and l.id < $2 order by l.id limit $3))
     and account_id = $1
  returning id`,
)
