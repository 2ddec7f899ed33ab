/**
 * Creating, changing and deleting endpoints, and their secrets. An address is judged when it is saved by the same guard
 * that judges it at every send; a name that cannot be resolved now is kept, for it may be there tomorrow. A secret leaves
 * this file when it is made and when it is asked for, and never otherwise. What waits for an endpoint that was disabled
 * or deleted is ended by a loop, visibly (delivery-sql.ts).
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type EndpointId, plainId, type WalletId } from '../ground/ids.ts'
import { isRefusal, type Refusal, refuse } from '../ground/refusal.ts'
import type { Db, Session } from '../postgres/database.ts'
import { changedHeaders, type Endpoint, type HeaderChanges, mostCountedWaiting } from './endpoint.ts'
import { type EndpointSecrets, newWebhookSecret } from './endpoint-secrets.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  findOwnWallet,
  findSecrets,
  holdAccount,
  holdEndpoint,
  insertEndpoint,
  listEndpoints,
  replaceEndpointSecret,
  saveEndpoint,
} from './endpoint-sql.ts'
import type { EventKind } from './event.ts'
import { type GuardOptions, guardUrl, type Resolve, resolveGuarded } from './guard-url.ts'
import { type Missed, missedSince } from './replay-events.ts'
import type { WebhookSettings } from './settings.ts'

export type EndpointRooms = {
  readonly db: Db
  readonly secrets: EndpointSecrets
  readonly guard: GuardOptions
  readonly resolve: Resolve
  readonly settings: WebhookSettings
}

type Row = Awaited<ReturnType<typeof listEndpoints>>[number]

const endpointOf = (row: Row): Endpoint => ({
  id: row.id,
  url: row.url,
  walletId: row.wallet_id,
  kinds: JSON.parse(row.kinds) as EventKind[],
  headerNames: Object.keys(JSON.parse(row.headers)),
  enabled: row.enabled,
  disabled: row.disabled_why === '' || row.disabled_at === null ? null : { why: row.disabled_why, at: row.disabled_at },
  createdAt: row.created_at,
  previousUntil: row.previous_until,
  lastSuccessAt: row.last_success_at,
  failingSince: row.failing_since,
  failures: row.failures,
  warnedAt: row.warned_at,
  misconfigured: row.misconfigured,
  networkFailures: row.network_failures,
  openUntil: row.open_until,
  openStep: row.open_step,
  slowStart: row.slow_start,
  waiting: {
    count: Math.min(row.waiting, mostCountedWaiting),
    more: row.waiting > mostCountedWaiting,
    oldestAt: row.oldest_at,
  },
})

export const endpointsOf = async (db: Session, accountId: AccountId): Promise<Endpoint[]> =>
  (await listEndpoints(db, accountId, null, mostCountedWaiting + 1)).map(endpointOf)

export const findEndpoint = async (
  db: Session,
  accountId: AccountId,
  id: EndpointId,
): Promise<Endpoint | Refusal<'endpoint_unknown'>> => {
  const [row] = await listEndpoints(db, accountId, id, mostCountedWaiting + 1)
  return row === undefined ? refuse('endpoint_unknown') : endpointOf(row)
}

/** The address in its normal form. */
const guarded = async (rooms: EndpointRooms, text: string): Promise<{ url: string } | Refusal<'url_refused'>> => {
  const read = guardUrl(text, rooms.guard)
  if (!read.ok) return refuse('url_refused', { code: read.code, detail: read.detail })
  const found = await resolveGuarded(read.url.hostname, {
    resolve: rooms.resolve,
    allow: rooms.guard.allow,
    timeout_ms: rooms.settings.dns_ms,
  })
  if (!found.ok && found.code === 'not_public')
    return refuse('url_refused', { code: 'url_not_public', detail: found.detail })
  return { url: read.url.href }
}

export type NewEndpoint = {
  readonly url: string
  readonly walletId: WalletId | null
  readonly kinds: readonly EventKind[]
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
}

export const createEndpoint = async (
  rooms: EndpointRooms,
  accountId: AccountId,
  asked: NewEndpoint,
  now: Instant,
): Promise<
  | { readonly endpoint: Endpoint; readonly secret: string }
  | Refusal<'url_refused' | 'wallet_unknown' | 'endpoint_limit' | 'headers_limit'>
> => {
  const { db, secrets, settings } = rooms
  if (Object.keys(asked.headers).length > settings.headers_most)
    return refuse('headers_limit', { most: String(settings.headers_most) })
  const address = await guarded(rooms, asked.url)
  if (isRefusal(address)) return address
  const id = plainId<EndpointId>()
  const secret = newWebhookSecret(settings.secret_bytes)
  return db.transaction(async (tx) => {
    await holdAccount(tx, accountId)
    const [{ endpoints } = { endpoints: 0 }] = await countEndpoints(tx, accountId)
    if (endpoints >= settings.endpoints_most) return refuse('endpoint_limit', { most: String(settings.endpoints_most) })
    if (asked.walletId !== null && (await findOwnWallet(tx, accountId, asked.walletId)).length === 0)
      return refuse('wallet_unknown', { wallet: asked.walletId })
    await insertEndpoint(tx, {
      accountId,
      id,
      url: address.url,
      walletId: asked.walletId,
      kinds: asked.kinds,
      headers: secrets.sealHeaders(id, asked.headers),
      enabled: asked.enabled,
      secretSealed: secrets.seal(id, secret),
      now,
    })
    const [row] = await listEndpoints(tx, accountId, id, 1)
    return { endpoint: endpointOf(row!), secret }
  })
}

/** What is left out stays as it is. */
export type EndpointChanges = {
  readonly url?: string | undefined
  readonly walletId?: WalletId | null | undefined
  readonly kinds?: readonly EventKind[] | undefined
  readonly headers?: HeaderChanges | undefined
  readonly enabled?: boolean | undefined
}

/** `missed`: it was disabled until now, and this is what happened meanwhile and can be replayed. */
export const updateEndpoint = async (
  rooms: EndpointRooms,
  accountId: AccountId,
  id: EndpointId,
  changes: EndpointChanges,
  now: Instant,
): Promise<
  | { readonly endpoint: Endpoint; readonly missed: Missed | null }
  | Refusal<'endpoint_unknown' | 'url_refused' | 'wallet_unknown' | 'headers_limit'>
> => {
  const { db, secrets, settings } = rooms
  const address = changes.url === undefined ? undefined : await guarded(rooms, changes.url)
  if (address !== undefined && isRefusal(address)) return address
  const saved = await db.transaction(async (tx) => {
    const [before] = await holdEndpoint(tx, accountId, id)
    if (before === undefined) return refuse('endpoint_unknown')
    if (changes.walletId != null && (await findOwnWallet(tx, accountId, changes.walletId)).length === 0)
      return refuse('wallet_unknown', { wallet: changes.walletId })
    const headers = changes.headers && changedHeaders(secrets.unsealHeaders(before.headers, id), changes.headers)
    if (headers !== undefined && Object.keys(headers).length > settings.headers_most)
      return refuse('headers_limit', { most: String(settings.headers_most) })
    const url = address?.url ?? before.url
    const enabled = changes.enabled ?? before.enabled
    const enabledAgain = enabled && !before.enabled
    await saveEndpoint(
      tx,
      accountId,
      id,
      {
        url,
        walletId: changes.walletId === undefined ? before.wallet_id : changes.walletId,
        kinds: changes.kinds ?? (JSON.parse(before.kinds) as EventKind[]),
        headers: headers === undefined ? before.headers : secrets.sealHeaders(id, headers),
        enabled,
        wellAgain: enabledAgain || url !== before.url,
      },
      now,
    )
    return { disabledAt: enabledAgain ? before.disabled_at : null }
  })
  if (isRefusal(saved)) return saved
  const endpoint = await findEndpoint(db, accountId, id)
  if (isRefusal(endpoint)) return endpoint
  const missed =
    saved.disabledAt === null ? null : await missedSince(db, accountId, endpoint, saved.disabledAt, settings, now)
  return { endpoint, missed }
}

/** Sent again it is `endpoint_unknown`: nobody can bring it back. */
export const deleteEndpoint = async (
  db: Session,
  accountId: AccountId,
  id: EndpointId,
  now: Instant,
): Promise<{ readonly deleted: true } | Refusal<'endpoint_unknown'>> =>
  (await deleteEndpointRow(db, accountId, id, now)).length === 0 ? refuse('endpoint_unknown') : { deleted: true }

/** A new secret; the one it replaces signs beside it for the overlap. */
export const rotateSecret = async (
  { db, secrets, settings }: EndpointRooms,
  accountId: AccountId,
  id: EndpointId,
  overlap_ms: number,
  now: Instant,
): Promise<Endpoint | Refusal<'endpoint_unknown'>> => {
  const sealed = secrets.seal(id, newWebhookSecret(settings.secret_bytes))
  const rows = await replaceEndpointSecret(db, accountId, id, sealed, now + overlap_ms)
  return rows.length === 0 ? refuse('endpoint_unknown') : findEndpoint(db, accountId, id)
}

export type ShownSecret = {
  readonly secret: string
  /** Signs too until then; null: the newest alone signs. */
  readonly previous: { readonly secret: string; readonly until: Instant } | null
}

export const showSecret = async (
  { db, secrets }: EndpointRooms,
  accountId: AccountId,
  id: EndpointId,
  now: Instant,
): Promise<ShownSecret | Refusal<'endpoint_unknown'>> => {
  const [row] = await findSecrets(db, accountId, id)
  if (row === undefined) return refuse('endpoint_unknown')
  const { previous_secret_sealed: previous, previous_until: until } = row
  return {
    secret: secrets.unseal(row.secret_sealed, id),
    previous:
      previous === null || until === null || now >= until ? null : { secret: secrets.unseal(previous, id), until },
  }
}
