/**
 * Writes down what became of calls: each attempt with its consequence for the delivery, and what the results say of their
 * endpoints' health, in one transaction. What arrived at an endpoint in good health says nothing new of it, and is written
 * by one statement. A row whose lease was lost meanwhile is somebody else's by now and changes nothing: so whoever does
 * not know whether something was written may write it again.
 */
import type { NewNotice } from '../../accounts/notices/owner-notice.ts'
import { insertNotices } from '../../accounts/notices/owner-notices-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type EndpointId, growingId, type NoticeId } from '../../core/ids.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { endpointPlace } from '../endpoints/endpoint-label.ts'
import type { WebhookSettings } from '../settings.ts'
import { afterOutcome, standingOf } from './auto-disable.ts'
import { afterResult, fullSpeed } from './breaker.ts'
import { type Finished, finishArrived, finishTelling } from './delivery-sql.ts'
import { holdHealth, type SavedHealth, saveHealth } from './health-sql.ts'

export type Result = Finished & {
  readonly accountId: AccountId
  readonly ok: boolean
  /** It answered, whatever it answered. */
  readonly reached: boolean
  readonly misconfigured: boolean
  /** 410: the receiver wants no more. */
  readonly gone: boolean
  /** False for what a person sent again, and for what never left the house. A 410 disables all the same. */
  readonly tellsOfHealth: boolean
}

/** While all is well, that a delivery arrived is noted at most this often. */
const noteSuccessEvery_ms = 60_000

/** The endpoints that stand otherwise now: disabled, warned of, or with a breaker that opened or closed. */
export type Turned = readonly EndpointId[]

export const recordResults = async (
  db: Db,
  results: readonly Result[],
  settings: WebhookSettings,
  now: Instant,
): Promise<Turned> => {
  /** Of these there is news. What arrived beside what failed counts with it, in the order of time. */
  const news = new Set(results.flatMap((result) => (result.ok ? [] : result.endpointId)))
  const arrived = results.filter((result) => !news.has(result.endpointId))
  if (arrived.length > 0)
    for (const { endpoint_id } of await finishArrived(db, arrived, now - noteSuccessEvery_ms)) news.add(endpoint_id)
  const telling = results.filter((result) => news.has(result.endpointId))
  if (telling.length === 0) return []
  return db.transaction(async (tx) => {
    const ours = new Set<string>((await finishTelling(tx, telling)).map((row) => row.id))
    return noteHealth(tx, telling, ours, settings, now)
  })
}

const noteHealth = async (
  tx: Tx,
  results: readonly Result[],
  ours: ReadonlySet<string>,
  settings: WebhookSettings,
  now: Instant,
): Promise<Turned> => {
  const counted = results.filter((result) => ours.has(result.id) && (result.tellsOfHealth || result.gone))
  if (counted.length === 0) return []
  const rows = await holdHealth(tx, [...new Set(counted.map((result) => result.endpointId))])
  const found = rows.flatMap((row) => {
    const own = counted.filter((result) => result.endpointId === row.id)
    return healthAfter(row, own, settings, now) ?? []
  })
  if (found.length > 0)
    await saveHealth(
      tx,
      found.map((one) => one.health),
      now,
    )
  const notices = found.flatMap((one) => one.notices)
  if (notices.length > 0) await insertNotices(tx, notices, now)
  return found.flatMap((one) => (one.turned ? [one.health.id] : []))
}

type Row = Awaited<ReturnType<typeof holdHealth>>[number]

/** Undefined: nothing worth writing. */
const healthAfter = (
  row: Row,
  results: readonly Result[],
  settings: WebhookSettings,
  now: Instant,
): { readonly health: SavedHealth; readonly notices: readonly NewNotice[]; readonly turned: boolean } | undefined => {
  let breaker = {
    networkFailures: row.network_failures,
    openUntil: row.open_until,
    openStep: row.open_step,
    slowStart: row.slow_start,
  }
  let failing = { failingSince: row.failing_since, failures: row.failures, warnedAt: row.warned_at }
  let { misconfigured, last_success_at: lastSuccessAt } = row
  let disabledWhy: 'gone' | 'failing' | null = null
  let warned: Instant | null = null
  const well = row.failing_since === null && row.open_until === null && row.slow_start === fullSpeed
  for (const result of results.toSorted((a, b) => a.at - b.at)) {
    if (result.gone) disabledWhy = 'gone'
    if (!result.tellsOfHealth) continue
    breaker = afterResult(breaker, result.reached, result.at, settings)
    failing = afterOutcome(failing, result.ok, result.at)
    misconfigured = result.ok ? false : misconfigured || result.misconfigured
    if (result.ok) lastSuccessAt = result.at
    const standing = standingOf(failing, result.at, settings)
    if (standing.kind === 'warn') {
      failing = { ...failing, warnedAt: result.at }
      warned = standing.disablesAt
    }
    if (standing.kind === 'disable') disabledWhy ??= 'failing'
  }
  const allOk = results.every((result) => result.ok)
  const noted = row.last_success_at !== null && lastSuccessAt! - row.last_success_at < noteSuccessEvery_ms
  if (well && allOk && !row.misconfigured && noted) return undefined
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
    id: growingId<NoticeId>(now),
    kind,
    objectKind: 'webhook',
    objectId: row.id,
    by: '',
    facts: {
      to: endpointPlace(row.url),
      failing_since: failing.failingSince,
      failures: failing.failures,
      disables_at: disablesAt,
    },
  })
  // A warning that a success in the same breath has made void is not told.
  const notices = warned !== null && failing.warnedAt !== null ? [notice('webhook_failing', warned)] : []
  if (health.disabledWhy !== null)
    notices.push(notice(health.disabledWhy === 'gone' ? 'webhook_gone' : 'webhook_disabled', null))
  const turned = notices.length > 0 || (row.open_until === null) !== (health.openUntil === null)
  return { health, notices, turned }
}
