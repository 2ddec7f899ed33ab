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

const clamp = (value: unknown, least: number, most: number, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : fallback

const mostNames = 500
const entriesWithName = (list: unknown): Record<string, unknown>[] =>
  (Array.isArray(list) ? list : [])
    .filter(
      (entry) => typeof entry === 'object' && entry !== null && typeof entry.name === 'string' && entry.name !== '',
    )
    .slice(0, mostNames)

/** Reads any value: entries that cannot be used are left out. */
export const rulesOf = (config: unknown): ReportRules => {
  const { version, heartbeat_s, alerts_per_request, senders, packages } = (config ?? {}) as Partial<AgentConfig>
  return {
    version: clamp(version, 0, Number.MAX_SAFE_INTEGER, 0),
    heartbeat_ms: clamp(heartbeat_s, 15, 3600, 60) * 1000,
    perRequest: clamp(alerts_per_request, 1, 100, 100),
    senders: new Set(entriesWithName(senders).map((entry) => entry.name as string)),
    packages: new Map(
      entriesWithName(packages).flatMap((entry) =>
        typeof entry.sender === 'string' ? [[entry.name as string, entry.sender] as const] : [],
      ),
    ),
  }
}

/** Whether senders were added. Then earlier messages are read again. */
export const reportsMore = (before: ReportRules, after: ReportRules): boolean =>
  !after.senders.isSubsetOf(before.senders)
