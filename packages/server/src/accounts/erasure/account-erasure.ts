/**
 * An account is asked to be erased twice, within an hour, and then waits for days; until the wait is over it can be cancelled, and the
 * account goes on as before. The job is work/erase-accounts.ts. The callers open the transactions.
 */
import { createHash } from 'node:crypto'
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms } from '../../core/duration.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { askErasure, cancelErasure, confirmErasure, lockErasure } from './account-erasure-sql.ts'

export const usualWait_days = 7
export const leastWait_days = 1
export const longestWait_days = 90
const askedLife_ms = hour_ms

/** What the second command must repeat: it belongs to this account and this asking. */
export const erasureCode = (id: AccountId, askedAt: Instant): string =>
  createHash('sha256').update(`erase ${id} ${askedAt}`).digest('hex').slice(0, 8)

export const askToErase = async (
  tx: Tx,
  audit: WriteAudit,
  id: AccountId,
  now: Instant,
): Promise<{ readonly code: string } | Refusal<'erasure_begun'>> => {
  const [before] = await lockErasure(tx, id)
  if (before !== undefined && before.state !== 'asked') return refuse('erasure_begun')
  await askErasure(tx, id, now)
  audit({ action: 'account.ask_erase', kind: 'account', id, accountId: id })
  return { code: erasureCode(id, now) }
}

export const confirmToErase = async (
  tx: Tx,
  audit: WriteAudit,
  id: AccountId,
  code: string,
  wait_days: number,
  now: Instant,
): Promise<{ readonly dueAt: Instant } | Refusal<'erasure_begun' | 'erasure_code'>> => {
  const [before] = await lockErasure(tx, id)
  if (before !== undefined && before.state !== 'asked') return refuse('erasure_begun')
  if (before === undefined || now >= before.asked_at + askedLife_ms || code !== erasureCode(id, before.asked_at))
    return refuse('erasure_code')
  const dueAt = now + wait_days * day_ms
  await confirmErasure(tx, id, now, dueAt)
  audit({
    action: 'account.erase',
    kind: 'account',
    id,
    accountId: id,
    after: { due_at: new Date(dueAt).toISOString() },
  })
  return { dueAt }
}

export const keepAccount = async (
  tx: Tx,
  audit: WriteAudit,
  id: AccountId,
): Promise<{ readonly kept: true } | Refusal<'erasure_not_waiting'>> => {
  const cancelled = await cancelErasure(tx, id)
  if (cancelled.length === 0) return refuse('erasure_not_waiting')
  audit({ action: 'account.keep', kind: 'account', id, accountId: id })
  return { kept: true }
}
