import type { AccountId, WalletId } from '../../core/ids.ts'
import { arrivedSql } from '../../intents/arrival-sql.ts'
import { jsonText, minor, text, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** Accounts, phones, intents and alerts of some wallet entries, for the operator. Index: primary keys, intents_wallet,
 *  alerts_of_wallet. */
export const twinFacts = statement(
  'twin_facts',
  {
    id: uuid<WalletId>(),
    account_id: uuid<AccountId>(),
    account: text(),
    provider: text(),
    phones: jsonText(),
    intents: whole(),
    verified: whole(),
    verified_sum: minor(),
    forgiven_sum: minor(),
    alerts: whole(),
    currency: text(),
  },
  (ids: readonly WalletId[]) => [ids],
  `
  select w.id, w.account_id, a.name as account, p.name as provider,
         (select coalesce(json_agg(d.name order by d.name), '[]')
            from devices d
           where d.account_id = w.account_id
             and (d.id = w.device_id or d.id in (select f.device_id from wallet_phones f where f.wallet_id = w.id))) as phones,
         i.intents, i.verified, i.verified_sum, i.forgiven_sum,
         (select count(*)::int from alerts m where m.account_id = w.account_id and m.wallet_id = w.id) as alerts, w.currency
    from wallets w
    join accounts a on a.id = w.account_id
    join providers p on p.id = w.provider_id
   cross join lateral (
         select count(*)::int as intents, (count(*) filter (where status = 'VERIFIED'))::int as verified,
                coalesce(sum(${arrivedSql('i')}) filter (where status = 'VERIFIED'), 0)::bigint as verified_sum,
                coalesce(sum(i.forgiven) filter (where status = 'VERIFIED'), 0)::bigint as forgiven_sum
           from intents i
          where i.account_id = w.account_id and i.wallet_id = w.id) as i
   where w.id = any($1::uuid[])
   order by w.created_at, w.id`,
)
