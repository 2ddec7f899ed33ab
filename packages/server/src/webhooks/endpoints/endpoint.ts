/**
 * An endpoint: a URL to which an account's events are sent. Pure rules: which kinds of event it may receive, which custom
 * headers it may have, its state. guard-url.ts decides which URLs are allowed, breaker.ts and auto-disable.ts judge its health;
 * endpoint-secrets.ts seals its secrets; endpoint-sql.ts stores it.
 */
import type { BreakerState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { EndpointId, WalletId } from '../../core/ids.ts'
import type { EventKind } from '../event.ts'
import { type DisableRules, disableDecision } from '../sending/auto-disable.ts'
import { type Breaker, fullSpeed } from '../sending/breaker.ts'
import type { EndpointFigures } from './endpoint-figures.ts'

const longestHeader = 1024

export type DisabledWhy = 'person' | 'gone' | 'failing'

export type Endpoint = Breaker & {
  readonly id: EndpointId
  readonly url: string
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

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const printable = /^[\t\x20-\x7e]*$/
const reserved =
  /^(host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|expect|accept-encoding|user-agent|x-service-.*)$/i

export type HeaderFault = { readonly code: string; readonly detail: string }

export const headerNameFault = (name: string): HeaderFault | undefined => {
  if (name.length > 100 || !token.test(name))
    return { code: 'invalid', detail: `${JSON.stringify(name.slice(0, 100))} is not the name of a header.` }
  if (reserved.test(name)) return { code: 'header_reserved', detail: `The header ${name} is reserved.` }
  return undefined
}

export const headerValueFault = (value: string): HeaderFault | undefined => {
  if (value.length > longestHeader)
    return { code: 'max_length', detail: `Ensure this field has no more than ${longestHeader} characters.` }
  if (value !== value.trim() || !printable.test(value))
    return { code: 'invalid', detail: 'A header holds printable ASCII, without spaces at its ends.' }
  return undefined
}

/** Changes of headers: a value sets, null removes, a header that is not listed stays. */
export type HeaderChanges = ReadonlyMap<string, string | null>

/** Names are compared without case; a header is sent as it was last written. */
export const changedHeaders = (
  before: Readonly<Record<string, string>>,
  changes: HeaderChanges,
): Record<string, string> => {
  const after = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), { name, value }]))
  for (const [name, value] of changes) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), { name, value })
  }
  return Object.fromEntries([...after.values()].map(({ name, value }) => [name, value]))
}

const serviceHeader = /^(content-type|user-agent|x-service-.*)$/i
export const hidden = '(hidden)'

/** The values of the merchant's custom headers in a request. */
export const customHeaderValues = (sent: Readonly<Record<string, string>>): string[] =>
  Object.entries(sent).flatMap(([name, value]) => (serviceHeader.test(name) ? [] : [value]))

/** The headers of a request as the dashboard shows them. Custom headers often contain a password: their values are hidden. */
export const shownHeaders = (sent: Readonly<Record<string, string>>): Record<string, string> => {
  const shown: Record<string, string> = {}
  for (const name of Object.keys(sent)) shown[name] = serviceHeader.test(name) ? sent[name]! : hidden
  return shown
}
