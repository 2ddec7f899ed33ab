/** `/intents/` and `/intents/{id}/`: create, list, retrieve, attach the reference. */

import { attachReference, createIntent, listIntents, retrieveIntent } from '@sanad/contract/merchant/operations'
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { CreateIntent } from '../../intents/create/create-intents.ts'
import type { Intent } from '../../intents/intent.ts'
import type { AttachReference } from '../../matching/resolve/attach-references.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { FindIntent } from '../../views/intents/find-intents.ts'
import type { ListIntents } from '../../views/intents/list-intents.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { notFound, sendJson } from '../answers.ts'
import { readAttachReference } from '../body/merchant/attach-reference-body.ts'
import { numberedPage, pageLinks } from '../query/numbered-page.ts'
import { type KeyRoute, keyRoute, type NamedKeyCall } from '../routes/key-route.ts'
import { asSent, ifInvalid, readBy } from '../routes/route.ts'
import { createFromRequest } from './create-intent.ts'
import { intentText } from './intent-answer.ts'
import { intentFilter } from './intent-filter.ts'
import { answerTo } from './refusals.ts'

export type IntentDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly create: CreateIntent
  readonly attach: AttachReference
  readonly find: FindIntent
  readonly list: ListIntents
  /** `https://pay.example.com`: the origin under which this request reached the service. */
  readonly origin: (request: FastifyRequest) => string
  /** `/api/v1/merchant` */
  readonly base: string
}

export const intentRoutes = (deps: IntentDeps): KeyRoute[] => [
  listRoute(deps),
  createRoute(deps),
  keyRoute(retrieveIntent, intentIn(deps), async ({ reply, now }, intent) =>
    sendJson(reply, 200, await answerText(deps, intent, now)),
  ),
  attachRoute(deps),
]

/** The intent that the path names, in the account of the key. */
const intentIn =
  ({ find }: IntentDeps) =>
  async ({ key, path }: NamedKeyCall): Promise<Intent> => {
    const intent = await find(key.scope, path.id)
    if (intent === undefined) throw notFound()
    return intent
  }

const walletOf = async (deps: IntentDeps, intent: Intent, now: Instant): Promise<Wallet> => {
  const wallet = await deps.wallets.get(wholeAccount(intent.accountId), intent.walletId, now)
  if (wallet === undefined) throw new Error(`intent ${intent.id} has no wallet`)
  return wallet
}

const answerText = async (deps: IntentDeps, intent: Intent, now: Instant): Promise<string> =>
  intentText(intent, await walletOf(deps, intent, now), deps.zone, now)

/** The answers of a page, joined by commas. The intents of a page have few wallets: each is looked up once. */
const answerTexts = async (deps: IntentDeps, intents: readonly Intent[], now: Instant): Promise<string> => {
  const wallets = new Map<string, Wallet>()
  const texts: string[] = []
  for (const intent of intents) {
    let wallet = wallets.get(intent.walletId)
    if (wallet === undefined) {
      wallet = await walletOf(deps, intent, now)
      wallets.set(intent.walletId, wallet)
    }
    texts.push(intentText(intent, wallet, deps.zone, now))
  }
  return texts.join(',')
}

const attachRoute = (deps: IntentDeps): KeyRoute =>
  // Attaching finds out by itself whether there is such an intent.
  keyRoute(readBy(attachReference, readAttachReference), ifInvalid(intentIn(deps)), async (call) => {
    const { reply, path, body, key, now } = call
    const requested = {
      scope: key.scope,
      id: path.id,
      reference: body.reference,
      by: `key ${key.clientId}`,
    }
    const attached = await deps.attach(requested, now)
    if (isRefusal(attached)) throw answerTo(attached)
    return sendJson(reply, 200, await answerText(deps, attached, now))
  })

const listRoute = (deps: IntentDeps): KeyRoute =>
  keyRoute(listIntents, async ({ request, reply, query, key, now }) => {
    const { ordering, page: requested, page_size: size, ...filters } = query
    const filter = intentFilter(key.scope, filters)
    // The first page is read together with the count. Any other page is read after the count, if it exists.
    const first = requested === 1 ? await deps.list.first(filter, ordering, size, now) : undefined
    const count = first?.count ?? (await deps.list.count(filter, now))
    const page = numberedPage(requested, count, size)
    const intents = first?.intents ?? (await deps.list.page(filter, ordering, size, page.offset, now))
    const results = await answerTexts(deps, intents, now)
    const address = `${deps.origin(request)}${deps.base}/intents/`
    const { next, previous } = pageLinks(address, request.raw.url ?? '', page)
    const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
    return sendJson(reply, 200, `{"count":${count},${links},"results":[${results}]}`)
  })

const createRoute = (deps: IntentDeps): KeyRoute =>
  keyRoute(readBy(createIntent, asSent), async ({ request, reply, body, key, now }) => {
    const { scope } = key
    const created = await createFromRequest(deps, { request, body, scope: scope, now }, (order) =>
      deps.create(
        {
          ...order,
          scope: scope,
          quota: key.monthlyIntentQuota,
          createdBy: `key ${key.clientId}`,
          write: (intent, wallet) => intentText(intent, wallet, deps.zone, now),
        },
        now,
      ),
    )
    reply.header('location', `${deps.origin(request)}${deps.base}/intents/${created.intentId}/`)
    if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
    return sendJson(reply, 201, created.answer)
  })
