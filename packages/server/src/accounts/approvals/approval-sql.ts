import type { ApprovalKind, OwnerReason } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, ApprovalId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped, statement } from '../../postgres/query/statement.ts'
import { type Approval, type ApprovalState, approvalState } from './approval.ts'

export type StoredState = Exclude<ApprovalState, 'expired'>

const columns = {
  account_id: uuid<AccountId>(),
  id: uuid<ApprovalId>(),
  kind: text<ApprovalKind>(),
  object_id: text(),
  object_name: text(),
  reasons: jsonText(),
  before: nullable(jsonText()),
  after: jsonText(),
  asked_by: uuid<UserId>(),
  asked_name: text(),
  asked_at: instant(),
  expires_at: instant(),
  state: text<StoredState>(),
  decided_name: text(),
  decided_at: nullable(instant()),
}

const fields = `account_id, id, kind, object_id, object_name, to_json(reasons) as reasons, before, after, asked_by, asked_name,
         asked_at, expires_at, state, decided_name, decided_at`

export const approvalOf = (row: RowOf<typeof columns>, now: Instant): Approval => ({
  accountId: row.account_id,
  id: row.id,
  kind: row.kind,
  objectId: row.object_id,
  objectName: row.object_name,
  reasons: JSON.parse(row.reasons) as OwnerReason[],
  before: row.before === null ? null : JSON.parse(row.before),
  after: JSON.parse(row.after),
  askedBy: row.asked_by,
  askedName: row.asked_name,
  askedAt: row.asked_at,
  expiresAt: row.expires_at,
  state: approvalState(row.state, row.expires_at, now),
  decidedName: row.decided_name,
  decidedAt: row.decided_at,
})

/** A page, the newest first, below a given one. $4: only those that an owner can confirm now. Index: primary key. */
export const listApprovals = scoped(
  'list_approvals',
  columns,
  (scope: Scope, below: string, open: boolean, now: Instant, limit: number) => [
    scope.accountId,
    below,
    at(now),
    open,
    limit,
  ],
  `
  select ${fields}
    from approvals
   where account_id = $1 and id < $2 and (not $4::boolean or (state = 'open' and expires_at > $3))
   order by id desc
   limit $5`,
)

/** Index: primary key. */
export const findApproval = scoped(
  'find_approval',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `select ${fields} from approvals where account_id = $1 and id = $2`,
)

/** The approval and its change, locked until the transaction ends: of two owners, the second sees what the first decided.
 *  Index: primary key. */
export const lockApproval = scoped(
  'lock_approval',
  { ...columns, change: jsonText() },
  (scope: Scope, id: string) => [scope.accountId, id],
  `select ${fields}, change from approvals where account_id = $1 and id = $2 for update`,
)

/** How many approvals of the account are open, and how many were asked for since an instant. The caller has locked the account.
 *  Index: approvals_open, primary key. */
export const countApprovals = scoped(
  'count_approvals',
  { open: whole(), recent: whole() },
  (scope: Scope, since: Instant, now: Instant) => [scope.accountId, at(since), at(now)],
  `
  select (select count(*)::int from approvals
           where account_id = $1 and state = 'open' and expires_at > $3) as open,
         (select count(*)::int from approvals where account_id = $1 and asked_at > $2) as recent`,
)

/** The open approval of the same change, asked for by the same user. Index: approvals_open. */
export const sameOpenApproval = scoped(
  'same_open_approval',
  columns,
  (scope: Scope, askedBy: UserId, kind: string, objectId: string, change: string, now: Instant) => [
    scope.accountId,
    askedBy,
    kind,
    objectId,
    change,
    at(now),
  ],
  `
  select ${fields}
    from approvals
   where account_id = $1 and state = 'open' and expires_at > $6 and asked_by = $2 and kind = $3 and object_id = $4
     and change::text = $5
   order by id desc
   limit 1`,
)

export type NewApproval = Omit<Approval, 'state' | 'decidedName' | 'decidedAt'> & {
  /** The change itself, as JSON. */
  readonly change: string
}

export const insertApproval = statement(
  'insert_approval',
  noColumns,
  (approval: NewApproval) => [
    approval.accountId,
    approval.id,
    approval.kind,
    approval.objectId,
    approval.objectName,
    approval.reasons,
    approval.change,
    approval.before === null ? null : JSON.stringify(approval.before),
    JSON.stringify(approval.after),
    approval.askedBy,
    approval.askedName,
    at(approval.askedAt),
    at(approval.expiresAt),
  ],
  `
  insert into approvals (account_id, id, kind, object_id, object_name, reasons, change, before, after, asked_by, asked_name,
                         asked_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)

/** Ends an open approval, which the caller has locked. Index: primary key. */
export const endApproval = scoped(
  'end_approval',
  { id: uuid<ApprovalId>() },
  (scope: Scope, id: ApprovalId, state: StoredState, by: string, now: Instant) => [
    scope.accountId,
    id,
    state,
    by,
    at(now),
  ],
  `
  update approvals set state = $3, decided_name = $4, decided_at = $5
   where account_id = $1 and id = $2 and state = 'open'
  returning id`,
)

/** Ends what a user has asked for in an account. The caller has locked the account. Index: approvals_open. */
export const endApprovalsBy = scoped(
  'end_approvals_by',
  { id: uuid<ApprovalId>() },
  (scope: Scope, userId: UserId, now: Instant) => [scope.accountId, userId, at(now)],
  `
  update approvals set state = 'stale', decided_at = $3
   where account_id = $1 and asked_by = $2 and state = 'open'
  returning id`,
)

/** Deletes old approvals, whatever became of them. Index: approvals_old. */
export const pruneApprovals = statement(
  'prune_approvals',
  { id: uuid<ApprovalId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from approvals
   where (account_id, id) in (
           select account_id, id from approvals where asked_at < $1 order by asked_at limit $2 for update skip locked)
  returning id`,
)
