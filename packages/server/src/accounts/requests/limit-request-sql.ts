import type { LimitKind, RequestAct, RequestState } from '@sanad/contract/request-kinds'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, RequestId, UserId, WalletId } from '../../core/ids.ts'
import type { DayParameters, Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, minor, nullable, text, units, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped, statement } from '../../postgres/query/statement.ts'
import { type LimitRequest, requestState } from './limit-request.ts'

const columns = {
  account_id: uuid<AccountId>(),
  id: uuid<RequestId>(),
  act: text<RequestAct>(),
  wallet_id: nullable(uuid<WalletId>()),
  alert_id: nullable(uuid<AlertId>()),
  intent_id: nullable(uuid<IntentId>()),
  checkout_id: nullable(uuid<CheckoutId>()),
  amount: minor(),
  short: minor(),
  currency: text(),
  limits: jsonText(),
  needs_owner: bool(),
  asked_by: uuid<UserId>(),
  asked_name: text(),
  asked_at: instant(),
  expires_at: instant(),
  state: text<RequestState>(),
  decided_name: text(),
  decided_at: nullable(instant()),
  reason: text(),
  result_id: nullable(uuid<IntentId>()),
}

const fields = `account_id, id, act, wallet_id, alert_id, intent_id, checkout_id, amount, short, currency, to_json(limits) as limits,
         needs_owner, asked_by, asked_name, asked_at, expires_at, state, decided_name, decided_at, reason, result_id`

/** A request of today: asked or decided today, or still open. */
const ofToday = (day: DayParameters): string =>
  `(id >= ${day.first} or coalesce(decided_at >= ${day.since}, false) or (state = 'open' and expires_at > ${day.now}))`

export const requestOf = (row: RowOf<typeof columns>, now: Instant): LimitRequest => ({
  accountId: row.account_id,
  id: row.id,
  act: row.act,
  walletId: row.wallet_id,
  alertId: row.alert_id,
  intentId: row.intent_id,
  checkoutId: row.checkout_id,
  amount: row.amount,
  short: row.short,
  currency: row.currency,
  limits: JSON.parse(row.limits) as LimitKind[],
  needsOwner: row.needs_owner,
  askedBy: row.asked_by,
  askedName: row.asked_name,
  askedAt: row.asked_at,
  expiresAt: row.expires_at,
  state: requestState(row.state, row.expires_at, now),
  decidedName: row.decided_name,
  decidedAt: row.decided_at,
  reason: row.reason,
  resultId: row.result_id,
})

/** A page, the newest first, below a given one. $3: only those that wait. Index: primary key. */
export const listLimitRequests = scoped(
  'list_limit_requests',
  columns,
  (scope: Scope, below: string, open: boolean, now: Instant, limit: number) => [
    scope.accountId,
    below,
    open,
    at(now),
    limit,
  ],
  (only) => `
  select ${fields}
    from limit_requests
   where account_id = $1 and id < $2 and (not $3::boolean or (state = 'open' and expires_at > $4)) ${only('wallet_id')} ${only.today(ofToday)}
   order by id desc
   limit $5`,
)

/** The same of one member, whatever wallets they see now: they asked. Index: limit_requests_of_member. */
export const requestsOfMember = scoped(
  'requests_of_member',
  columns,
  (scope: Scope, userId: UserId, below: string, open: boolean, now: Instant, limit: number) => [
    scope.accountId,
    below,
    open,
    at(now),
    limit,
    userId,
  ],
  (only) => `
  select ${fields}
    from limit_requests
   where account_id = $1 and asked_by = $6 and id < $2 and (not $3::boolean or (state = 'open' and expires_at > $4))
         ${only.everyWallet()} ${only.today(ofToday)}
   order by id desc
   limit $5`,
)

/** Index: primary key. */
export const findLimitRequest = scoped(
  'find_limit_request',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${fields} from limit_requests where account_id = $1 and id = $2 ${only('wallet_id')} ${only.today(ofToday)}`,
)

/** The request and what was sent, locked until the transaction ends: of two members, the second sees what the first decided.
 *  Locked before the money and the order of its act. Index: primary key. */
export const lockLimitRequest = scoped(
  'lock_limit_request',
  { ...columns, change: jsonText() },
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${fields}, change from limit_requests where account_id = $1 and id = $2 ${only('wallet_id')} ${only.today(ofToday)} for update`,
)

/** The requests of an intent: those that name it, and the one that made it, also as a sale of the money $3. At most 50, the oldest
 *  first. Indexes: limit_requests_of_intent, limit_requests_of_result, limit_requests_of_alert. */
export const requestsOfIntent = scoped(
  'requests_of_intent',
  columns,
  (scope: Scope, intentId: string, alertId: string | null) => [scope.accountId, intentId, alertId],
  `
  select ${fields}
    from limit_requests
   where account_id = $1
     and (intent_id = $2 or result_id = $2 or (alert_id = $3 and act = 'take_sale' and state = 'confirmed'))
   order by id
   limit 50`,
)

/** What waits of a member, locked in the order of ids. The caller has locked the account. Index: limit_requests_of_member. */
export const lockRequestsOfMember = scoped(
  'lock_requests_of_member',
  { id: uuid<RequestId>(), wallet_id: nullable(uuid<WalletId>()) },
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `
  select id, wallet_id from limit_requests
   where account_id = $1 and asked_by = $2 and state = 'open'
   order by id
     for update`,
)

/** How many wait, in the account and of a member. The caller has locked the account. Indexes: limit_requests_open. */
export const countLimitRequests = scoped(
  'count_limit_requests',
  { open: whole(), own: whole() },
  (scope: Scope, userId: UserId, now: Instant) => [scope.accountId, userId, at(now)],
  `
  select count(*)::int as open, (count(*) filter (where asked_by = $2))::int as own
    from limit_requests
   where account_id = $1 and state = 'open' and expires_at > $3`,
)

/** The request of the same member for the same that waits. Index: limit_requests_of_member. */
export const sameOpenRequest = scoped(
  'same_open_request',
  columns,
  (scope: Scope, userId: UserId, change: string, now: Instant) => [scope.accountId, userId, change, at(now)],
  `
  select ${fields}
    from limit_requests
   where account_id = $1 and asked_by = $2 and state = 'open' and expires_at > $4 and change::text = $3
   order by id desc
   limit 1`,
)

export type NewLimitRequest = Omit<LimitRequest, 'state' | 'decidedName' | 'decidedAt' | 'reason' | 'resultId'> & {
  /** What the member sent, as JSON. */
  readonly change: string
}

export const insertLimitRequest = statement(
  'insert_limit_request',
  noColumns,
  (request: NewLimitRequest) => [
    request.accountId,
    request.id,
    request.act,
    request.walletId,
    request.alertId,
    request.intentId,
    request.checkoutId,
    units(request.amount),
    units(request.short),
    request.currency,
    request.limits,
    request.needsOwner,
    request.change,
    request.askedBy,
    request.askedName,
    at(request.askedAt),
    at(request.expiresAt),
  ],
  `
  insert into limit_requests (account_id, id, act, wallet_id, alert_id, intent_id, checkout_id, amount, short, currency, limits,
                              needs_owner, change, asked_by, asked_name, asked_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
)

export type RequestEnd = {
  readonly state: Exclude<RequestState, 'open'>
  readonly userId: UserId | null
  readonly by: string
  readonly reason: string
  readonly resultId: IntentId | null
}

/** Ends a request that waits. Of two that end it at once, one gets the row. Index: primary key. */
export const endLimitRequest = scoped(
  'end_limit_request',
  columns,
  (scope: Scope, id: RequestId, end: RequestEnd, now: Instant) => [
    scope.accountId,
    id,
    end.state,
    end.userId,
    end.by,
    at(now),
    end.reason,
    end.resultId,
  ],
  `
  update limit_requests
     set state = $3, decided_by = $4, decided_name = $5, decided_at = $6, reason = $7, result_id = $8
   where account_id = $1 and id = $2 and state = 'open'
  returning ${fields}`,
)

/** Deletes old requests, whatever became of them. Index: limit_requests_old. */
export const pruneLimitRequests = statement(
  'prune_limit_requests',
  { id: uuid<RequestId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from limit_requests
   where (account_id, id) in (
           select account_id, id from limit_requests where asked_at < $1 order by asked_at limit $2 for update skip locked)
  returning id`,
)
