import type { AuditId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

/** Lets this transaction put stars into audit entries; the database refuses every other change of them (audit_log_stays). */
export const allowMasking = statement(
  'allow_masking',
  { allowed: text() },
  () => [],
  `select set_config('sanad.forgets', 'payers', true) as allowed`,
)

/** The entries of a stretch of ids, in their order, at most so many. Index: audit_of_account. */
export const auditToMask = scoped(
  'audit_to_mask',
  { id: uuid<AuditId>(), action: text(), kind: text(), before: nullable(text()), after: nullable(text()) },
  (scope: Scope, after: string, before: string, most: number) => [scope.accountId, after, before, most],
  `
  select id, action, kind, before::text as before, after::text as after
    from audit_log
   where account_id = $1 and id > $2 and id < $3
   order by id
   limit $4`,
)

export type MaskedEntry = { readonly id: AuditId; readonly before: string | null; readonly after: string | null }

/** Two nodes that mask one entry write the same. Index: primary key. */
export const maskAudit = scoped(
  'mask_audit',
  noColumns,
  (scope: Scope, entries: readonly MaskedEntry[]) => [
    scope.accountId,
    entries.map(({ id }) => id),
    entries.map(({ before }) => before),
    entries.map(({ after }) => after),
  ],
  `
  update audit_log a set before = n.before::json, after = n.after::json
    from unnest($2::uuid[], $3::text[], $4::text[]) as n (id, before, after)
   where a.account_id = $1 and a.id = n.id`,
)
