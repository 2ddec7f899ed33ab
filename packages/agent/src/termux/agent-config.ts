/**
 * What the service wants reported: the senders of the wallets bound to this phone, and the packages of their apps. A
 * message of any other sender stays on the phone. Pure.
 */
import type { AgentConfig } from '../native-client.ts'

export type ReportRules = {
  readonly version: number
  readonly heartbeat_ms: number
  readonly perRequest: number
  readonly senders: ReadonlySet<string>
  /** The sender of the wallet, by the package of its app. */
  readonly packages: ReadonlyMap<string, string>
}

const between = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : otherwise

const mostNames = 500
const named = (list: unknown): Record<string, unknown>[] =>
  (Array.isArray(list) ? list : [])
    .filter((one) => typeof one === 'object' && one !== null && typeof one.name === 'string' && one.name !== '')
    .slice(0, mostNames)

/** Any value: what cannot be used is left out. */
export const rulesOf = (config: unknown): ReportRules => {
  const { version, heartbeat_s, alerts_per_request, senders, packages } = (config ?? {}) as Partial<AgentConfig>
  return {
    version: between(version, 0, Number.MAX_SAFE_INTEGER, 0),
    heartbeat_ms: between(heartbeat_s, 15, 3600, 60) * 1000,
    perRequest: between(alerts_per_request, 1, 100, 100),
    senders: new Set(named(senders).map((one) => one.name as string)),
    packages: new Map(
      named(packages).flatMap((one) =>
        typeof one.sender === 'string' ? [[one.name as string, one.sender] as const] : [],
      ),
    ),
  }
}

/** Whether more is to be reported than before: then earlier messages are looked at again. */
export const reportsMore = (before: ReportRules, after: ReportRules): boolean =>
  !after.senders.isSubsetOf(before.senders)
