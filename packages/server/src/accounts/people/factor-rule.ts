/**
 * Who must have a second factor (docs/decisions/0091): every member of an account whose owner requires it, after a grace of days; and in
 * production every operator. The rule is judged for the account that a call acts for. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'

/** How the account's rule concerns one member. `since` null: there is no rule. */
export type MemberFactorRule = {
  readonly since: Instant | null
  readonly graceDays: number
  readonly joinedAt: Instant
}

/** From this instant on the member needs a second factor. Null: never. */
export const factorDeadline = ({ since, graceDays, joinedAt }: MemberFactorRule): Instant | null =>
  since === null ? null : Math.max(since, joinedAt) + graceDays * day_ms

/** What is known of a user without another query. */
export type FactorUser = {
  readonly operator: boolean
  /** An app for codes or a passkey is set up. */
  readonly hasFactor: boolean
  /** Null: the user acts for no account. */
  readonly member: { readonly factorDeadline: Instant | null } | null
}

/** Why a call is refused: by the rule of the account, or because operators need a factor. */
export type FactorLack = 'account' | 'operator'

/**
 * Why this call is refused, or undefined. `access` is that of the operation; calls that set up a factor, sign out or leave are not asked
 * about. An operator who acts for no account has no other work than that of operators.
 */
export const factorLack = (
  user: FactorUser,
  access: string,
  operatorsNeedFactor: boolean,
  now: Instant,
): FactorLack | undefined => {
  if (user.hasFactor) return undefined
  const deadline = user.member?.factorDeadline ?? null
  if (deadline !== null && now >= deadline) return 'account'
  const actsAsOperator = access === 'operator' || user.member === null
  return operatorsNeedFactor && user.operator && actsAsOperator ? 'operator' : undefined
}

export const defaultGraceDays = 7

export type FactorRule = { readonly since: Instant | null; readonly graceDays: number }

/** Switching the rule off, or giving more days while it holds, takes protection away. */
export const isLooser = (before: FactorRule, after: FactorRule): boolean =>
  before.since !== null && (after.since === null || after.graceDays > before.graceDays)
