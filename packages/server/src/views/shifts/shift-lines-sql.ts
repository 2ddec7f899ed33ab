import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId, IntentId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, type RowOf, scoped } from '../../postgres/query/statement.ts'

const lineColumns = {
  id: uuid<AlertId>(),
  received_at: instant(),
  taken_at: nullable(instant()),
  wallet_name: text(),
  state: text<AlertState>(),
  reason: text<Reason>(),
  sale: bool(),
  reserved: bool(),
  amount: minor(),
  currency: text(),
  payer: nullable(text()),
  reference: nullable(text()),
  intent_id: nullable(uuid<IntentId>()),
  code: nullable(text()),
  external_order_id: text(),
  forgiven: minor(),
  handed_by: nullable(text()),
  handed_at: nullable(instant()),
}
export type ShiftLine = RowOf<typeof lineColumns>

const line = `
         a.id, a.received_at, t.at as taken_at, w.name as wallet_name, a.state, a.reason, a.taken_from is not null as sale,
         a.state = 'booked' and a.intent_id is null as reserved, a.amount, a.currency, a.payer, a.reference, a.intent_id, i.code,
         coalesce(i.external_order_id, c.external_order_id, '') as external_order_id,
         coalesce(case when i.status = 'VERIFIED' then i.forgiven end, 0)::bigint as forgiven,
         coalesce(h.by, c.by) as handed_by, coalesce(h.at, c.taken_at) as handed_at`
/** What belongs to a credit, each found by its primary key (`onlyRow`): no plan joins whole tables. */
const joined = `
    join wallets w on w.account_id = $1 and w.id = a.wallet_id and not w.is_test
    left join lateral (
         select i.code, i.external_order_id, i.status, i.forgiven from intents i
          where ${onlyRow('i.account_id = $1', 'i.id', 'a.intent_id')}) as i on true
    left join lateral (
         select h.intent_id, h.by, h.at from handovers h
          where ${onlyRow('h.account_id = $1', 'h.intent_id', 'a.intent_id')}) as h on true
    left join lateral (
         select c.external_order_id, c.by, c.taken_at from counter_sales c
          where ${onlyRow('c.account_id = $1', 'c.alert_id', 'a.id')}) as c on true`
const alertOf = (id: string): string => `
   cross join lateral (
         select * from alerts a
          where ${onlyRow('a.account_id = $1', 'a.id', id)}) as a`
const takingOf = (alert: string): string => `
         select t.at from takings t
          where ${onlyRow('t.account_id = $1', 't.alert_id', `${alert}.id`)}`

/** What a member took between two instants, the oldest first, after a line. Indexes: takings_of_member, then primary keys. */
export const takenLines = scoped(
  'taken_lines',
  lineColumns,
  (
    scope: Scope,
    userId: UserId,
    time: { readonly from: Instant; readonly until: Instant },
    after: { readonly at: Instant; readonly id: string },
    limit: number,
  ) => [scope.accountId, userId, at(time.from), at(time.until), at(after.at), after.id, limit],
  (only) => `
  select ${line}
    from (select t.alert_id, t.at from takings t
           where t.account_id = $1 and t.user_id = $2 and t.at >= $3 and t.at < $4 and (t.at, t.alert_id) > ($5, $6)
           order by t.at, t.alert_id
          offset 0) as t${alertOf('t.alert_id')}${joined}
   where a.direction || '' = 'credit' and a.state in ('matched', 'booked') ${only('a.wallet_id')} ${only.everyDay()}
   order by t.at, t.alert_id
   limit $7`,
)

/**
 * Paid intents that nobody has handed over: what the member booked in the time, and what arrived in it and no member took. The oldest
 * first. Indexes: takings_of_member, alerts_credits, primary keys.
 */
export const notHandedOver = scoped(
  'not_handed_over',
  lineColumns,
  (
    scope: Scope,
    userId: UserId,
    time: { readonly from: Instant; readonly until: Instant; readonly first: string; readonly last: string },
    limit: number,
  ) => [scope.accountId, userId, at(time.from), at(time.until), time.first, time.last, limit],
  (only) => `
  with found as (
    (select t.alert_id as id, t.at
       from takings t
      where t.account_id = $1 and t.user_id = $2 and t.at >= $3 and t.at < $4
      order by t.at
     offset 0)
     union all
    select a.id, null
      from (select a.id from alerts a
             where a.account_id = $1 and a.id >= $5 and a.id < $6 and a.direction || '' = 'credit' and a.state <> 'duplicate'
            offset 0) as a
      left join lateral (${takingOf('a')}) as t on true
     where t.at is null)
  select ${line}
    from found t${alertOf('t.id')}${joined}
   where a.state in ('matched', 'booked') and a.intent_id is not null and h.intent_id is null
     and a.amount is not null and a.currency is not null ${only('a.wallet_id')} ${only.everyDay()}
   order by a.id
   limit $7`,
)
