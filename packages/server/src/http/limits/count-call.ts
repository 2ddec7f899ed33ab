/**
 * Counts a call against the limit of its bucket, or refuses it with the time to wait. Returns a promise only if the counts
 * are in Redis, not if they are in the memory of this node.
 */
import type { Instant } from '../../core/clock.ts'
import { type ProblemReason, throttled } from '../answers.ts'
import { ALLOWED, type Bucket, type Limits, type Rules, type Verdict } from './rule.ts'

/** `rules` null: there are no limits at all. */
export type LimitDeps = { readonly limits: Limits; readonly rules: Rules | null }

/** Returns the verdict, for a caller that handles a refusal itself. */
export const takeCall = (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): Verdict | Promise<Verdict> =>
  deps.rules === null ? ALLOWED : deps.limits.take(bucket, key, deps.rules[bucket], now)

/** The rule of a bucket, for the hint of a refusal. `per`: what the bucket counts by. */
export const limitReason = ({ rules }: LimitDeps, bucket: Bucket, per: 'key' | 'address'): ProblemReason | undefined =>
  rules === null ? undefined : { kind: 'limit', rule: rules[bucket], per }

/** The call that was counted turned out to be none that the bucket counts. */
export const uncountCall = (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): void => {
  if (deps.rules !== null) void deps.limits.giveBack(bucket, key, deps.rules[bucket], now)
}

export const countCall = (
  deps: LimitDeps,
  bucket: Bucket,
  key: string,
  now: Instant,
  per: 'key' | 'address' = 'key',
): undefined | Promise<void> => {
  const throwIfRefused = (verdict: Verdict): void => {
    if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, bucket, per))
  }
  const verdict = takeCall(deps, bucket, key, now)
  if (verdict instanceof Promise) return verdict.then(throwIfRefused)
  throwIfRefused(verdict)
  return undefined
}
