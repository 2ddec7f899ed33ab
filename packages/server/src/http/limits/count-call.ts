/**
 * Counts a call against the limit of its bucket, or refuses it with the time to wait. Without a wait of its own where the counts
 * are in the memory of this node: then nothing is returned.
 */
import type { Instant } from '../../core/clock.ts'
import { throttled } from '../answers.ts'
import { ALLOWED, type Bucket, type Limits, type Rules, type Verdict } from './rule.ts'

/** `rules`: null where there are no limits at all. */
export type LimitDeps = { readonly limits: Limits; readonly rules: Rules | null }

/** For a caller that does more than refuse. */
export const takeCall = (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): Verdict | Promise<Verdict> =>
  deps.rules === null ? ALLOWED : deps.limits.take(bucket, key, deps.rules[bucket], now)

export const countCall = (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): undefined | Promise<void> => {
  const verdict = takeCall(deps, bucket, key, now)
  if (verdict instanceof Promise) return verdict.then(refuseIfNot)
  refuseIfNot(verdict)
  return undefined
}

const refuseIfNot = (verdict: Verdict): void => {
  if (!verdict.allowed) throw throttled(verdict.retryAfterS)
}
