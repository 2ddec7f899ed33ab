import type { PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * All reports of one payment: the alert that counts, and its duplicates. A part of a message is no report. Index: primary key,
 * alerts_duplicates.
 */
const reportsOf = (counting: string, account: string): string => `
           select c.id, c.device_id, c.kind, c.adapter, c.received_at
             from alerts c where c.account_id = ${account} and c.id = ${counting}
           union
           select x.id, x.device_id, x.kind, x.adapter, x.received_at
             from alerts x
            where x.account_id = ${account} and x.duplicate_of = ${counting} and x.reason <> 'message_part'`

/** A JSON list of the first reports, one for each phone and kind of message, earliest first; at most ten. */
export const sightingsJson = `
         (select coalesce(json_agg(json_build_array(
                   s.device_id, s.name, s.kind, s.adapter, floor(extract(epoch from s.received_at) * 1000))
                   order by s.received_at, s.id), '[]')
            from (select f.* from (
                    select distinct on (g.device_id, g.kind) g.id, g.device_id, p.name, g.kind, g.adapter, g.received_at
                      from (${reportsOf('coalesce(a.duplicate_of, a.id)', 'a.account_id')}) as g
                      join devices p on p.account_id = a.account_id and p.id = g.device_id
                     where a.hidden = ''
                     order by g.device_id, g.kind, g.received_at, g.id) as f
                   order by f.received_at, f.id
                   limit 10) as s)`

/**
 * Counts the messages of wallets that this phone watches together with other phones: all, those that it reported, and those
 * that it reported first. The alerts have ids from $3 to $4; at most 20 wallets, and the newest 2,000 alerts of each. Messages
 * from before the phone was added to the wallet, or connected, do not count. Index: wallets_of_device, wallet_phones_of_device,
 * alerts_of_wallet, alerts_duplicates.
 */
export const comparePhone = scoped(
  'compare_phone',
  { wallets: whole(), messages: whole(), reported: whole(), first: whole() },
  (scope: Scope, id: PhoneId, firstId: string, endId: string) => [scope.accountId, id, firstId, endId],
  `
  with bound as (
    select w.id as wallet_id, null::timestamptz as added_at from wallets w where w.account_id = $1 and w.device_id = $2
    union all
    select f.wallet_id, f.added_at from wallet_phones f where f.account_id = $1 and f.device_id = $2),
  shared as (
    select b.wallet_id, greatest(b.added_at, d.paired_at, d.created_at) as since
      from bound b
      join wallets w on w.account_id = $1 and w.id = b.wallet_id
      join devices d on d.account_id = $1 and d.id = $2
     where w.active and w.device_id is not null
       and exists (select from wallet_phones f where f.account_id = $1 and f.wallet_id = b.wallet_id)
     order by b.wallet_id
     limit 20),
  messages as (
    select m.id
      from shared s
     cross join lateral (
           select a.id from alerts a
            where a.account_id = $1 and a.wallet_id = s.wallet_id and a.id >= $3 and a.id < $4
              and a.state not in ('duplicate', 'hidden') and a.received_at >= s.since
            order by a.id desc limit 2000) as m),
  heard as (
    select m.id, min(g.received_at) filter (where g.device_id = $2) as own_at,
           min(g.received_at) filter (where g.device_id <> $2) as other_at
      from messages m
     cross join lateral (${reportsOf('m.id', '$1')}) as g
     group by m.id)
  select (select count(*)::int from shared) as wallets, count(*)::int as messages, count(own_at)::int as reported,
         (count(*) filter (where own_at <= coalesce(other_at, own_at)))::int as first
    from heard`,
)
