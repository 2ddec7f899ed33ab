/** Reads and changes for how long an account keeps what is not needed for ever. The callers open the transactions. */
import { retentionKinds } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { isRetention, type RetentionKind } from './retention.ts'
import { hurryRetention, retentionOfAccount, saveRetention } from './retention-sql.ts'

/** Days that the account has set; null: as the service says. */
export type OwnRetention = Readonly<Record<RetentionKind, number | null>>

const nothingSet: OwnRetention = { texts: null, no_money: null, payers: null, api_calls: null, audit: null }

export const readOwnRetention = async (db: Session, { accountId }: Scope): Promise<OwnRetention> =>
  (await retentionOfAccount(db, wholeAccount(accountId)))[0] ?? nothingSet

/** Logs nothing if nothing changed. */
export const changeRetention = async (
  tx: Tx,
  audit: WriteAudit,
  scope: Scope,
  changes: Partial<OwnRetention>,
  now: Instant,
): Promise<OwnRetention | Refusal<'retention_bounds'>> => {
  const wrong = retentionKinds.find((kind) => {
    const days = changes[kind]
    return days !== undefined && days !== null && !isRetention(kind, days)
  })
  if (wrong !== undefined) return refuse('retention_bounds', { kind: wrong })
  await lockAccount(tx, scope)
  const before = await readOwnRetention(tx, scope)
  const after = { ...before, ...changes }
  if (JSON.stringify(before) === JSON.stringify(after)) return before
  await saveRetention(tx, scope, after)
  await hurryRetention(tx, scope, now)
  audit({ action: 'account.retention', kind: 'account', id: scope.accountId, before, after })
  return after
}
