import { shopColumns, shopFields } from '../../checkouts/page-shop-sql.ts'
import type { AccountId, IntentId } from '../../core/ids.ts'
import { hashParameter, type TokenHash } from '../../core/public-token.ts'
import { arrivalColumns, arrivalRow } from '../../intents/arrival-sql.ts'
import type { Status } from '../../intents/intent.ts'
import { bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * The intent of a public address, with its account as buyers see it; no row: the address is unknown or revoked. Of the alert only
 * what the page may show is read. Index: vouchers_token_hash_key, primary keys.
 */
export const findVoucherByToken = statement(
  'find_voucher_by_token',
  {
    account_id: uuid<AccountId>(),
    intent_id: uuid<IntentId>(),
    ...shopColumns,
    time_zone: text(),
    is_test: bool(),
    status: text<Status>(),
    payable: minor(),
    paid: nullable(minor()),
    ...arrivalColumns,
    currency: text(),
    external_order_id: text(),
    created_at: instant(),
    expires_at: instant(),
    verified_at: nullable(instant()),
    ended_at: nullable(instant()),
    received_at: nullable(instant()),
    payer: nullable(text()),
  },
  (tokenHash: TokenHash) => [hashParameter(tokenHash)],
  `
  select v.account_id, v.intent_id, ${shopFields}, a.time_zone, w.is_test,
         i.status, i.payable, i.paid, ${arrivalRow('i')}, i.currency, i.external_order_id, i.created_at, i.expires_at, i.verified_at,
         (select m.at from intent_moves m where m.account_id = i.account_id and m.intent_id = i.id and m.kind = 'cancelled'
           order by m.id desc limit 1) as ended_at,
         r.received_at, r.payer
    from vouchers v
    join accounts a on a.id = v.account_id
    join intents i on i.account_id = v.account_id and i.id = v.intent_id
    join wallets w on w.account_id = i.account_id and w.id = i.wallet_id
    left join checkout_pages p on p.account_id = v.account_id
    left join alerts r on r.account_id = i.account_id and r.id = i.alert_id
   where v.token_hash = $1::bytea and v.revoked_at is null`,
)
