/**
 * The limits of roles, which an owner sets: how far a booking may fall short of its order, how much may be booked by hand in one
 * step, whether a cashier may cancel, take walk-in money and see other days. `overLimit` is the one rule: every path to such an act
 * asks it, and so does confirming a request for it. Pure.
 */
import { usualCurrency } from '@sanad/contract/currency'
import type { LimitKind } from '@sanad/contract/request-kinds'
import { formatMinor, type Minor, minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { MemberRole } from '../people/permission.ts'

export type { LimitKind }

/** What somebody may do without asking. */
export type Allowance = {
  /** How far a booking may fall short of its order; null: as far as they like. */
  readonly short: Minor | null
  /** How much they may book by hand in one step; null: any amount. */
  readonly booked: Minor | null
  /** The currency of both amounts. In another currency they allow nothing. */
  readonly currency: string
  readonly cancels: boolean
  readonly takesSales: boolean
  /** Whether they see other days than today. No request is made for this. */
  readonly seesOtherDays: boolean
}

/** Owners, API keys and the buyer's page have no limits. */
export const unlimited: Allowance = {
  short: null,
  booked: null,
  currency: usualCurrency,
  cancels: true,
  takesSales: true,
  seesOtherDays: true,
}

/** The roles that have limits. */
export const limitedRoles = ['manager', 'cashier'] as const satisfies readonly MemberRole[]
export type LimitedRole = (typeof limitedRoles)[number]

export type RoleLimits = Readonly<Record<LimitedRole, Allowance>>

export const usualLimits: RoleLimits = {
  manager: { ...unlimited, short: minor(0n) },
  cashier: { ...unlimited, short: minor(0n), cancels: false },
}

const nothing: Allowance = {
  short: minor(0n),
  booked: minor(0n),
  currency: usualCurrency,
  cancels: false,
  takesSales: false,
  seesOtherDays: true,
}

/** A viewer changes nothing at all, by the table of permissions. */
export const allowanceOf = (limits: RoleLimits, role: MemberRole): Allowance => {
  if (role === 'owner') return unlimited
  return role === 'viewer' ? nothing : limits[role]
}

/**
 * An act that may be over a limit. `short`: how far the order falls short when all of it is counted, not this step alone. A booking
 * after which the rest is asked for falls short of nothing.
 */
export type LimitedAct =
  | {
      readonly kind: 'booking' | 'sale'
      /** What arrived, in `currency`. */
      readonly amount: Minor
      readonly short: Minor
      readonly currency: string
    }
  | { readonly kind: 'cancel' }

const isWithin = (most: Minor | null, amount: Minor, sameCurrency: boolean): boolean =>
  most === null || amount <= (sameCurrency ? most : 0n)

/** The limits that an act is over. None: it may be done without asking. */
export const limitsOver = (allowed: Allowance, act: LimitedAct): LimitKind[] => {
  if (act.kind === 'cancel') return allowed.cancels ? [] : ['cancel']
  const sameCurrency = act.currency === allowed.currency
  const over: LimitKind[] = []
  if (!isWithin(allowed.short, act.short, sameCurrency)) over.push('short')
  if (!isWithin(allowed.booked, act.amount, sameCurrency)) over.push('booked')
  if (act.kind === 'sale' && !allowed.takesSales) over.push('take_sale')
  return over
}

/** The refusal of an act that is over a limit: which limits, and the amounts that it is about. */
export const overLimit = (allowed: Allowance, act: LimitedAct): Refusal<'over_limit'> | undefined => {
  const over = limitsOver(allowed, act)
  if (over.length === 0) return undefined
  if (act.kind === 'cancel') return refuse('over_limit', { limits: over.join(',') })
  const { amount, short, currency } = act
  return refuse('over_limit', {
    limits: over.join(','),
    amount: formatMinor(amount),
    short: formatMinor(short),
    currency,
    ...(over.includes('short') && allowed.short !== null ? { most_short: formatMinor(allowed.short) } : {}),
    ...(over.includes('booked') && allowed.booked !== null ? { most_booked: formatMinor(allowed.booked) } : {}),
  })
}

const isLooserAmount = (before: Minor | null, after: Minor | null): boolean =>
  before !== null && (after === null || after > before)

/** Whether a role may do more afterwards. Another currency counts as more: the amounts cannot be compared. */
export const isLooser = (before: Allowance, after: Allowance): boolean =>
  isLooserAmount(before.short, after.short) ||
  isLooserAmount(before.booked, after.booked) ||
  (before.currency !== after.currency && (before.short !== null || before.booked !== null)) ||
  (!before.cancels && after.cancels) ||
  (!before.takesSales && after.takesSales) ||
  (!before.seesOtherDays && after.seesOtherDays)
