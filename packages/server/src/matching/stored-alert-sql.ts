import type { AlertState, Reason } from '../alerts/alert.ts'
import type { AccountId, AlertId, DeviceId, WalletId } from '../ground/ids.ts'
import { bool, bytes, instant, minor, nullable, orNull, text, units, uuid, whole } from '../postgres/columns.ts'
import { allOf, statement } from '../postgres/statement.ts'
import type { NewAlert } from './matching-sql.ts'

export const storedColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<AlertId>(),
  device_id: uuid<DeviceId>(),
  client_id: text(),
  adapter: text(),
  trusted: bool(),
  kind: text<'sms' | 'notification'>(),
  sender: text(),
  package: text(),
  title: text(),
  raw_text: text(),
  sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  fingerprint: bytes(),
  wallet_id: nullable(uuid<WalletId>()),
  amount: nullable(minor()),
  reference: nullable(text()),
  reference_key: nullable(text()),
  currency: nullable(text()),
  balance: nullable(minor()),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  state: text<AlertState>(),
  reason: text<Reason>(),
}

/** An alert of the account, held until the end. Index: primary key. */
export const holdAlert = statement(
  'hold_alert',
  storedColumns,
  (accountId: AccountId, id: string) => [accountId, id],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and id = $2
     for update`,
)

/** Alerts that nobody understood, of these senders, oldest first, beyond a given one. Index: alerts_unread. */
export const unreadAlerts = statement(
  'unread_alerts',
  storedColumns,
  (accountId: AccountId, senders: readonly string[], after: string, limit: number) => [
    accountId,
    senders,
    after,
    limit,
  ],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and sender = any($2::text[]) and state = 'unread' and id > $3
   order by id
   limit $4`,
)

/** Writes down what was read in alerts that were already there, every one, and what became of them. Index: primary key. */
export const rewriteAlerts = statement(
  'rewrite_alerts',
  { done: whole() },
  (made: readonly (NewAlert & { readonly was: AlertState })[]) => [
    made.map((one) => one.accountId),
    made.map((one) => one.id),
    made.map((one) => one.was),
    made.map((one) => one.normaliserVersion),
    made.map((one) => one.walletId),
    made.map((one) => one.templateId),
    made.map((one) => one.direction),
    made.map((one) => units(one.amount)),
    made.map((one) => one.currency),
    made.map((one) => one.reference),
    made.map((one) => one.referenceKey),
    made.map((one) => one.payer),
    made.map((one) => units(one.balance)),
    made.map((one) => one.chain),
    made.map((one) => units(one.chainMissing)),
    made.map((one) => orNull(one.chainSince)),
    made.map((one) => one.state),
    made.map((one) => one.reason),
    made.map((one) => one.duplicateOf),
    made.map((one) => one.intentId),
    made.map((one) => one.unmatchedOwed),
  ],
  `
  with rewritten as (
    update alerts a
       set normaliser_version = n.normaliser_version, wallet_id = n.wallet_id, template_id = n.template_id,
           direction = n.direction, amount = n.amount, currency = n.currency, reference = n.reference,
           reference_key = n.reference_key, payer = n.payer, balance = n.balance, chain = n.chain,
           chain_missing = n.chain_missing, chain_since = n.chain_since, state = n.state, reason = n.reason, duplicate_of = n.duplicate_of,
           intent_id = n.intent_id, unmatched_owed = n.unmatched_owed
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int2[], $5::uuid[], $6::uuid[], $7::text[], $8::bigint[],
                  $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::bigint[],
                  $16::timestamptz[], $17::text[], $18::text[], $19::uuid[], $20::uuid[], $21::bool[])
        as n (account_id, id, was, normaliser_version, wallet_id, template_id, direction, amount, currency, reference,
              reference_key, payer, balance, chain, chain_missing, chain_since, state, reason, duplicate_of, intent_id,
              unmatched_owed)
     where a.account_id = n.account_id and a.id = n.id and a.state = n.was
    returning a.id)
  ${allOf('rewritten', '$2::uuid[]', 'an alert changed while it was read again')}`,
)
