/** The limits of a visit of the buyer's page: by the address of the visitor, and by the hash of the link: its token is stored nowhere. */
import type { TokenHash } from '../../checkouts/checkout-token.ts'
import type { Instant } from '../../core/clock.ts'
import { throttled } from '../answers.ts'
import { type LimitDeps, limitReason, takeCall, uncountCall } from './count-call.ts'
import type { Verdict } from './rule.ts'

/**
 * Counts a visit by its address, or refuses it. Where the counts are kept elsewhere (by the parent of the processes, or in Redis), the
 * link is counted with the same message, and its verdict is returned. Undefined: the link is not counted yet.
 */
export const countVisit = (
  deps: LimitDeps,
  bucket: 'pay' | 'pay_change',
  address: string,
  hash: TokenHash | undefined,
  now: Instant,
): undefined | Promise<Verdict | undefined> => {
  const byAddress = takeCall(deps, 'pay_address', address, now)
  const accept = (verdict: Verdict): void => {
    if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, 'pay_address', 'key'))
  }
  if (!(byAddress instanceof Promise)) {
    accept(byAddress)
    return undefined
  }
  const byLink = hash === undefined ? undefined : takeCall(deps, bucket, hash, now)
  return Promise.all([byAddress, byLink]).then(([ofAddress, ofLink]) => {
    if (!ofAddress.allowed && ofLink?.allowed) uncountCall(deps, bucket, hash!, now)
    accept(ofAddress)
    return ofLink
  })
}

/** Counts the link of a visit, or refuses it. `early`: what countVisit returned. */
export const countLink = (
  deps: LimitDeps,
  bucket: 'pay' | 'pay_change',
  hash: TokenHash,
  early: Verdict | undefined,
  now: Instant,
): undefined | Promise<void> => {
  const accept = (verdict: Verdict): void => {
    if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, bucket, 'key'))
  }
  const verdict = early ?? takeCall(deps, bucket, hash, now)
  if (verdict instanceof Promise) return verdict.then(accept)
  accept(verdict)
  return undefined
}
