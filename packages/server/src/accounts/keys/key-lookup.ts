/**
 * The state of an API key for every request, without a query each time (core/fresh-cache.ts): a rotated or revoked key
 * is known on every node within a second and a half.
 */
import { type FreshCache, freshCache } from '../../core/fresh-cache.ts'
import type { ClientId, WalletId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { ApiKey } from './api-key.ts'
import { findKey } from './api-key-sql.ts'
import { allowsAddress } from './key-limits.ts'

export type KeyLookup = Pick<FreshCache<ClientId, ApiKey>, 'get' | 'forget'>

export const loadKey = async (db: Db, id: string): Promise<ApiKey | undefined> => {
  const [row] = await findKey(db, id)
  if (row === undefined) return undefined
  const { wallets } = row
  return {
    clientId: row.client_id,
    scope: {
      accountId: row.account_id,
      wallets: wallets === null ? null : (JSON.parse(wallets) as WalletId[]),
      today: null,
    },
    isTest: row.is_test,
    readOnly: row.read_only,
    allowsAddress: allowsAddress(row.addresses === null ? null : (JSON.parse(row.addresses) as string[])),
    name: row.name,
    accountActive: row.account_active,
    monthlyIntentQuota: row.monthly_intent_quota,
    secretHash: row.secret_hash,
    generation: row.generation,
    previousSecretHash: row.previous_secret_hash,
    previousUntil: row.previous_until,
    revokedAt: row.revoked_at,
  }
}

export const keyLookup = (db: Db): KeyLookup => freshCache({ load: (id) => loadKey(db, id), max: 10_000 })
