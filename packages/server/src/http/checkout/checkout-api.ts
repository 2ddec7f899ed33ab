/**
 * The checkout API, under `/api/v1/checkout`: create, list, retrieve and cancel checkouts; payment links. The code of the
 * merchant API handles tokens, checks, limits, errors and idempotency.
 */

import * as operations from '@sanad/contract/checkout/checkouts'
import { errorOf } from '@sanad/contract/error-sentences'
import type { Ordering } from '@sanad/contract/query'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unlimited } from '../../accounts/limits/role-limits.ts'
import { cancelCheckout } from '../../checkouts/cancel-checkout.ts'
import type { WithIntents } from '../../checkouts/checkout.ts'
import type { CheckoutFilter, CheckoutOrder } from '../../checkouts/checkout-list.ts'
import type { CheckoutTokens } from '../../checkouts/checkout-token.ts'
import {
  type CheckoutRequest,
  type CreatedCheckout,
  createCheckout,
  replayedCheckout,
} from '../../checkouts/create-checkout.ts'
import { countFiltered, filteredPage, readCheckout } from '../../checkouts/list-checkouts.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, CheckoutId, IntentId, WalletId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { listWallets, walletOf } from '../../views/wallets/wallet-sql.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import { currencyOf, obstacle } from '../../wallets/wallet.ts'
import { invalid, notFound, sendJson } from '../answers.ts'
import { type FieldError, outermostFirst } from '../body/field-error.ts'
import type { Json } from '../body/json.ts'
import { idempotencyKey } from '../merchant/create-intent.ts'
import { answerTo, unknownWallet } from '../merchant/refusals.ts'
import { numberedPage, pageLinks } from '../query/numbered-page.ts'
import {
  type AboutPath,
  addKeyRoutes,
  type KeyApiDeps,
  type KeyCall,
  type KeyRoute,
  keyRoute,
} from '../routes/key-route.ts'
import { asSent, type Reads, readBy } from '../routes/route.ts'
import { checkoutAnswer } from './checkout-answer.ts'
import { checkoutReader } from './create-checkout-body.ts'
import { type CheckedWallets, linkRoutes } from './payment-links.ts'

export const checkoutBase = '/api/v1/checkout'

export type CheckoutDeps = KeyApiDeps & {
  readonly db: Db
  readonly wallets: WalletLookup
  readonly checkoutTokens: CheckoutTokens
  /** Outside production, addresses of shops may use http to this machine. */
  readonly development: boolean
  readonly origin: (request: FastifyRequest) => string
  /** Called after the commit: intents of an account have changed. */
  readonly onIntents: (accountId: AccountId, ids: readonly IntentId[]) => void
  /** Called after the commit: an event waits to be sent. */
  readonly onEvent: (accountId: AccountId) => void
  /** Called after the commit: a checkout was created or has ended. */
  readonly onCheckout: (accountId: AccountId, id: CheckoutId) => void
}

const about: Readonly<Record<string, AboutPath>> = {
  '/sessions/': {
    name: 'Checkout List',
    bucket: 'checkouts',
    otherMethods: { '*': 'GET lists checkouts, POST creates one' },
  },
  '/sessions/{id}/': {
    name: 'Checkout Instance',
    bucket: 'checkouts',
    otherMethods: { '*': 'a checkout is not changed, POST /api/v1/checkout/sessions/{id}/cancel/ cancels it' },
  },
  '/sessions/{id}/cancel/': { name: 'Checkout Cancel', bucket: 'checkouts' },
  '/links/': {
    name: 'Payment Link List',
    bucket: 'checkouts',
    otherMethods: { '*': 'GET lists payment links, POST creates one' },
  },
  '/links/{id}/': {
    name: 'Payment Link Instance',
    bucket: 'checkouts',
    otherMethods: {
      '*': 'GET reads the link, PATCH switches it off and on',
      DELETE: 'a link is not deleted, PATCH with {"active": false} switches it off',
    },
  },
}

export const checkoutApi = (deps: CheckoutDeps) => async (app: FastifyInstance) =>
  addKeyRoutes(app, deps, about, [
    ...linkRoutes(deps, checkWallets),
    keyRoute(operations.listCheckouts, listCheckouts(deps)),
    createRoute(deps),
    keyRoute(operations.retrieveCheckout, async ({ request, reply, path, key, now }) => {
      const found = await readCheckout(deps.db, key.scope, path.id)
      if (found === undefined) throw notFound()
      return sendJson(reply, 200, answerText(deps, request, found, now))
    }),
    keyRoute(operations.cancelCheckout, cancel(deps)),
  ])

const answerText = (deps: CheckoutDeps, request: FastifyRequest, found: WithIntents, now: Instant): string =>
  JSON.stringify(
    checkoutAnswer(found, { tokens: deps.checkoutTokens, zone: deps.zone, origin: deps.origin(request) }, now),
  )

const cancel =
  (deps: CheckoutDeps) =>
  async ({ request, reply, path, key, now }: KeyCall & Reads<typeof operations.cancelCheckout>) => {
    const { scope } = key
    const cancellation = { scope, id: path.id, by: `key ${key.clientId}`, allowed: unlimited }
    const result = await deps.db.transaction((tx) => cancelCheckout(tx, deps.zone, cancellation, now))
    if (result.kind === 'refused') {
      if (result.ended) deps.onEvent(scope.accountId)
      if (result.refusal.refused === 'checkout_unknown') throw notFound()
      const error = errorOf('checkout_not_open', { status: result.refusal.facts?.status })
      throw invalid([{ ...error, attr: 'non_field_errors' }])
    }
    const { cancelledIntent, ...found } = result.cancelled
    deps.onIntents(scope.accountId, cancelledIntent === undefined ? [] : [cancelledIntent])
    deps.onCheckout(scope.accountId, found.checkout.id)
    return sendJson(reply, 200, answerText(deps, request, found, now))
  }

const listCheckouts =
  (deps: CheckoutDeps) =>
  async ({ request, reply, query, key, now }: KeyCall & Reads<typeof operations.listCheckouts>) => {
    const filter: CheckoutFilter = {
      scope: key.scope,
      statuses: query.status && new Set(query.status),
      externalOrderId: query.external_order_id,
      reference: query.reference,
      walletId: query.wallet,
      from: query.created_after,
      until: query.created_before,
      terms: query.search,
    }
    const { page: requested, page_size: limit } = query
    const [{ field, down }] = query.ordering as [Ordering<'created_at'>]
    const count = await countFiltered(deps.db, filter, now)
    const page = numberedPage(requested, count, limit)
    const order = `${down ? '-' : ''}${field}` as CheckoutOrder
    const found = await filteredPage(deps.db, filter, order, { limit, offset: page.offset }, now)
    const { next, previous } = pageLinks(
      `${deps.origin(request)}${checkoutBase}/sessions/`,
      request.raw.url ?? '',
      page,
    )
    const results = found.map((checkout) => answerText(deps, request, checkout, now)).join(',')
    return sendJson(
      reply,
      200,
      `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${results}]}`,
    )
  }

const createRoute = (deps: CheckoutDeps): KeyRoute => {
  const read = checkoutReader(deps.development)
  return keyRoute(readBy(operations.createCheckout, asSent), async ({ request, reply, body, key, now }) => {
    const { scope, clientId } = key
    const created = await createFromRequest(deps, read, { request, body, scope: scope, now }, (checked) =>
      createCheckout(
        { db: deps.db, tokens: deps.checkoutTokens },
        { scope: scope, createdBy: `key ${clientId}`, ...checked },
        now,
      ),
    )
    const { checkout } = created
    deps.onCheckout(scope.accountId, checkout.id)
    reply.header('location', `${deps.origin(request)}${checkoutBase}/sessions/${checkout.id}/`)
    if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
    // The answer shows the checkout as it was created, even if a repeated key is answered later.
    const at = created.kind === 'replayed' ? checkout.createdAt : now
    return sendJson(reply, 201, answerText(deps, request, { checkout, intents: [] }, at))
  })
}

type CreateCall = {
  readonly request: FastifyRequest
  readonly body: Json
  readonly scope: Scope
  readonly now: Instant
}

/** The parts of a `CheckoutRequest` that were read from a request and found valid. */
export type CheckedCheckout = Pick<CheckoutRequest, 'draft' | 'idempotency'>

/**
 * Creates a checkout from a request, for the checkout API and for the dashboard alike. Throws a problem if it is refused.
 * The caller decides how the checkout is written: by whom, in which transaction.
 */
export const createFromRequest = async (
  deps: Pick<CheckoutDeps, 'db' | 'wallets'>,
  read: ReturnType<typeof checkoutReader>,
  { request, body, scope, now }: CreateCall,
  write: (checked: CheckedCheckout) => ReturnType<typeof createCheckout>,
): Promise<CreatedCheckout> => {
  const { key: idempotency, errors: keyErrors } = idempotencyKey(request, body)
  const reading = read(body)
  const { errors: wallets, currency, offered } = await checkWallets(deps, scope, reading.wallets, now)

  // A rule over several fields is only checked when every field is valid.
  const errors: FieldError[] = []
  if (reading.kind === 'no' && (reading.rule === 'field' || (wallets.length === 0 && keyErrors.length === 0)))
    errors.push(...reading.errors)
  const all = [...outermostFirst([...errors, ...wallets]), ...keyErrors]
  if (reading.kind === 'no' || all.length > 0) {
    // A used key gets its first answer again, even if a wallet was switched off since.
    const earlier = idempotency && (await replayedCheckout(deps.db, scope, idempotency, now))
    if (earlier === undefined || isRefusal(earlier)) throw invalid(all)
    return earlier
  }
  const draft = {
    ...reading.draft,
    currency: reading.draft.currency ?? currency,
    wallets: offered ?? reading.draft.wallets,
  }
  const created = await write({ draft, idempotency })
  if (isRefusal(created)) throw answerTo(created)
  return created
}

/**
 * The errors of a request's wallets: each must be able to collect now. Without wallets, the account must have one that can.
 * `currency`: that in which they collect. `offered`: the wallets that a caller of some wallets offers when the request names none;
 * undefined: those that the request names.
 */
export const checkWallets = async (
  deps: Pick<CheckoutDeps, 'db' | 'wallets'>,
  scope: Scope,
  ids: readonly WalletId[],
  now: Instant,
): Promise<CheckedWallets> => {
  if (ids.length === 0) {
    const offered = (await listWallets(deps.db, scope))
      .map(walletOf)
      // A test key sees the test wallet alone, and means it.
      .filter((wallet) => (!wallet.isTest || scope.wallets !== null) && obstacle(wallet) === undefined)
    const errors = offered.length > 0 ? [] : [{ attr: 'wallets', ...errorOf('no_wallet_monitored') }]
    return {
      errors,
      currency: currencyOf(offered),
      offered: scope.wallets === null ? undefined : offered.map(({ id }) => id),
    }
  }
  const found = await Promise.all(ids.map((id) => deps.wallets.get(scope, id, now)))
  const errors = ids.flatMap((id, n) => {
    const wallet = found[n]
    const code = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
    if (code === undefined) return []
    if (code === 'wallet_unknown') return [{ ...unknownWallet(id), attr: `wallets.${n}` }]
    return [{ attr: `wallets.${n}`, ...errorOf('wallet_not_monitored') }]
  })
  return { errors, currency: currencyOf(found.filter((wallet) => wallet !== undefined)), offered: undefined }
}
