import type { Instant } from '../../core/clock.ts'
import type { AccountId, RequestId } from '../../core/ids.ts'
import { at, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/**
 * Requests that wait although nobody can confirm them any more: too old, or their money was spent, their order or checkout has ended,
 * or who asked is no
 * longer a member, is disabled, or no longer has the wallet. Read without locks: whoever ends one checks again that it waits. At most a hundred of an
 * account wait. Indexes: limit_requests_due, primary keys.
 */
export const endedRequests = statement(
  'ended_requests',
  { account_id: uuid<AccountId>(), id: uuid<RequestId>(), state: text<'expired' | 'over'>(), reason: text() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  select r.account_id, r.id, case when r.expires_at <= $1 then 'expired' else 'over' end as state,
         case when r.expires_at <= $1 then ''
              when m.user_id is null then 'asker'
              else 'changed' end as reason
    from limit_requests r
    left join alerts a on a.account_id = r.account_id and a.id = r.alert_id
    left join intents i on i.account_id = r.account_id and i.id = r.intent_id
    left join checkouts c on c.account_id = r.account_id and c.id = r.checkout_id
    left join members m on m.account_id = r.account_id and m.user_id = r.asked_by and m.request_since is null
     and m.role <> 'viewer'
     and exists (select from users u where u.id = m.user_id and u.disabled_at is null)
     and (not m.limited or exists (select from member_wallets g where g.account_id = r.account_id and g.user_id = r.asked_by
                                       and g.wallet_id = r.wallet_id))
   where r.state = 'open' and ${isNotFrozen('r.account_id')}
     and (r.expires_at <= $1
          or m.user_id is null
          or case r.act
               when 'book' then a.state not in ('waiting', 'review', 'wrong_amount')
                             or i.status <> 'PENDING' or i.expires_at <= $1
               when 'book_copy' then a.state not in ('waiting', 'review', 'wrong_amount')
                             or i.status not in ('PENDING', 'EXPIRED')
               when 'take_sale' then a.state not in ('waiting', 'review')
               when 'cancel_intent' then i.status <> 'PENDING' or i.expires_at <= $1
               when 'cancel_checkout' then c.status <> 'OPEN' or c.expires_at <= $1
               else a.state <> 'wrong_amount' or i.status <> 'WRONG_AMOUNT' end)
   order by r.expires_at
   limit $2`,
)
