import type { IntentId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { arrivedSql } from '../../intents/arrival-sql.ts'
import { fieldMark, fold, type Intent } from '../../intents/intent.ts'
import { changesIntents, eachRow } from '../../intents/intent-changes.ts'
import { at, bool, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'

/** The reference key of an alert, read before that reference is locked. Index: primary key. */
export const referenceOf = scoped(
  'reference_of',
  { reference_key: nullable(text()) },
  (scope: Scope, id: string) => [scope.accountId, id],
  `select reference_key from alerts where account_id = $1 and id = $2`,
)

/** The identities of wallets, and whether they are for tests. Index: primary key. */
export const walletKinds = scoped(
  'wallet_kinds',
  { id: uuid<WalletId>(), identity: uuid<WalletIdentity>(), is_test: bool() },
  (scope: Scope, ids: readonly WalletId[]) => [scope.accountId, ids],
  `select id, identity, is_test from wallets where account_id = $1 and id = any($2::uuid[])`,
)

/**
 * What was asked for an order since an instant and is not paid, and what arrived for it: the largest amount of its unpaid intents,
 * and the sum over its paid ones. Every intent of the order counts, whatever wallets the caller sees. Index: intents_order.
 */
export const sumsOfOrder = scoped(
  'sums_of_order',
  { asked: minor(), arrived: minor() },
  (scope: Scope, externalOrderId: string, currency: string, firstId: string) => [
    scope.accountId,
    externalOrderId,
    currency,
    firstId,
  ],
  `
  select coalesce(max(least(i.base, i.payable)) filter (where i.status in ('PENDING', 'EXPIRED', 'WRONG_AMOUNT')), 0)::int8 as asked,
         coalesce(sum(${arrivedSql('i')}) filter (where i.status = 'VERIFIED'), 0)::int8 as arrived
    from intents i
   where i.account_id = $1 and i.external_order_id = $2 and i.external_order_id <> '' and i.id >= $4::uuid and i.currency = $3`,
)

/** Inserts the copy of an ended intent, for a booking. Its wallet may be switched off or closed. */
export const copyIntent = changesIntents(
  statement(
    'copy_intent',
    { id: uuid<IntentId>() },
    (intent: Intent, by: string) => [
      intent.accountId,
      intent.id,
      intent.walletId,
      intent.code,
      String(intent.base),
      String(intent.payable),
      intent.currency,
      intent.externalOrderId,
      intent.notes,
      intent.items,
      by,
      at(intent.createdAt),
      at(intent.expiresAt),
      `${fold(intent.code)}${fieldMark}${fold(intent.externalOrderId)}`,
    ],
    `
  insert into intents (account_id, id, wallet_id, identity, code, base, payable, currency, external_order_id, notes, items,
                       created_by, created_at, expires_at, search_order)
  select $1, $2, w.id, w.identity, $4, $5, $6, $7, $8, $9, $10::json, $11, $12, $13, $14
    from wallets w
   where w.account_id = $1 and w.id = $3
  returning id`,
  ),
  eachRow('created'),
)
