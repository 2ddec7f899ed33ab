/** Finds the counter of a cookie, with its cashier, and notes its use. */
import type { Instant } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { SignedInUser } from '../people/signed-in-user.ts'
import { walletsIn } from '../people/wallet-limit.ts'
import { counterIdleLife_ms, counterSeenEvery_ms, isIdle, type OpenCounter } from './counter.ts'
import { findCounter, markCashierSeen, markCounterSeen } from './counter-sql.ts'

/** Undefined: no counter, or one that is over. */
export const openCounterOf = async (
  db: Session,
  token: string,
  address: string,
  now: Instant,
): Promise<OpenCounter | undefined> => {
  // A token has 43 characters: a longer text is not worth hashing.
  if (token.length > 100) return undefined
  const [row] = await findCounter(db, fingerprint(token), now - counterIdleLife_ms)
  if (row === undefined) return undefined
  const scope = wholeAccount(row.account_id)
  if (now - row.last_seen_at >= counterSeenEvery_ms) await markCounterSeen(db, scope, row.id, address.slice(0, 64), now)
  const touchedAt = row.cashier_seen_at
  const isLocked = row.cashier_id === null || touchedAt === null || isIdle(touchedAt, row.idle_minutes, now)
  const cashier: SignedInUser | null = isLocked
    ? null
    : {
        userId: row.cashier_id!,
        email: row.cashier_email ?? '',
        name: row.cashier_name ?? '',
        operator: false,
        // A PIN has none, and the rule of the account does not ask for one at a counter.
        hasFactor: false,
        // A PIN is weaker than a password: it gives the rights of a cashier, also to a manager or an owner.
        member: {
          accountId: row.account_id,
          role: 'cashier',
          wallets: walletsIn(row.wallets),
          todayOnly: row.today_only,
          factorDeadline: null,
        },
        validFrom: row.valid_from ?? 0,
      }
  return {
    id: row.id,
    accountId: row.account_id,
    account: row.account,
    name: row.name,
    idle_minutes: row.idle_minutes,
    pausedUntil: row.paused_until,
    cashier,
    cashierTouchedAt: cashier === null ? null : touchedAt,
  }
}

/** The cashier touched the counter: it stays open. */
export const keepCashier = async (db: Session, counter: OpenCounter, now: Instant): Promise<void> => {
  const { cashier, cashierTouchedAt } = counter
  if (cashier === null || cashierTouchedAt === null || now - cashierTouchedAt < counterSeenEvery_ms / 2) return
  await markCashierSeen(db, wholeAccount(counter.accountId), counter.id, cashier.userId, now)
}
