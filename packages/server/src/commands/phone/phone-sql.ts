import type { AccountId, AlertId, IntentId, PhoneId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'

/** The account of a wallet, for the operator, who may act for every account. Index: primary key. */
export const accountOfWallet = statement(
  'account_of_wallet',
  { account_id: uuid<AccountId>() },
  (id: string) => [id],
  `select account_id from wallets where id = $1`,
)

/** Index: primary key. */
export const shownBalance = statement(
  'shown_balance',
  { balance: minor() },
  (walletId: WalletId) => [walletId],
  `select balance from wallet_balances where wallet_id = $1`,
)

/** Index: alerts_of_device. */
export const newestAlertOfPhone = statement(
  'newest_alert_of_phone',
  { id: uuid<AlertId>() },
  (phoneId: PhoneId) => [phoneId],
  `select id from alerts where device_id = $1 order by id desc limit 1`,
)

/** Alerts of a phone after a given one that have one of these texts, and hidden ones, whose text is sealed; with their outcome,
 *  at most 10,000. Index: alerts_of_device. */
export const alertsOfPhoneSince = scoped(
  'alerts_of_phone_since',
  {
    id: uuid<AlertId>(),
    state: text(),
    reason: text(),
    amount: nullable(minor()),
    currency: nullable(text()),
    reference: nullable(text()),
    intent_id: nullable(uuid<IntentId>()),
    intent_status: nullable(text()),
  },
  (scope: Scope, phoneId: PhoneId, after: string, texts: readonly string[]) => [scope.accountId, phoneId, after, texts],
  `
  select a.id, a.state, a.reason, a.amount, a.currency, a.reference, a.intent_id, i.status as intent_status
    from alerts a
    left join intents i on i.account_id = a.account_id and i.id = a.intent_id
   where a.account_id = $1 and a.device_id = $2 and a.id > $3
     and (a.raw_text = any($4::text[]) or a.hidden <> '')
   order by a.id
   limit 10000`,
)
