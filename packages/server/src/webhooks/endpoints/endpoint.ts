/**
 * An endpoint: a URL to which an account's events are sent, and its state. Pure. guard-url.ts decides which URLs are allowed,
 * custom-headers.ts which headers it may have; breaker.ts and auto-disable.ts judge its health; endpoint-secrets.ts seals its
 * secrets; endpoint-sql.ts stores it.
 */
import type { BreakerState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { EndpointId, WalletId } from '../../core/ids.ts'
import type { EventKind } from '../event.ts'
import { type DisableRules, disableDecision } from '../health/auto-disable.ts'
import { type Breaker, fullSpeed } from '../health/breaker.ts'
import type { EndpointFigures } from './endpoint-figures.ts'
import type { StoredUrl } from './endpoint-secrets.ts'

export type DisabledWhy = 'person' | 'gone' | 'failing'

export type Endpoint = Breaker & {
  readonly id: EndpointId
  /** As it is shown: without its query, which may be a password. */
  readonly url: string
  /** The address as it is stored; `endpointSecrets` makes the whole address of it. */
  readonly stored: StoredUrl
  /** Null: every wallet of the account. */
  readonly walletId: WalletId | null
  readonly kinds: readonly EventKind[]
  /** The names of its custom headers. Their values are secrets and stay sealed. */
  readonly headerNames: readonly string[]
  readonly enabled: boolean
  readonly disabled: { readonly why: DisabledWhy; readonly at: Instant } | null
  readonly createdAt: Instant
  /** Until then the previous secret signs too. Null: there is no previous secret. */
  readonly previousUntil: Instant | null
  readonly lastSuccessAt: Instant | null
  readonly failingSince: Instant | null
  readonly failures: number
  readonly warnedAt: Instant | null
  readonly misconfigured: boolean
  /** Unfinished deliveries, counted up to a limit; how many of them have failed so far; the time of the oldest event. */
  readonly waiting: {
    readonly count: number
    readonly more: boolean
    readonly failed: number
    readonly oldestAt: Instant | null
  }
  readonly lastDay: EndpointFigures
}

export const mostCountedWaiting = 1_000

export const breakerState = (breaker: Breaker, now: Instant): BreakerState => {
  if (breaker.openUntil !== null) return now < breaker.openUntil ? 'open' : 'probing'
  return breaker.slowStart < fullSpeed ? 'recovering' : 'closed'
}

/** When it will be disabled if no attempt succeeds until then. Null: it is disabled already, or is not about to be. */
export const disablesAt = (endpoint: Endpoint, now: Instant, rules: DisableRules): Instant | null => {
  if (!endpoint.enabled) return null
  const decision = disableDecision(endpoint, now, rules)
  if (decision.kind === 'fine') return null
  return decision.kind === 'disable' ? now : decision.disablesAt
}
