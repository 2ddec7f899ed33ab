import type { AuditVia } from '@sanad/contract/kinds'
import type { AccountId, AuditId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instant, jsonText, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'
import type { ObjectKind } from '../people/visible-kinds.ts'

export const entryColumns = {
  id: uuid<AuditId>(),
  at: instant(),
  user_id: nullable(uuid<UserId>()),
  actor: text(),
  via: text<AuditVia>(),
  action: text(),
  kind: text<ObjectKind>(),
  object_id: text(),
  before: nullable(jsonText()),
  after: nullable(jsonText()),
  address: text(),
  agent: text(),
}

const entry =
  'a.id, a.at, a.user_id, a.actor, a.via, a.action, a.kind, a.object_id, a.before, a.after, a.address, a.agent'

/** Which entries to read: those of `kinds`, with an id from `first` on and below `below`; the newest `limit` of them. */
export type LogPart = {
  readonly kinds: readonly ObjectKind[]
  readonly first: string
  readonly below: string
  readonly limit: number
}

const partOf = (accountId: AccountId, { kinds, first, below, limit }: LogPart) => [
  accountId,
  kinds,
  first,
  below,
  limit,
]

/** Takes the newest of each kind, then the newest of these: it reads at most one page of rows per kind. Index: audit_of_kind. */
export const auditOfAccount = scoped(
  'audit_of_account',
  entryColumns,
  (scope: Scope, part: LogPart) => partOf(scope.accountId, part),
  `
  select e.* from unnest($2::text[]) as k (kind)
   cross join lateral (
         select ${entry} from audit_log a
          where a.account_id = $1 and a.kind = k.kind and a.id >= $3 and a.id < $4
          order by a.id desc limit $5) as e
   order by e.id desc
   limit $5`,
)

/** Index: audit_of_object. */
export const auditOfObject = scoped(
  'audit_of_object',
  entryColumns,
  (scope: Scope, part: LogPart, object: string, user: string | null, action: string | null) => [
    ...partOf(scope.accountId, part),
    object,
    user,
    action,
  ],
  `
  select e.* from unnest($2::text[]) as k (kind)
   cross join lateral (
         select ${entry} from audit_log a
          where a.account_id = $1 and a.kind = k.kind and a.object_id = $6 and a.id >= $3 and a.id < $4
            and ($7::uuid is null or a.user_id = $7) and ($8::text is null or a.action = $8)
          order by a.id desc limit $5) as e
   order by e.id desc
   limit $5`,
)

/** Index: audit_of_user. */
export const auditOfUser = scoped(
  'audit_of_user',
  entryColumns,
  (scope: Scope, part: LogPart, user: string, action: string | null) => [
    ...partOf(scope.accountId, part),
    user,
    action,
  ],
  `
  select ${entry} from audit_log a
   where a.account_id = $1 and a.user_id = $6 and a.kind = any ($2::text[]) and a.id >= $3 and a.id < $4
     and ($7::text is null or a.action = $7)
   order by a.id desc
   limit $5`,
)

/** Index: audit_of_action. */
export const auditOfAction = scoped(
  'audit_of_action',
  entryColumns,
  (scope: Scope, part: LogPart, action: string) => [...partOf(scope.accountId, part), action],
  `
  select ${entry} from audit_log a
   where a.account_id = $1 and a.action = $6 and a.kind = any ($2::text[]) and a.id >= $3 and a.id < $4
   order by a.id desc
   limit $5`,
)

/** Changes by operators that belong to no single account; there are few. Index: audit_of_account. */
export const auditOfNoAccount = statement(
  'audit_of_no_account',
  entryColumns,
  ({ kinds, first, below, limit }: LogPart, object: string | null, user: string | null, action: string | null) => [
    kinds,
    first,
    below,
    limit,
    object,
    user,
    action,
  ],
  `
  select ${entry} from audit_log a
   where a.account_id is null and a.id >= $2 and a.id < $3 and a.kind = any ($1::text[])
     and ($5::text is null or a.object_id = $5) and ($6::uuid is null or a.user_id = $6)
     and ($7::text is null or a.action = $7)
   order by a.id desc
   limit $4`,
)
