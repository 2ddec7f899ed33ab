import type { Instant } from '../../core/clock.ts'
import type { IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bytes, text, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { fieldMark, fold, type Intent } from '../intent.ts'
import { changesIntents, eachRow } from '../intent-changes.ts'
import { holdsAmount, restParams } from '../payable/amounts-sql.ts'

export type NewIntent = {
  readonly intent: Intent
  /** The wallet when the answer was built. If it changed since, no row is inserted. */
  readonly wallet: Wallet
  readonly createdBy: string
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer; readonly answer: string } | undefined
}

const newIntentParams = (intents: readonly NewIntent[], now: Instant, keysSince: Instant): unknown[] => [
  intents.map((row) => row.intent.accountId),
  intents.map((row) => row.intent.id),
  intents.map((row) => row.intent.walletId),
  intents.map((row) => row.wallet.version),
  intents.map((row) => row.wallet.provider.version),
  intents.map((row) => row.intent.code),
  intents.map((row) => String(row.intent.base)),
  intents.map((row) => String(row.intent.payable)),
  intents.map((row) => row.intent.currency),
  intents.map((row) => row.intent.externalOrderId),
  intents.map((row) => row.intent.notes),
  intents.map((row) => row.intent.items),
  intents.map((row) => row.createdBy),
  intents.map((row) => at(row.intent.createdAt)),
  intents.map((row) => at(row.intent.expiresAt)),
  intents.map((row) => `${fold(row.intent.code)}${fieldMark}${fold(row.intent.externalOrderId)}`),
  intents.map((row) => row.idempotency?.key ?? null),
  intents.map((row) => row.idempotency?.fingerprint ?? null),
  intents.map((row) => row.idempotency?.answer ?? null),
  at(now),
  at(keysSince),
]

/** The rows that may be inserted (`allowed`) and their idempotency keys (`keyed`). */
const allowedIntents = `
  with input as (
    select *
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::bigint[], $8::bigint[],
                  $9::text[], $10::text[], $11::text[], $12::json[], $13::text[], $14::timestamptz[], $15::timestamptz[],
                  $16::text[], $17::text[], $18::bytea[], $19::text[])
        as a (account_id, id, wallet_id, wallet_version, provider_version, code, base, payable, currency,
              external_order_id, notes, items, created_by, created_at, expires_at, search_order, key, fingerprint,
              answer)),
  allowed as (
    select a.*, w.identity
      from input a
     -- Lateral joins: each row is found by its key, even if the planner expects few rows in the next table.
     cross join lateral (
           select * from wallets w where ${onlyRow('w.account_id = a.account_id', 'w.id', 'a.wallet_id')}) as w
     cross join lateral (select * from providers p where p.id = w.provider_id order by p.id limit 1) as p
      left join devices d on d.id = w.device_id and d.account_id = w.account_id
     where w.active and w.version = a.wallet_version and p.version = a.provider_version
       and (w.is_test
            or (d.switched_on
                -- Further phones are read only if the first one is off.
                or exists (select from wallet_phones f
                             join devices o on o.account_id = f.account_id and o.id = f.device_id
                            where f.wallet_id = w.id and f.account_id = w.account_id and o.switched_on))
               and w.sender_name <> ''
               -- The || keeps the planner from the index of active templates: the index of the provider is faster.
               and exists (select from alert_templates t
                            where t.provider_id = w.provider_id and t.status || '' = 'active'
                              and (t.account_id is null or t.account_id = w.account_id)))),
  keyed as (
    insert into idempotency_keys as k (account_id, key, fingerprint, intent_id, answer, created_at)
    select account_id, key, fingerprint, id, answer, $20::timestamptz
      from allowed where key is not null
     order by account_id, key
    on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, intent_id = excluded.intent_id, answer = excluded.answer,
           created_at = excluded.created_at
     where k.created_at <= $21::timestamptz
    returning intent_id)`

/** Inserts the rows of `allowed`, except those whose idempotency key is taken. */
const insertAllowed = `
  insert into intents (account_id, id, wallet_id, identity, code, base, payable, currency, external_order_id, notes, items,
                       created_by, created_at, expires_at, search_order)
  select account_id, id, wallet_id, identity, code, base, payable, currency, external_order_id, notes, items, created_by,
         created_at, expires_at, search_order
    from allowed
   where key is null or id in (select intent_id from keyed)`

/**
 * Creates the intents of a batch, each with its idempotency key, and returns those that were created. An intent is not
 * created if the wallet has changed (unknown, switched off, renamed) or the key is taken; the caller finds out which.
 *
 * If two requests use one key at once, the second waits on the unique index until the first has ended, and creates nothing.
 * Keys are inserted in order, so that two batches cannot deadlock. A key older than $21 is free again. Index: primary
 * keys, alert_templates_of_provider.
 */
export const insertIntents = changesIntents(
  statement(
    'insert_intents',
    { id: uuid<IntentId>() },
    newIntentParams,
    `${allowedIntents}${insertAllowed}
  returning id`,
  ),
  eachRow('created'),
)

/**
 * The same for wallets with unique amounts: an intent whose amount differs from the order's own also reserves that amount,
 * in the same statement. It fails with SN001 if another intent holds one of the amounts. The caller has chosen them under
 * the locks of the wallets (choose-amounts.ts). Index: primary keys.
 */
export const insertUniqueIntents = changesIntents(
  statement(
    'insert_unique_intents',
    { id: uuid<IntentId>() },
    (intents: readonly NewIntent[], now: Instant, keysSince: Instant) => [
      ...newIntentParams(intents, now, keysSince),
      ...restParams(now),
    ],
    `${allowedIntents},
  made as (${insertAllowed}
    returning account_id, id, identity, base, payable),
  reserved as (
    insert into unique_amounts as u (identity, payable, account_id, intent_id)
    select identity, payable, account_id, id from made where payable <> base order by identity, payable
    on conflict (identity, payable) do update
       set account_id = excluded.account_id, intent_id = excluded.intent_id
     where not exists (select from intents i
                        where i.account_id = u.account_id and i.id = u.intent_id and ${holdsAmount('$22', '$23')})
    returning intent_id)
  select made.id
    from made,
         (select all_amounts_given((select count(*) from reserved), (select count(*) from made where payable <> base)) as ok) as checked
   where checked.ok`,
  ),
  eachRow('created'),
)

/** The stored answer of a key, if the key was used after `since`. Index: primary key. */
export const findAnswer = scoped(
  'find_answer',
  { fingerprint: bytes(), intent_id: uuid<IntentId>(), answer: text() },
  (scope: Scope, key: string, since: Instant) => [scope.accountId, key, at(since)],
  `
  select fingerprint, intent_id, answer
    from idempotency_keys
   -- The interval keeps the planner from the index of old keys.
   where account_id = $1 and key = $2 and created_at + interval '0' > $3`,
)

/** Deletes keys that are free again, a bounded number at a time. Index: idempotency_keys_old. */
export const pruneKeys = statement(
  'prune_keys',
  { intent_id: uuid<IntentId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from idempotency_keys
   where (account_id, key) in (
     select account_id, key from idempotency_keys
      where created_at <= $1 order by created_at limit $2
        for update skip locked)
  returning intent_id`,
)
