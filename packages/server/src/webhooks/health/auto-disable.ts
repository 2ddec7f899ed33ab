/**
 * When an endpoint that only fails is disabled: five days without a success and twenty failures, and never without a warning a
 * day before. Pure: the caller sends the notice and disables the endpoint. Events are stored for a disabled endpoint too.
 */
import type { Instant } from '../../core/clock.ts'
import type { WebhookSettings } from '../settings.ts'

export type DisableRules = Pick<
  WebhookSettings,
  'disable_after_s' | 'disable_failures' | 'warn_after_s' | 'warn_failures' | 'warn_ahead_s'
>

/** Stored in the endpoint's row. Redeliveries by hand and test sends do not change it. */
export type Failing = {
  /** The time of the first failure since the last success. An endpoint without deliveries for a week has not failed for a
   *  week. */
  readonly failingSince: Instant | null
  readonly failures: number
  readonly warnedAt: Instant | null
}

export const notFailing: Failing = { failingSince: null, failures: 0, warnedAt: null }

export const afterOutcome = (failing: Failing, ok: boolean, now: Instant): Failing =>
  ok ? notFailing : { ...failing, failingSince: failing.failingSince ?? now, failures: failing.failures + 1 }

export type DisableDecision =
  | { readonly kind: 'fine' }
  /** The owners must be warned, once. `disablesAt`: the earliest time at which it is disabled, if nothing succeeds until then. */
  | { readonly kind: 'warn'; readonly disablesAt: Instant }
  | { readonly kind: 'warned'; readonly disablesAt: Instant }
  | { readonly kind: 'disable' }

export const disableDecision = (
  { failingSince, failures, warnedAt }: Failing,
  now: Instant,
  rules: DisableRules,
): DisableDecision => {
  if (failingSince === null || failures < rules.warn_failures || now < failingSince + rules.warn_after_s * 1000)
    return { kind: 'fine' }
  const disablesAt = Math.max(
    failingSince + rules.disable_after_s * 1000,
    (warnedAt ?? now) + rules.warn_ahead_s * 1000,
  )
  if (warnedAt === null) return { kind: 'warn', disablesAt }
  return failures >= rules.disable_failures && now >= disablesAt ? { kind: 'disable' } : { kind: 'warned', disablesAt }
}
