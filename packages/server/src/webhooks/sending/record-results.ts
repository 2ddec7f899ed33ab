/**
 * Records the results of calls: each attempt with its consequence for the delivery, and the health of the endpoints, in one
 * transaction. A success at a healthy endpoint does not change its health, and is recorded by one statement. A row whose lease
 * was lost meanwhile belongs to another worker and is not changed. So a caller that does not know whether its results were
 * recorded may record them again.
 */
import type { NewNotice } from '../../accounts/notices/owner-notice.ts'
import { insertNotices } from '../../accounts/notices/owner-notices-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { type AccountId, type EndpointId, type NoticeId, timeOrderedId } from '../../core/ids.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { endpointLabel } from '../endpoints/endpoint-label.ts'
import { afterOutcome, disableDecision } from '../health/auto-disable.ts'
import { afterResult, fullSpeed } from '../health/breaker.ts'
import { lockEndpointHealth, type SavedHealth, saveEndpointHealth } from '../health/health-sql.ts'
import type { WebhookSettings } from '../settings.ts'
import { type Finished, finishSuccessful, finishWithHealth } from './delivery-sql.ts'

export type Result = Finished & {
  readonly accountId: AccountId
  readonly ok: boolean
  /** The receiver answered, with any status. */
  readonly reached: boolean
  readonly misconfigured: boolean
  /** The receiver answered 410: it wants no more events. */
  readonly gone: boolean
  /** False for redeliveries by a user and for calls that could not be made. A 410 disables the endpoint in any case. */
  readonly countsForHealth: boolean
}

/** The time of the last success at a healthy endpoint is saved at most this often. */
const saveSuccessEvery_ms = minute_ms

/** The endpoints whose state changed: disabled, warned, or with a breaker that opened or closed. */
export type ChangedEndpoints = readonly EndpointId[]

export const recordResults = async (
  db: Db,
  results: readonly Result[],
  settings: WebhookSettings,
  now: Instant,
): Promise<ChangedEndpoints> => {
  /** Endpoints whose health changes. Their successes and failures are counted together, in the order of time. */
  const changing = new Set(results.flatMap((result) => (result.ok ? [] : result.endpointId)))
  const succeeded = results.filter((result) => !changing.has(result.endpointId))
  if (succeeded.length > 0)
    for (const { endpoint_id } of await finishSuccessful(db, succeeded, now - saveSuccessEvery_ms))
      changing.add(endpoint_id)
  const forHealth = results.filter((result) => changing.has(result.endpointId))
  if (forHealth.length === 0) return []
  return db.transaction(async (tx) => {
    const ours = new Set<string>((await finishWithHealth(tx, forHealth)).map((row) => row.id))
    return updateHealth(tx, forHealth, ours, settings, now)
  })
}

const updateHealth = async (
  tx: Tx,
  results: readonly Result[],
  ours: ReadonlySet<string>,
  settings: WebhookSettings,
  now: Instant,
): Promise<ChangedEndpoints> => {
  const counted = results.filter((result) => ours.has(result.id) && (result.countsForHealth || result.gone))
  if (counted.length === 0) return []
  const rows = await lockEndpointHealth(tx, [...new Set(counted.map((result) => result.endpointId))])
  const saved = rows.flatMap((row) => {
    const endpointResults = counted.filter((result) => result.endpointId === row.id)
    return healthAfter(row, endpointResults, settings, now) ?? []
  })
  if (saved.length > 0)
    await saveEndpointHealth(
      tx,
      saved.map((one) => one.health),
      now,
    )
  const notices = saved.flatMap((one) => one.notices)
  if (notices.length > 0) await insertNotices(tx, notices, now)
  return saved.flatMap((one) => (one.changed ? [one.health.id] : []))
}

type Row = Awaited<ReturnType<typeof lockEndpointHealth>>[number]

/** Undefined: nothing to save. */
const healthAfter = (
  row: Row,
  results: readonly Result[],
  settings: WebhookSettings,
  now: Instant,
): { readonly health: SavedHealth; readonly notices: readonly NewNotice[]; readonly changed: boolean } | undefined => {
  let breaker = {
    networkFailures: row.network_failures,
    openUntil: row.open_until,
    openStep: row.open_step,
    slowStart: row.slow_start,
  }
  let failing = { failingSince: row.failing_since, failures: row.failures, warnedAt: row.warned_at }
  let { misconfigured, last_success_at: lastSuccessAt } = row
  let disabledWhy: 'gone' | 'failing' | null = null
  let announcedDisableAt: Instant | null = null
  const wasHealthy = row.failing_since === null && row.open_until === null && row.slow_start === fullSpeed
  for (const result of results.toSorted((a, b) => a.at - b.at)) {
    if (result.gone) disabledWhy = 'gone'
    if (!result.countsForHealth) continue
    breaker = afterResult(breaker, result.reached, result.at, settings)
    failing = afterOutcome(failing, result.ok, result.at)
    misconfigured = result.ok ? false : misconfigured || result.misconfigured
    if (result.ok) lastSuccessAt = result.at
    const decision = disableDecision(failing, result.at, settings)
    if (decision.kind === 'warn') {
      failing = { ...failing, warnedAt: result.at }
      announcedDisableAt = decision.disablesAt
    }
    if (decision.kind === 'disable') disabledWhy ??= 'failing'
  }
  const allOk = results.every((result) => result.ok)
  const isSavedRecently = row.last_success_at !== null && lastSuccessAt! - row.last_success_at < saveSuccessEvery_ms
  if (wasHealthy && allOk && !row.misconfigured && isSavedRecently) return undefined
  const health = {
    id: row.id,
    enabled: row.enabled && disabledWhy === null,
    disabledWhy: row.enabled ? disabledWhy : null,
    lastSuccessAt,
    misconfigured,
    ...failing,
    ...breaker,
  }
  const notice = (kind: NewNotice['kind'], disablesAt: Instant | null): NewNotice => ({
    accountId: row.account_id,
    id: timeOrderedId<NoticeId>(now),
    kind,
    objectKind: 'webhook',
    objectId: row.id,
    by: '',
    facts: {
      to: endpointLabel(row.url),
      failing_since: failing.failingSince,
      failures: failing.failures,
      disables_at: disablesAt,
    },
  })
  // If a success in the same batch cancelled the warning, there is no notice.
  const notices =
    announcedDisableAt !== null && failing.warnedAt !== null ? [notice('webhook_failing', announcedDisableAt)] : []
  if (health.disabledWhy !== null)
    notices.push(notice(health.disabledWhy === 'gone' ? 'webhook_gone' : 'webhook_disabled', null))
  const changed = notices.length > 0 || (row.open_until === null) !== (health.openUntil === null)
  return { health, notices, changed }
}
