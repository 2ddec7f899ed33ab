/**
 * Reads and changes the limits of an account's roles. An act reads them in its own transaction, so a changed limit holds for every
 * act that begins after the change. The callers open the transactions.
 */
import type { UserId } from '../../core/ids.ts'
import { formatMinor, type Minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { findMember } from '../people/member-sql.ts'
import { isHigher, type MemberRole } from '../people/permission.ts'
import { type GivenWallets, walletsIn } from '../people/wallet-limit.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import {
  type Allowance,
  allowanceOf,
  isLooser,
  type LimitedRole,
  limitedRoles,
  type RoleLimits,
  usualLimits,
} from './role-limits.ts'
import { limitsOfRoles, saveRoleLimits } from './role-limits-sql.ts'

export const readLimits = async (db: Session, { accountId }: Scope): Promise<RoleLimits> => {
  const rows = await limitsOfRoles(db, wholeAccount(accountId))
  const stored = rows.map((row): [LimitedRole, Allowance] => [
    row.role,
    {
      short: row.most_short,
      booked: row.most_booked,
      currency: row.currency,
      cancels: row.cancels,
      takesSales: row.takes_sales,
      seesOtherDays: row.sees_other_days,
    },
  ])
  return { ...usualLimits, ...Object.fromEntries(stored) }
}

/**
 * A user who is a member now: their role, their wallets and what they may do without asking. `actingAs`: a lower role in which they act, as everybody
 * does at a counter. Undefined: they may do nothing.
 */
export const memberAllowance = async (
  tx: Session,
  scope: Scope,
  userId: UserId,
  actingAs?: MemberRole,
): Promise<{ readonly role: MemberRole; readonly wallets: GivenWallets; readonly allowed: Allowance } | undefined> => {
  const [member] = await findMember(tx, wholeAccount(scope.accountId), userId)
  if (member === undefined || member.disabled || member.request_since !== null) return undefined
  const stored = member.role as MemberRole
  const role = actingAs !== undefined && isHigher(stored, actingAs) ? actingAs : stored
  const wallets = walletsIn(member.wallets)
  return { role, wallets, allowed: allowanceOf(await readLimits(tx, scope), role) }
}

export type LimitChanges = Readonly<Partial<Record<LimitedRole, Partial<Allowance>>>>

const amountText = (amount: Minor | null): string | null => (amount === null ? null : formatMinor(amount))

/** A role's limits as answers and the audit log show them. */
export const limitsText = ({ short, booked, currency, ...allowed }: Allowance) => ({
  short_amount: amountText(short),
  booked_amount: amountText(booked),
  currency,
  cancel: allowed.cancels,
  take_sales: allowed.takesSales,
  other_days: allowed.seesOtherDays,
})

/** `proved`: the person has proved that it is them. Only that loosens a limit. Logs nothing if nothing changed. */
export const changeLimits = async (
  tx: Tx,
  audit: WriteAudit,
  scope: Scope,
  changes: LimitChanges,
  proved: boolean,
): Promise<RoleLimits | Refusal<'confirmation_required'>> => {
  await lockAccount(tx, scope)
  const before = await readLimits(tx, scope)
  const after: RoleLimits = {
    manager: { ...before.manager, ...changes.manager },
    cashier: { ...before.cashier, ...changes.cashier },
  }
  if (!proved && limitedRoles.some((role) => isLooser(before[role], after[role])))
    return refuse('confirmation_required')
  for (const role of limitedRoles) {
    const texts = [limitsText(before[role]), limitsText(after[role])] as const
    if (JSON.stringify(texts[0]) === JSON.stringify(texts[1])) continue
    await saveRoleLimits(tx, scope, role, after[role])
    audit({
      action: 'account.limits',
      kind: 'account',
      id: scope.accountId,
      before: { role, ...texts[0] },
      after: { role, ...texts[1] },
    })
  }
  return after
}
