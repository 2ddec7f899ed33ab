import type { Instant } from '../../core/clock.ts'
import type { AccountId, ClientId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, bytes, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { KeyLimits } from './key-limits.ts'

/** The key with its limits, and with the status and the quota of its account. Index: primary keys. */
export const findKey = statement(
  'find_key',
  {
    client_id: text<ClientId>(),
    account_id: uuid<AccountId>(),
    name: text(),
    account_active: bool(),
    monthly_intent_quota: nullable(whole()),
    secret_hash: bytes(),
    generation: whole(),
    previous_secret_hash: nullable(bytes()),
    previous_until: nullable(instant()),
    revoked_at: nullable(instant()),
    is_test: bool(),
    read_only: bool(),
    addresses: nullable(jsonText()),
    wallets: nullable(jsonText()),
  },
  (clientId: string) => [clientId],
  `
  select k.client_id, k.account_id, k.name, a.status = 'ACTIVE' as account_active, a.monthly_intent_quota,
         k.secret_hash, k.generation, k.previous_secret_hash, k.previous_until, k.revoked_at, k.is_test, k.read_only,
         array_to_json(k.addresses) as addresses, array_to_json(k.wallets) as wallets
    from api_keys k
    join accounts a on a.id = k.account_id
   where k.client_id = $1`,
)

export const insertKey = statement(
  'insert_key',
  noColumns,
  (key: {
    clientId: ClientId
    accountId: AccountId
    name: string
    secretHash: Buffer
    limits: KeyLimits
    now: Instant
  }) => [
    key.clientId,
    key.accountId,
    key.name,
    key.secretHash,
    at(key.now),
    key.limits.isTest,
    key.limits.readOnly,
    key.limits.wallets,
    key.limits.addresses,
  ],
  `
  insert into api_keys (client_id, account_id, name, secret_hash, created_at, is_test, read_only, wallets, addresses)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** The newest secret becomes the previous one, valid until $4; the one before that is no longer valid. */
export const replaceSecret = scoped(
  'replace_secret',
  { generation: whole() },
  (scope: Scope, clientId: ClientId, secretHash: Buffer, previousUntil: Instant) => [
    scope.accountId,
    clientId,
    secretHash,
    at(previousUntil),
  ],
  `
  update api_keys
     set previous_secret_hash = secret_hash, previous_until = $4, secret_hash = $3, generation = generation + 1
   where account_id = $1 and client_id = $2 and revoked_at is null
  returning generation`,
)

export const revokeKeyRow = scoped(
  'revoke_key_row',
  { client_id: text<ClientId>() },
  (scope: Scope, clientId: ClientId, now: Instant) => [scope.accountId, clientId, at(now)],
  `
  update api_keys set revoked_at = coalesce(revoked_at, $3)
   where account_id = $1 and client_id = $2
  returning client_id`,
)
