/**
 * When an endpoint that only fails is disabled: five days without a success and twenty failures, and never without a
 * warning a day before. Pure; telling people and switching it off are the caller's. Events go on being recorded.
 */
import type { Instant } from '../ground/clock.ts'

/** What the endpoint's row keeps. Redeliveries by hand and test sends change nothing in it. */
export type Failing = {
  /** The first failure since the last success: an endpoint that had nothing to do for a week has not failed for one. */
  readonly failingSince: Instant | null
  readonly failures: number
  readonly warnedAt: Instant | null
}

export const notFailing: Failing = { failingSince: null, failures: 0, warnedAt: null }

const day = 86_400_000
const disableAfter_ms = 5 * day
const disableFailures = 20
const warnAfter_ms = 3 * day
const warnFailures = 10
const warnAhead_ms = 1 * day

export const afterOutcome = (failing: Failing, ok: boolean, now: Instant): Failing =>
  ok ? notFailing : { ...failing, failingSince: failing.failingSince ?? now, failures: failing.failures + 1 }

export type Standing =
  | { readonly kind: 'fine' }
  /** Say so once, and write down when: `disablesAt` is the earliest, if nothing succeeds until then. */
  | { readonly kind: 'warn'; readonly disablesAt: Instant }
  | { readonly kind: 'warned'; readonly disablesAt: Instant }
  | { readonly kind: 'disable' }

export const standingOf = ({ failingSince, failures, warnedAt }: Failing, now: Instant): Standing => {
  if (failingSince === null || failures < warnFailures || now < failingSince + warnAfter_ms) return { kind: 'fine' }
  const disablesAt = Math.max(failingSince + disableAfter_ms, (warnedAt ?? now) + warnAhead_ms)
  if (warnedAt === null) return { kind: 'warn', disablesAt }
  return failures >= disableFailures && now >= disablesAt ? { kind: 'disable' } : { kind: 'warned', disablesAt }
}
