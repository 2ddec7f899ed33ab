/** `/intents/` and `/intents/{id}/`: create, list, retrieve, attach the reference. */

import { AttachReference, CreateIntent as CreateIntentBody } from '@sanad/contract/intent'
import type { FastifyRequest } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { Instant } from '../../core/clock.ts'
import type { IntentId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { CreateIntent } from '../../intents/create-intents.ts'
import type { Intent } from '../../intents/intent.ts'
import type { AttachReference as AttachTo } from '../../matching/resolve/attach-references.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { FindIntent } from '../../views/intents/find-intents.ts'
import type { ListIntents } from '../../views/intents/list-intents.ts'
import type { Wallet } from '../../wallets/wallets/wallet.ts'
import type { WalletLookup } from '../../wallets/wallets/wallet-lookup.ts'
import { invalid, notFound, Problem, sendJson } from '../answers.ts'
import { readAttachReference } from '../body/merchant/attach-reference-body.ts'
import { idIn } from '../path-id.ts'
import { checkPageNumber, numberedPage, pageLinks } from '../query/numbered-page.ts'
import { createFromRequest } from './create-intent.ts'
import { intentText } from './intent-answer.ts'
import { listParameters, readListQuery } from './list-query.ts'
import { answerTo } from './refusals.ts'
import type { Handler, Resource } from './resource.ts'
import { sentBody } from './sent-body.ts'

export type IntentDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly create: CreateIntent
  readonly attach: AttachTo
  readonly find: FindIntent
  readonly list: ListIntents
  /** `https://pay.example.com`: the origin under which this request reached the service. */
  readonly origin: (request: FastifyRequest) => string
  /** `/api/v1/merchant` */
  readonly base: string
}

export const intentResources = (deps: IntentDeps): Resource[] => [
  {
    url: '/intents/',
    name: 'Intent List',
    bucket: 'intents',
    methods: {
      GET: { bucket: 'intents_list', handle: listIntents(deps), query: listParameters },
      POST: { bucket: 'intents', handle: createIntent(deps), body: CreateIntentBody, idempotent: true },
    },
    otherMethods: { '*': 'GET lists intents, POST creates one' },
  },
  {
    url: '/intents/:id/',
    name: 'Intent Instance',
    bucket: 'intents',
    methods: {
      GET: { bucket: 'intents', handle: retrieveIntent(deps) },
      PATCH: { bucket: 'intents', handle: patchIntent(deps), body: AttachReference },
    },
    otherMethods: {
      '*': 'GET reads the intent, PATCH attaches its reference',
      DELETE: 'an intent is not deleted, it expires after an hour or is cancelled in the dashboard',
    },
  },
]

const walletOf = async (deps: IntentDeps, intent: Intent, now: Instant): Promise<Wallet> => {
  const wallet = await deps.wallets.get(intent.accountId, intent.walletId, now)
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

const retrieveIntent =
  (deps: IntentDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const intent = await deps.find(key.accountId, idIn<IntentId>(request, 'id'))
    if (intent === undefined) throw notFound()
    return sendJson(reply, 200, await answerText(deps, intent, now))
  }

const patchIntent =
  (deps: IntentDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const id = idIn<IntentId>(request, 'id')
    const reference = await readReference(deps, request, key, id)
    const attached = await deps.attach({ accountId: key.accountId, id, reference, by: `key ${key.clientId}` }, now)
    if (isRefusal(attached)) throw answerTo(attached)
    return sendJson(reply, 200, await answerText(deps, attached, now))
  }

/** An unknown intent is answered with 404 whatever the body is. It is only looked up here if the body is invalid. */
const readReference = async (deps: IntentDeps, request: FastifyRequest, key: ApiKey, id: IntentId): Promise<string> => {
  try {
    const reading = readAttachReference(sentBody(request))
    if (reading.kind === 'no') throw invalid(reading.errors)
    return reading.value.reference
  } catch (problem) {
    if (problem instanceof Problem && (await deps.find(key.accountId, id)) === undefined) throw notFound()
    throw problem
  }
}

const listIntents =
  (deps: IntentDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const url = request.raw.url ?? ''
    const { filter, order, page: requested, pageSize } = readListQuery(url, key.accountId, deps.zone)
    const pageNumber = checkPageNumber(requested)
    // The first page is read together with the count. Any other page is read after the count, if it exists.
    const first = pageNumber === 1 ? await deps.list.first(filter, order, pageSize, now) : undefined
    const count = first?.count ?? (await deps.list.count(filter, now))
    const page = numberedPage(pageNumber, count, pageSize)
    const intents = first?.intents ?? (await deps.list.page(filter, order, pageSize, page.offset, now))
    const results = await answerTexts(deps, intents, now)
    const address = `${deps.origin(request)}${deps.base}/intents/`
    const { next, previous } = pageLinks(address, url, page)
    const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
    return sendJson(reply, 200, `{"count":${count},${links},"results":[${results}]}`)
  }

const createIntent =
  (deps: IntentDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const { accountId } = key
    const created = await createFromRequest(deps, { request, accountId, now }, (order) =>
      deps.create(
        {
          ...order,
          accountId,
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
  }
