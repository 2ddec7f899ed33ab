/**
 * Creates, changes and deletes endpoints, and rotates their secrets. A URL is checked before it is saved, and before any
 * transaction begins, by the same guard that checks it at every send. A name that cannot be resolved now is accepted: it may
 * exist tomorrow. A secret is returned when it is created, and never again. A background loop ends the deliveries that wait for
 * a disabled or deleted endpoint, and the log shows that they ended (delivery-sql.ts).
 */
import { lockAccount } from '../../accounts/tenants/lock-account-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type EndpointId, randomId, type WalletId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { changedHeaders, type HeaderChanges } from '../calling/custom-headers.ts'
import { type GuardOptions, guardUrl, type Resolve, resolveGuarded } from '../calling/guard-url.ts'
import type { EventKind } from '../event.ts'
import type { WebhookSettings } from '../settings.ts'
import { type Endpoint, mostCountedWaiting } from './endpoint.ts'
import { figuresOf, startOfLastDay } from './endpoint-figures.ts'
import { type EndpointSecrets, newWebhookSecret } from './endpoint-secrets.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  findOwnWallet,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceEndpointSecret,
  saveEndpoint,
} from './endpoint-sql.ts'
import { isSameUrl, shownUrl, splitUrl } from './endpoint-url.ts'

export type EndpointDeps = {
  readonly secrets: EndpointSecrets
  readonly guard: GuardOptions
  readonly resolve: Resolve
  readonly settings: WebhookSettings
}
type SavingDeps = Pick<EndpointDeps, 'secrets' | 'settings'>

/** A URL that the guard has accepted, in its normal form. */
export type CheckedUrl = string & { readonly checked: true }

type Row = Awaited<ReturnType<typeof listEndpoints>>[number]

const endpointOf = (row: Row): Endpoint => ({
  id: row.id,
  url: shownUrl(row.url, row.query_sealed !== null),
  stored: { url: row.url, query_sealed: row.query_sealed },
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
    failed: Math.min(row.failed, mostCountedWaiting),
    oldestAt: row.oldest_at,
  },
  lastDay: figuresOf(JSON.parse(row.figures)),
})

export const endpointsOf = async (db: Session, scope: Scope, now: Instant): Promise<Endpoint[]> =>
  (await listEndpoints(db, scope, null, mostCountedWaiting + 1, startOfLastDay(now))).map(endpointOf)

export const findEndpoint = async (
  db: Session,
  scope: Scope,
  id: EndpointId,
  now: Instant,
): Promise<Endpoint | Refusal<'endpoint_unknown'>> => {
  const [row] = await listEndpoints(db, scope, id, mostCountedWaiting + 1, startOfLastDay(now))
  return row === undefined ? refuse('endpoint_unknown') : endpointOf(row)
}

/** Queries DNS, so no transaction may be open. */
export const checkUrl = async (
  deps: Pick<EndpointDeps, 'guard' | 'resolve' | 'settings'>,
  text: string,
): Promise<CheckedUrl | Refusal<'url_refused'>> => {
  const guarded = guardUrl(text, deps.guard)
  if (!guarded.ok) return refuse('url_refused', { code: guarded.code, detail: guarded.detail })
  const resolution = await resolveGuarded(guarded.url.hostname, {
    resolve: deps.resolve,
    allow: deps.guard.allow,
    timeout_ms: deps.settings.dns_ms,
  })
  if (!resolution.ok && resolution.code === 'not_public')
    return refuse('url_refused', { code: 'url_not_public', detail: resolution.detail })
  return guarded.url.href as CheckedUrl
}

export type NewEndpoint = {
  readonly url: CheckedUrl
  readonly walletId: WalletId | null
  readonly kinds: readonly EventKind[]
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
}

export type EndpointWithSecret = { readonly endpoint: Endpoint; readonly secret: string }

export const createEndpoint = async (
  tx: Tx,
  { secrets, settings }: SavingDeps,
  scope: Scope,
  endpoint: NewEndpoint,
  now: Instant,
): Promise<EndpointWithSecret | Refusal<'wallet_unknown' | 'endpoint_limit' | 'headers_limit'>> => {
  if (Object.keys(endpoint.headers).length > settings.headers_most)
    return refuse('headers_limit', { most: String(settings.headers_most) })
  const id = randomId<EndpointId>()
  const secret = newWebhookSecret(settings.secret_bytes)
  const { url, query } = splitUrl(endpoint.url)
  await lockAccount(tx, scope)
  const [{ endpoints } = { endpoints: 0 }] = await countEndpoints(tx, scope)
  if (endpoints >= settings.endpoints_most) return refuse('endpoint_limit', { most: String(settings.endpoints_most) })
  if (endpoint.walletId !== null && (await findOwnWallet(tx, scope, endpoint.walletId)).length === 0)
    return refuse('wallet_unknown', { wallet: endpoint.walletId })
  await insertEndpoint(tx, {
    accountId: scope.accountId,
    id,
    url,
    querySealed: secrets.sealQuery(id, query),
    walletId: endpoint.walletId,
    kinds: endpoint.kinds,
    headers: secrets.sealHeaders(id, endpoint.headers),
    enabled: endpoint.enabled,
    secretSealed: secrets.seal(id, secret),
    now,
  })
  const [row] = await listEndpoints(tx, scope, id, 1, startOfLastDay(now))
  return { endpoint: endpointOf(row!), secret }
}

/** A field that is left out stays as it is. */
export type EndpointChanges = {
  readonly url?: CheckedUrl | undefined
  /** The member has just proved that it is them, which moving an endpoint needs (docs/decisions/0084). */
  readonly proved?: boolean | undefined
  /** The URL as sent by a member who may not change it: refused unless it is the stored one. */
  readonly sameUrl?: string | undefined
  readonly walletId?: WalletId | null | undefined
  readonly kinds?: readonly EventKind[] | undefined
  readonly headers?: HeaderChanges | undefined
  readonly enabled?: boolean | undefined
}

/** `missedFrom`: since then the endpoint was disabled; now it is enabled again, and the events since then can be replayed. */
export type ChangedEndpoint = {
  readonly before: Endpoint
  readonly after: Endpoint
  /** Events go to another address now. Where only the query differs, both are shown alike. */
  readonly moved: boolean
  readonly missedFrom: Instant | null
}

export const updateEndpoint = async (
  tx: Tx,
  { secrets, settings }: SavingDeps,
  scope: Scope,
  id: EndpointId,
  changes: EndpointChanges,
  now: Instant,
): Promise<
  | ChangedEndpoint
  | Refusal<'endpoint_unknown' | 'endpoint_owner_only' | 'wallet_unknown' | 'headers_limit' | 'confirmation_required'>
> => {
  const [stored] = await lockEndpoint(tx, scope, id)
  const [before] = await listEndpoints(tx, scope, id, 1, startOfLastDay(now))
  if (stored === undefined || before === undefined) return refuse('endpoint_unknown')
  const whole = secrets.wholeUrl(stored, id)
  if (changes.sameUrl !== undefined && !isSameUrl(changes.sameUrl, whole)) return refuse('endpoint_owner_only')
  const moved = changes.url !== undefined && changes.url !== whole
  if (moved && !changes.proved) return refuse('confirmation_required')
  if (changes.walletId != null && (await findOwnWallet(tx, scope, changes.walletId)).length === 0)
    return refuse('wallet_unknown', { wallet: changes.walletId })
  const headers = changes.headers && changedHeaders(secrets.unsealHeaders(stored.headers, id), changes.headers)
  if (headers !== undefined && Object.keys(headers).length > settings.headers_most)
    return refuse('headers_limit', { most: String(settings.headers_most) })
  const { url, query } = splitUrl(changes.url ?? whole)
  const enabled = changes.enabled ?? stored.enabled
  const enabledAgain = enabled && !stored.enabled
  await saveEndpoint(
    tx,
    scope,
    id,
    {
      url,
      querySealed: secrets.sealQuery(id, query),
      walletId: changes.walletId === undefined ? stored.wallet_id : changes.walletId,
      kinds: changes.kinds ?? (JSON.parse(stored.kinds) as EventKind[]),
      headers: headers === undefined ? stored.headers : secrets.sealHeaders(id, headers),
      enabled,
      resetHealth: enabledAgain || moved,
      slowStart: settings.breaker_start,
    },
    now,
  )
  const [after] = await listEndpoints(tx, scope, id, mostCountedWaiting + 1, startOfLastDay(now))
  return {
    before: endpointOf(before),
    after: endpointOf(after!),
    moved,
    missedFrom: enabledAgain ? stored.disabled_at : null,
  }
}

/** Returns the endpoint as it was before. It cannot be restored: deleting it again is refused as `endpoint_unknown`. */
export const deleteEndpoint = async (
  tx: Tx,
  scope: Scope,
  id: EndpointId,
  now: Instant,
): Promise<Endpoint | Refusal<'endpoint_unknown'>> => {
  await lockEndpoint(tx, scope, id)
  const before = await findEndpoint(tx, scope, id, now)
  await deleteEndpointRow(tx, scope, id, now)
  return before
}

/** Creates a new secret; during the overlap the previous secret signs too. */
export const rotateSecret = async (
  db: Session,
  { secrets, settings }: SavingDeps,
  scope: Scope,
  id: EndpointId,
  overlap_ms: number,
  now: Instant,
): Promise<EndpointWithSecret | Refusal<'endpoint_unknown'>> => {
  const secret = newWebhookSecret(settings.secret_bytes)
  await replaceEndpointSecret(db, scope, id, secrets.seal(id, secret), now + overlap_ms)
  const endpoint = await findEndpoint(db, scope, id, now)
  return 'refused' in endpoint ? endpoint : { endpoint, secret }
}
