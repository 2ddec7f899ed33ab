/**
 * The checkout API, under `/api/v1/checkout`: create, list, retrieve and cancel checkouts; payment links. The code of the
 * merchant API handles tokens, checks, limits, errors and idempotency.
 */

import { CreateCheckout } from '@sanad/contract/checkout'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cancelCheckout } from '../../checkouts/cancel-checkout.ts'
import type { WithIntents } from '../../checkouts/checkout.ts'
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
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { listWallets, walletOf } from '../../views/wallets/wallet-sql.ts'
import { obstacle } from '../../wallets/wallets/wallet.ts'
import type { WalletLookup } from '../../wallets/wallets/wallet-lookup.ts'
import { invalid, notFound, sendJson } from '../answers.ts'
import { type FieldError, outermostFirst } from '../body/field-error.ts'
import type { Json } from '../body/json.ts'
import { idempotencyKey } from '../merchant/create-intent.ts'
import { answerTo, unknownWallet } from '../merchant/refusals.ts'
import { addResource, type Handler, type ResourceDeps } from '../merchant/resource.ts'
import { sentBody } from '../merchant/sent-body.ts'
import { idIn } from '../path-id.ts'
import { checkPageNumber, numberedPage, pageLinks } from '../query/numbered-page.ts'
import { checkoutAnswer } from './checkout-answer.ts'
import { checkoutListParameters, readCheckoutListQuery } from './checkout-list-query.ts'
import { checkoutReader } from './create-checkout-body.ts'
import { linkResources } from './payment-links.ts'

export const checkoutBase = '/api/v1/checkout'

export type CheckoutDeps = ResourceDeps & {
  readonly db: Db
  readonly zone: Zone
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

export const checkoutApi = (deps: CheckoutDeps) => async (app: FastifyInstance) => {
  for (const resource of linkResources(deps, walletErrors)) addResource(app, deps, resource)
  addResource(app, deps, {
    url: '/sessions/',
    name: 'Checkout List',
    bucket: 'checkouts',
    methods: {
      GET: { bucket: 'checkouts_list', handle: listHandler(deps), query: checkoutListParameters },
      POST: { bucket: 'checkouts', handle: createHandler(deps), body: CreateCheckout, idempotent: true },
    },
    otherMethods: { '*': 'GET lists checkouts, POST creates one' },
  })
  addResource(app, deps, {
    url: '/sessions/:id/',
    name: 'Checkout Instance',
    bucket: 'checkouts',
    methods: { GET: { bucket: 'checkouts', handle: retrieveHandler(deps) } },
    otherMethods: { '*': 'a checkout is not changed, POST /api/v1/checkout/sessions/{id}/cancel/ cancels it' },
  })
  addResource(app, deps, {
    url: '/sessions/:id/cancel/',
    name: 'Checkout Cancel',
    bucket: 'checkouts',
    methods: { POST: { bucket: 'checkouts', handle: cancelHandler(deps) } },
  })
}

const answerText = (deps: CheckoutDeps, request: FastifyRequest, found: WithIntents, now: Instant): string =>
  JSON.stringify(
    checkoutAnswer(found, { tokens: deps.checkoutTokens, zone: deps.zone, origin: deps.origin(request) }, now),
  )

const retrieveHandler =
  (deps: CheckoutDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const found = await readCheckout(deps.db, key.accountId, idIn(request, 'id'))
    if (found === undefined) throw notFound()
    return sendJson(reply, 200, answerText(deps, request, found, now))
  }

const cancelHandler =
  (deps: CheckoutDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const { accountId } = key
    const cancellation = { accountId, id: idIn(request, 'id'), by: `key ${key.clientId}` }
    const result = await deps.db.transaction((tx) => cancelCheckout(tx, deps.zone, cancellation, now))
    if (result.kind === 'refused') {
      if (result.ended) deps.onEvent(accountId)
      if (result.refusal.refused === 'checkout_unknown') throw notFound()
      const detail = `Only an OPEN checkout can be cancelled; this one is ${result.refusal.facts?.status}.`
      throw invalid([{ code: 'checkout_not_open', detail, attr: 'non_field_errors' }])
    }
    const { cancelledIntent, ...found } = result.cancelled
    deps.onIntents(accountId, cancelledIntent === undefined ? [] : [cancelledIntent])
    deps.onCheckout(accountId, found.checkout.id)
    return sendJson(reply, 200, answerText(deps, request, found, now))
  }

const listHandler =
  (deps: CheckoutDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const url = request.raw.url ?? ''
    const { filter, order, page: requested, pageSize } = readCheckoutListQuery(url, key.accountId, deps.zone)
    const pageNumber = checkPageNumber(requested)
    const count = await countFiltered(deps.db, filter, now)
    const page = numberedPage(pageNumber, count, pageSize)
    const found = await filteredPage(deps.db, filter, order, { limit: pageSize, offset: page.offset }, now)
    const address = `${deps.origin(request)}${checkoutBase}/sessions/`
    const { next, previous } = pageLinks(address, url, page)
    const results = found.map((checkout) => answerText(deps, request, checkout, now)).join(',')
    return sendJson(
      reply,
      200,
      `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${results}]}`,
    )
  }

const createHandler = (deps: CheckoutDeps): Handler => {
  const read = checkoutReader(deps.development)
  return async (call) => {
    const { request, reply, now } = call
    const { accountId, clientId } = call.key
    const created = await createFromRequest(deps, read, { request, accountId, now }, (checked) =>
      createCheckout(
        { db: deps.db, tokens: deps.checkoutTokens },
        { accountId, createdBy: `key ${clientId}`, ...checked },
        now,
      ),
    )
    const { checkout } = created
    deps.onCheckout(accountId, checkout.id)
    reply.header('location', `${deps.origin(request)}${checkoutBase}/sessions/${checkout.id}/`)
    if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
    // The answer shows the checkout as it was created, even if a repeated key is answered later.
    const at = created.kind === 'replayed' ? checkout.createdAt : now
    return sendJson(reply, 201, answerText(deps, request, { checkout, intents: [] }, at))
  }
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
  {
    request,
    accountId,
    now,
  }: { readonly request: FastifyRequest; readonly accountId: AccountId; readonly now: Instant },
  write: (checked: CheckedCheckout) => ReturnType<typeof createCheckout>,
): Promise<CreatedCheckout> => {
  const body: Json = sentBody(request)
  const { key: idempotency, errors: keyErrors } = idempotencyKey(request, body)
  const reading = read(body)
  const wallets = await walletErrors(deps, accountId, reading.wallets, now)

  // A rule over several fields is only checked when every field is valid.
  const errors: FieldError[] = []
  if (reading.kind === 'no' && (reading.rule === 'field' || (wallets.length === 0 && keyErrors.length === 0)))
    errors.push(...reading.errors)
  const all = [...outermostFirst([...errors, ...wallets]), ...keyErrors]
  if (reading.kind === 'no' || all.length > 0) {
    // A used key gets its first answer again, even if a wallet was switched off since.
    const earlier = idempotency && (await replayedCheckout(deps.db, accountId, idempotency, now))
    if (earlier === undefined || isRefusal(earlier)) throw invalid(all)
    return earlier
  }
  const created = await write({ draft: reading.draft, idempotency })
  if (isRefusal(created)) throw answerTo(created)
  return created
}

/** The errors of a request's wallets: each must be able to collect now. Without wallets, the account must have one that can. */
export const walletErrors = async (
  deps: Pick<CheckoutDeps, 'db' | 'wallets'>,
  accountId: AccountId,
  ids: readonly WalletId[],
  now: Instant,
) => {
  if (ids.length === 0) {
    const offered = (await listWallets(deps.db, accountId))
      .map(walletOf)
      .some((wallet) => !wallet.isTest && obstacle(wallet) === undefined)
    if (offered) return []
    const detail = 'No wallet is set up for payment monitoring with its device on.'
    return [{ attr: 'wallets', code: 'wallet_not_monitored', detail }]
  }
  const found = await Promise.all(ids.map((id) => deps.wallets.get(accountId, id, now)))
  return ids.flatMap((id, n) => {
    const wallet = found[n]
    const code = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
    if (code === undefined) return []
    if (code === 'wallet_unknown') return [{ ...unknownWallet(id), attr: `wallets.${n}` }]
    const detail = 'This wallet is not set up for payment monitoring, or its device is off.'
    return [{ attr: `wallets.${n}`, code, detail }]
  })
}
