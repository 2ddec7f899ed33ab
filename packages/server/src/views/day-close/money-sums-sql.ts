import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { ShiftId, UserId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { onlyRow, type RowOf, scoped } from '../../postgres/query/statement.ts'

const sumColumns = {
  wallet_id: uuid<WalletId>(),
  wallet_name: text(),
  currency: text(),
  state: text<AlertState>(),
  reason: text<Reason>(),
  sale: bool(),
  reserved: bool(),
  handed: bool(),
  /** Who took it (table takings); null: no member. */
  user_id: nullable(uuid<UserId>()),
  /** The shift that the member had then; null: none. */
  shift_id: nullable(uuid<ShiftId>()),
  /** It arrived before the time that is asked for. */
  earlier: bool(),
  count: whole(),
  amount: minor(),
  forgiven: minor(),
  excess: minor(),
}
export type SumRow = RowOf<typeof sumColumns>

/** Credits `a` of real wallets, with what each is grouped by. */
const credits = (earlier: string) => `
         a.wallet_id, w.name as wallet_name, a.currency, a.state, a.reason, a.taken_from is not null as sale,
         a.state = 'booked' and a.intent_id is null as reserved, h.intent_id is not null as handed,
         t.user_id, s.id as shift_id, ${earlier} as earlier,
         count(*)::int as count, sum(a.amount)::bigint as amount,
         coalesce(sum(i.forgiven) filter (where i.status = 'VERIFIED'), 0)::bigint as forgiven,
         coalesce(sum(i.excess) filter (where i.status = 'VERIFIED'), 0)::bigint as excess`
/** What belongs to a credit, each found by its primary key (`onlyRow`), and the shift by
 *  shifts_of_member: no plan joins whole tables. Shifts of a member do not overlap, so only the last that began can be the one. */
const joined = `
    join wallets w on w.account_id = $1 and w.id = a.wallet_id and not w.is_test
    left join lateral (
         select i.status, i.forgiven, i.excess from intents i
          where ${onlyRow('i.account_id = $1', 'i.id', 'a.intent_id')}) as i on true
    left join lateral (
         select h.intent_id from handovers h
          where ${onlyRow('h.account_id = $1', 'h.intent_id', 'a.intent_id')}) as h on true
    left join lateral (
         select s.id, coalesce(s.ended_at, s.latest_end) as until from shifts s
          where s.account_id = $1 and s.user_id = t.user_id and s.started_at <= t.at
          order by s.started_at desc
          limit 1) as s on t.at <= s.until`
const isMoney = `a.direction || '' = 'credit' and a.state <> 'duplicate' and a.amount is not null and a.currency is not null`

/**
 * The credits of real wallets between two ids, summed by wallet, outcome, the member who took them and that member's shift. Indexes:
 * alerts_credits, then primary keys and shifts_of_member.
 */
export const arrivedSums = scoped(
  'arrived_sums',
  sumColumns,
  (scope: Scope, first: string, before: string) => [scope.accountId, first, before],
  (only) => `
  select ${credits('false')}
    from (select * from alerts a
           where a.account_id = $1 and a.id >= $2 and a.id < $3 and ${isMoney} ${only('a.wallet_id')} ${only.everyDay()}
          offset 0) as a
    left join lateral (
         select t.user_id, t.at from takings t
          where ${onlyRow('t.account_id = $1', 't.alert_id', 'a.id')}) as t on true${joined}
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
)

/**
 * What a member took between two instants, summed as above; `earlier`: it arrived before the id. Indexes: takings_of_member, then
 * primary keys.
 */
export const takenSums = scoped(
  'taken_sums',
  sumColumns,
  (scope: Scope, userId: UserId, from: Instant, until: Instant, first: string) => [
    scope.accountId,
    userId,
    at(from),
    at(until),
    first,
  ],
  (only) => `
  select ${credits('a.id < $5')}
    from (select t.alert_id, t.user_id, t.at from takings t
           where t.account_id = $1 and t.user_id = $2 and t.at >= $3 and t.at < $4
           order by t.at
          offset 0) as t
   cross join lateral (
         select * from alerts a
          where ${onlyRow('a.account_id = $1', 'a.id', 't.alert_id')}) as a${joined}
   where ${isMoney} ${only('a.wallet_id')} ${only.everyDay()}
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
)
