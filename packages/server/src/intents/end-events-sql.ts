import type { AccountId, IntentId, WalletId } from '../core/ids.ts'
import { bool, instant, minor, text, uuid } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'

/** The data of ended intents for their events. Index: primary keys. */
export const endedIntents = statement(
  'ended_intents',
  {
    account_id: uuid<AccountId>(),
    id: uuid<IntentId>(),
    wallet_id: uuid<WalletId>(),
    code: text(),
    external_order_id: text(),
    reference: text(),
    base: minor(),
    payable: minor(),
    currency: text(),
    manual: bool(),
    expires_at: instant(),
    is_test: bool(),
  },
  (ended: readonly { readonly account_id: AccountId; readonly id: IntentId }[]) => [
    ended.map((intent) => intent.account_id),
    ended.map((intent) => intent.id),
  ],
  `
  select i.account_id, i.id, i.wallet_id, i.code, i.external_order_id, i.reference, i.base, i.payable, i.currency, i.manual,
         i.expires_at, w.is_test
    from unnest($1::uuid[], $2::uuid[]) as e (account_id, id)
    join intents i on i.account_id = e.account_id and i.id = e.id
    join wallets w on w.account_id = i.account_id and w.id = i.wallet_id`,
)
