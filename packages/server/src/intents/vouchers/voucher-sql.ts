import type { Instant } from '../../core/clock.ts'
import type { AccountId, IntentId, VoucherId } from '../../core/ids.ts'
import { hashParameter, type TokenHash } from '../../core/public-token.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'

const columns = {
  id: uuid<VoucherId>(),
  intent_id: uuid<IntentId>(),
  token_hash: text<TokenHash>(),
  shared_by: text(),
  shared_at: instant(),
  revoked_by: nullable(text()),
  revoked_at: nullable(instant()),
}

/** The addresses of an intent, the oldest first; an intent has at most `mostVouchers`. Index: vouchers_intent. */
export const vouchersOf = scoped(
  'vouchers_of',
  columns,
  (scope: Scope, intentId: string) => [scope.accountId, intentId],
  `
  select v.id, v.intent_id, encode(v.token_hash, 'hex') as token_hash, v.shared_by, v.shared_at, v.revoked_by, v.revoked_at
    from vouchers v
   where v.account_id = $1 and v.intent_id = $2
   order by v.id`,
)

/** Stores an address. The caller has locked the intent, so it has no other that works. Index: vouchers_live. */
export const insertVoucher = statement(
  'insert_voucher',
  { id: uuid<VoucherId>() },
  (row: {
    readonly accountId: AccountId
    readonly id: VoucherId
    readonly intentId: IntentId
    readonly tokenHash: TokenHash
    readonly by: string
    readonly at: Instant
  }) => [row.accountId, row.id, row.intentId, hashParameter(row.tokenHash), row.by.slice(0, 300), at(row.at)],
  `
  insert into vouchers (account_id, id, intent_id, token_hash, shared_by, shared_at)
  values ($1, $2, $3, $4::bytea, $5, $6)
  returning id`,
)

/** Revokes the address of an intent that works; no row: there is none. Of two at once the first wins. Index: vouchers_live. */
export const revokeLiveVoucher = scoped(
  'revoke_live_voucher',
  { id: uuid<VoucherId>() },
  (scope: Scope, intentId: string, by: string, now: Instant) => [scope.accountId, intentId, by.slice(0, 300), at(now)],
  `
  update vouchers set revoked_by = $3, revoked_at = $4
   where account_id = $1 and intent_id = $2 and revoked_at is null
  returning id`,
)
