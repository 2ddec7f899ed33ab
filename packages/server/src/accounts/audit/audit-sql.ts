import type { Instant } from '../../core/clock.ts'
import type { AccountId, AuditId, UserId } from '../../core/ids.ts'
import { at } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

export type AuditRow = {
  readonly id: AuditId
  readonly accountId: AccountId | null
  readonly at: Instant
  readonly userId: UserId | null
  readonly actor: string
  readonly via: string
  readonly action: string
  readonly kind: string
  readonly objectId: string
  readonly before: string | null
  readonly after: string | null
  readonly address: string
  readonly agent: string
}

export const insertAudit = statement(
  'insert_audit',
  noColumns,
  (row: AuditRow) => [
    row.id,
    row.accountId,
    at(row.at),
    row.userId,
    row.actor,
    row.via,
    row.action,
    row.kind,
    row.objectId,
    row.before,
    row.after,
    row.address,
    row.agent,
  ],
  `
  insert into audit_log (id, account_id, at, user_id, actor, via, action, kind, object_id, before, after, address, agent)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)
