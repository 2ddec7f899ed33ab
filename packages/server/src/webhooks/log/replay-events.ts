/**
 * Queues the events of a time range again, for one endpoint: counted first, then a few each second, with the same event ids.
 * Their results do not count for the endpoint's health, except a 410. The state of a replay is in its row: it can be stopped and
 * resumed, and when its node dies another node goes on after the last event that was queued. The sender sends them.
 */
import type { Instant } from '../../core/clock.ts'
import { type EndpointId, firstIdAt, type ReplayId, timeOrderedId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Db, Session, Tx } from '../../postgres/connection/database.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { lockEndpoint } from '../endpoints/endpoint-sql.ts'
import type { EventKind } from '../event.ts'
import { replayLife_ms, type WebhookSettings } from '../settings.ts'
import {
  countReplayEvents,
  dueReplays,
  type EventRange,
  insertReplay,
  insertReplays,
  listReplays,
  lockReplay,
  nextReplayEvents,
  oldestDisabledEvent,
  resumeReplayRow,
  saveReplay,
  stopReplayRow,
} from './replay-events-sql.ts'

/** After a pause a replay does not catch up at once: it queues at most the events of so many seconds. */
const mostCaughtUp_s = 2
const mostRead = 500
const mostCounted = 100_000
const mostListed = 100
const mostReplaysPerStep = 100

export type Range = {
  readonly from: Instant
  readonly until: Instant
  /** Left out: the kinds of the endpoint. */
  readonly kinds?: readonly EventKind[] | undefined
  readonly undelivered: boolean
}

/** `more`: there are more than `count`. */
export type Count = { readonly count: number; readonly more: boolean }

const eventRangeOf = (scope: Scope, endpoint: Endpoint, range: Range): EventRange => ({
  scope,
  endpointId: endpoint.id,
  kinds: range.kinds ?? endpoint.kinds,
  walletId: endpoint.walletId,
  undelivered: range.undelivered,
  // No event has the first id of a millisecond, which is all zeros after the time.
  after: firstIdAt(range.from),
  before: firstIdAt(range.until),
})

const countOf = async (db: Session, eventRange: EventRange): Promise<Count> => {
  const [{ events } = { events: 0 }] = await countReplayEvents(db, eventRange, mostCounted + 1)
  return { count: Math.min(events, mostCounted), more: events > mostCounted }
}

/** The range, ended at the present if it reaches into the future: future events are sent anyway. */
const checkRange = (
  range: Range,
  settings: WebhookSettings,
  now: Instant,
): Range | Refusal<'range_empty' | 'range_too_old'> => {
  if (range.from < now - replayLife_ms(settings)) return refuse('range_too_old', { days: String(settings.replay_days) })
  const until = Math.min(range.until, now + 1)
  return range.from < until ? { ...range, until } : refuse('range_empty')
}

export const countReplay = async (
  db: Session,
  scope: Scope,
  endpoint: Endpoint,
  range: Range,
  settings: WebhookSettings,
  now: Instant,
): Promise<Count | Refusal<'range_empty' | 'range_too_old'>> => {
  const checked = checkRange(range, settings, now)
  return 'refused' in checked ? checked : countOf(db, eventRangeOf(scope, endpoint, checked))
}

/** The events that an endpoint missed while it was disabled, as the range that would replay them. */
export type Missed = Count & { readonly from: Instant; readonly until: Instant }

export const missedSince = async (
  db: Session,
  scope: Scope,
  endpoint: Endpoint,
  disabledAt: Instant,
  settings: WebhookSettings,
  now: Instant,
): Promise<Missed> => {
  // When the endpoint was disabled, its waiting deliveries ended. Their events are older than that time.
  const [oldest] = await oldestDisabledEvent(db, scope, endpoint.id, disabledAt)
  const from = Math.max(Math.min(disabledAt, oldest?.created_at ?? disabledAt), now - replayLife_ms(settings))
  const until = now + 1
  const count = await countOf(db, eventRangeOf(scope, endpoint, { from, until, undelivered: true }))
  return { ...count, from, until }
}

export type Replay = {
  readonly id: ReplayId
  readonly from: Instant
  readonly until: Instant
  readonly kinds: readonly EventKind[]
  readonly undelivered: boolean
  /** Counted when the replay began. `more`: there are more than `total`. */
  readonly total: number
  readonly more: boolean
  /** Queued so far. */
  readonly done: number
  readonly state: 'running' | 'stopped' | 'done'
  readonly createdAt: Instant
  readonly endedAt: Instant | null
}

const replayOf = (row: Awaited<ReturnType<typeof listReplays>>[number]): Replay => ({
  id: row.id,
  from: row.from_at,
  until: row.until_at,
  kinds: JSON.parse(row.kinds) as EventKind[],
  undelivered: row.undelivered,
  total: row.total,
  more: row.more,
  done: row.done,
  state: row.state,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** The newest first. */
export const replaysOf = async (db: Session, scope: Scope, endpointId: EndpointId): Promise<Replay[]> =>
  (await listReplays(db, scope, endpointId, null, mostListed)).map(replayOf)

export const findReplay = async (
  db: Session,
  scope: Scope,
  endpointId: EndpointId,
  id: ReplayId,
): Promise<Replay | Refusal<'replay_unknown'>> => {
  const [row] = await listReplays(db, scope, endpointId, id, 1)
  return row === undefined ? refuse('replay_unknown') : replayOf(row)
}

export const startReplay = async (
  db: Session,
  scope: Scope,
  endpoint: Endpoint,
  range: Range,
  settings: WebhookSettings,
  now: Instant,
): Promise<
  Replay | Refusal<'range_empty' | 'range_too_old' | 'endpoint_disabled' | 'replay_running' | 'replay_unknown'>
> => {
  const checked = checkRange(range, settings, now)
  if ('refused' in checked) return checked
  if (!endpoint.enabled) return refuse('endpoint_disabled')
  const eventRange = eventRangeOf(scope, endpoint, checked)
  const { count, more } = await countOf(db, eventRange)
  const id = timeOrderedId<ReplayId>(now)
  const inserted = await insertReplay(
    db,
    { ...eventRange, id, from: checked.from, until: checked.until, total: count, more },
    now,
  )
  return inserted.length === 0 ? refuse('replay_running') : findReplay(db, scope, endpoint.id, id)
}

/** A replay that has stopped or ended stays as it is. */
export const stopReplay = async (
  db: Session,
  scope: Scope,
  endpointId: EndpointId,
  id: ReplayId,
  now: Instant,
): Promise<Replay | Refusal<'replay_unknown'>> => {
  await stopReplayRow(db, scope, endpointId, id, now)
  return findReplay(db, scope, endpointId, id)
}

/** The replay goes on where it stopped. */
export const resumeReplay = async (
  tx: Tx,
  scope: Scope,
  endpointId: EndpointId,
  id: ReplayId,
  now: Instant,
): Promise<Replay | Refusal<'replay_unknown' | 'replay_over' | 'replay_running' | 'endpoint_disabled'>> => {
  const [endpoint] = await lockEndpoint(tx, scope, endpointId)
  const replay = await findReplay(tx, scope, endpointId, id)
  if ('refused' in replay || replay.state === 'running') return replay
  if (replay.state === 'done') return refuse('replay_over')
  if (!endpoint?.enabled) return refuse('endpoint_disabled')
  const resumed = await resumeReplayRow(tx, scope, endpointId, id, now)
  return resumed.length === 0 ? refuse('replay_running') : findReplay(tx, scope, endpointId, id)
}

type Due = Awaited<ReturnType<typeof dueReplays>>[number]

/** One step of every replay that is due. Returns how many deliveries were queued: if any, the caller wakes the sender. */
export const replayStep = async (db: Db, perSecond: number, now: Instant): Promise<number> => {
  let queued = 0
  for (const due of await dueReplays(db, now - Math.ceil(1000 / perSecond), mostReplaysPerStep))
    queued += await db.transaction((tx) => runStep(tx, due, perSecond, now))
  return queued
}

const runStep = async (tx: Tx, due: Due, perSecond: number, now: Instant): Promise<number> => {
  const pause_ms = 1000 / perSecond
  // The endpoint is locked first, as in resumeReplay: the same order prevents a deadlock.
  const [endpoint] = await lockEndpoint(tx, wholeAccount(due.account_id), due.endpoint_id)
  const [replay] = await lockReplay(tx, wholeAccount(due.account_id), due.id)
  if (replay === undefined) return 0
  const save = (cursor: string, queued: number, pacedAt: Instant, state: 'running' | 'stopped' | 'done') =>
    saveReplay(tx, wholeAccount(due.account_id), due.id, { cursor, queued, pacedAt, state }, now)
  if (!endpoint?.enabled) {
    await save(replay.cursor, 0, now, 'stopped')
    return 0
  }
  const earned = Math.floor((now - replay.paced_at) / pause_ms)
  if (earned < 1) return 0
  const most = Math.min(earned, mostCaughtUp_s * perSecond)
  const eventRange: EventRange = {
    scope: wholeAccount(due.account_id),
    endpointId: due.endpoint_id,
    kinds: JSON.parse(replay.kinds) as EventKind[],
    walletId: endpoint.wallet_id,
    undelivered: replay.undelivered,
    after: replay.cursor,
    before: firstIdAt(replay.until_at),
  }
  const rows = await nextReplayEvents(tx, eventRange, most, mostRead)
  const fitting = rows.filter((row) => row.fits).map((row) => row.id)
  if (fitting.length > 0) await insertReplays(tx, wholeAccount(due.account_id), due.endpoint_id, fitting, now)
  const full = fitting.length === most
  const isDone = !full && (rows[0]?.read_events ?? 0) < mostRead
  const cursor = (full ? fitting.at(-1) : rows.at(-1)?.id) ?? replay.cursor
  // If few events fit, the unused credit is not saved for later.
  const pacedAt = earned > most || !full ? now : replay.paced_at + Math.floor(earned * pause_ms)
  await save(cursor, fitting.length, pacedAt, isDone ? 'done' : 'running')
  return fitting.length
}
