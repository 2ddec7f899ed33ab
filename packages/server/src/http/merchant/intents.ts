/** `/intents/` and `/intents/{id}/`: create, list, retrieve, attach the reference. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../accounts/api-key.ts'
import type { Instant } from '../../ground/clock.ts'
import type { IntentId, WalletId } from '../../ground/ids.ts'
import { isRefusal, refuse } from '../../ground/refusal.ts'
import { fingerprint } from '../../ground/seal.ts'
import type { Zone } from '../../ground/zone.ts'
import { type Created, type CreateIntent, storedAnswer } from '../../intents/create-intents.ts'
import type { FindIntent } from '../../intents/find-intents.ts'
import type { Intent } from '../../intents/intent.ts'
import type { ListIntents } from '../../intents/list-intents.ts'
import type { AttachReference } from '../../matching/attach-references.ts'
import type { Db } from '../../postgres/database.ts'
import { obstacle, type Wallet } from '../../wallets/wallet.ts'
import type { WalletLookup } from '../../wallets/wallet-lookup.ts'
import { invalid, notFound, Problem, type ProblemEntry, sendJson } from '../answers.ts'
import { readAttachReference } from '../body/attach-reference-body.ts'
import { readCreateIntent, withWalletError } from '../body/create-intent-body.ts'
import { canonical, type Json } from '../body/json.ts'
import { uuidOfText } from '../body/uuid.ts'
import { withPage } from '../query/parameters.ts'
import { intentText, itemsText } from './intent-answer.ts'
import { readListQuestion } from './list-question.ts'
import { answerTo, unknownWallet } from './refusals.ts'
import type { Call, Handler, Resource } from './resource.ts'
import { sentBody } from './sent-body.ts'

export type IntentRooms = {
  readonly db: Db
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly create: CreateIntent
  readonly attach: AttachReference
  readonly find: FindIntent
  readonly list: ListIntents
  /** `https://pay.example.com`, as this request reaches us. */
  readonly origin: (request: FastifyRequest) => string
  /** `/api/v1/merchant` */
  readonly base: string
}

export const intentResources = (rooms: IntentRooms): Resource[] => [
  {
    url: '/intents/',
    name: 'Intent List',
    bucket: 'intents',
    methods: {
      GET: { bucket: 'intents_list', handle: listIntents(rooms) },
      POST: { bucket: 'intents', handle: createIntent(rooms) },
    },
  },
  {
    url: '/intents/:id/',
    name: 'Intent Instance',
    bucket: 'intents',
    methods: {
      GET: { bucket: 'intents', handle: retrieveIntent(rooms) },
      PATCH: { bucket: 'intents', handle: patchIntent(rooms) },
    },
  },
]

const walletOf = async (rooms: IntentRooms, intent: Intent, now: Instant): Promise<Wallet> => {
  const wallet = await rooms.wallets.get(intent.accountId, intent.walletId, now)
  if (wallet === undefined) throw new Error(`intent ${intent.id} has no wallet`)
  return wallet
}

const asText = async (rooms: IntentRooms, intent: Intent, now: Instant): Promise<string> =>
  intentText(intent, await walletOf(rooms, intent, now), rooms.zone, now)

/** A page of intents is mostly of a few wallets: each is looked up once. */
const asTexts = async (rooms: IntentRooms, intents: readonly Intent[], now: Instant): Promise<string> => {
  const wallets = new Map<string, Wallet>()
  const texts: string[] = []
  for (const intent of intents) {
    let wallet = wallets.get(intent.walletId)
    if (wallet === undefined) {
      wallet = await walletOf(rooms, intent, now)
      wallets.set(intent.walletId, wallet)
    }
    texts.push(intentText(intent, wallet, rooms.zone, now))
  }
  return texts.join(',')
}

const intentId = (request: FastifyRequest): IntentId => {
  const id = uuidOfText((request.params as { id: string }).id)
  if (id === undefined) throw notFound()
  return id as IntentId
}

const retrieveIntent =
  (rooms: IntentRooms): Handler =>
  async ({ request, reply, key, now }) => {
    const intent = await rooms.find(key.accountId, intentId(request))
    if (intent === undefined) throw notFound()
    return sendJson(reply, 200, await asText(rooms, intent, now))
  }

const patchIntent =
  (rooms: IntentRooms): Handler =>
  async ({ request, reply, key, now }) => {
    const id = intentId(request)
    const reference = await readReference(rooms, request, key, id)
    const attached = await rooms.attach({ accountId: key.accountId, id, reference, by: `key ${key.clientId}` }, now)
    if (isRefusal(attached)) throw answerTo(attached)
    return sendJson(reply, 200, await asText(rooms, attached, now))
  }

/** An unknown intent is a 404 whatever the body is; a known one is asked for only when the body is wrong. */
const readReference = async (
  rooms: IntentRooms,
  request: FastifyRequest,
  key: ApiKey,
  id: IntentId,
): Promise<string> => {
  try {
    const reading = readAttachReference(sentBody(request))
    if (reading.kind === 'no') throw invalid(reading.errors)
    return reading.value.reference
  } catch (problem) {
    if (problem instanceof Problem && (await rooms.find(key.accountId, id)) === undefined) throw notFound()
    throw problem
  }
}

const listIntents =
  (rooms: IntentRooms): Handler =>
  async ({ request, reply, key, now }) => {
    const url = request.raw.url ?? ''
    const { filter, order, page: asked, pageSize } = readListQuestion(url, key.accountId, rooms.zone)
    if (asked === undefined) throw notFound('Invalid page.')
    // The first page is read while it is counted; further ones only once it is known that they are there.
    const first = asked === 1 ? await rooms.list.first(filter, order, pageSize, now) : undefined
    const count = first?.count ?? (await rooms.list.count(filter, now))
    const last = Math.max(1, Math.ceil(count / pageSize))
    const page = asked === 'last' ? last : asked
    if (page > last) throw notFound('Invalid page.')
    const intents = first?.intents ?? (await rooms.list.page(filter, order, pageSize, (page - 1) * pageSize, now))
    const results = await asTexts(rooms, intents, now)
    const address = `${rooms.origin(request)}${rooms.base}/intents/`
    const link = (to: number | undefined): string =>
      to === undefined ? 'null' : JSON.stringify(withPage(address, url, to))
    const next = link(page < last ? page + 1 : undefined)
    const previous = link(page > 1 ? page - 1 : undefined)
    return sendJson(reply, 200, `{"count":${count},"next":${next},"previous":${previous},"results":[${results}]}`)
  }

const keyHeader = 'SERVICE-IDEMPOTENCY-KEY'
const longestKey = 128

type IdempotencyKey = { readonly key: string; readonly fingerprint: Buffer }

export const idempotencyKey = (
  request: FastifyRequest,
  body: Json,
): { readonly key: IdempotencyKey | undefined; readonly errors: readonly ProblemEntry[] } => {
  const sent = request.headers[keyHeader.toLowerCase()]
  if (typeof sent !== 'string' || sent === '') return { key: undefined, errors: [] }
  if (sent.length > longestKey) {
    const detail = `Ensure this field has no more than ${longestKey} characters.`
    return { key: undefined, errors: [{ code: 'max_length', detail, attr: keyHeader }] }
  }
  return { key: { key: sent, fingerprint: fingerprint(canonical(body)) }, errors: [] }
}

const createIntent =
  (rooms: IntentRooms): Handler =>
  async (call) => {
    const { request, key, now } = call
    const body = sentBody(request)
    const { key: idempotency, errors: keyErrors } = idempotencyKey(request, body)
    const reading = readCreateIntent(body)

    const walletId = reading.kind === 'ok' ? reading.draft.wallet : reading.wallet
    const wallet = walletId === undefined ? undefined : await rooms.wallets.get(key.accountId, walletId, now)
    const stands = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
    const unknown = walletId !== undefined && stands === 'wallet_unknown' ? unknownWallet(walletId) : undefined

    const errors: ProblemEntry[] = []
    if (reading.kind === 'no' && unknown) errors.push(...withWalletError(reading, unknown))
    // The key is a field like the others: a rule over the whole order is tried only when every field is right.
    else if (reading.kind === 'no' && (reading.rule === 'field' || keyErrors.length === 0))
      errors.push(...reading.errors)
    else if (unknown) errors.push(unknown)
    errors.push(...keyErrors)
    if (errors.length > 0 || stands !== undefined || reading.kind === 'no' || wallet === undefined)
      return sendEarlier(
        rooms,
        call,
        idempotency,
        errors.length > 0 ? invalid(errors) : answerTo(refuse('wallet_not_monitored')),
      )

    const { draft } = reading
    if (draft.currency !== undefined && draft.currency !== wallet.currency) {
      const mismatch = answerTo(refuse('currency_mismatch', { currency: wallet.currency }))
      return sendEarlier(rooms, call, idempotency, mismatch)
    }
    const created = await rooms.create(
      {
        accountId: key.accountId,
        quota: key.monthlyIntentQuota,
        createdBy: `key ${key.clientId}`,
        draft: {
          walletId: wallet.id as WalletId,
          total: draft.total,
          currency: wallet.currency,
          externalOrderId: draft.externalOrderId,
          notes: draft.notes,
          items: itemsText(draft.items),
        },
        wallet,
        idempotency,
        write: (intent, seen) => intentText(intent, seen, rooms.zone, now),
      },
      now,
    )
    if (isRefusal(created)) throw answerTo({ ...created, facts: { wallet: wallet.id, ...created.facts } })
    return sendCreated(rooms, call, created)
  }

/** A key that was answered keeps its answer, though the wallet may have been switched off or changed since. */
const sendEarlier = async (
  rooms: IntentRooms,
  call: Call,
  idempotency: IdempotencyKey | undefined,
  otherwise: Problem,
): Promise<FastifyReply> => {
  const earlier = idempotency && (await storedAnswer(rooms.db, call.key.accountId, idempotency, call.now))
  if (earlier === undefined || isRefusal(earlier)) throw otherwise
  return sendCreated(rooms, call, earlier)
}

const sendCreated = (rooms: IntentRooms, { request, reply }: Call, created: Created) => {
  reply.header('location', `${rooms.origin(request)}${rooms.base}/intents/${created.intentId}/`)
  if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
  return sendJson(reply, 201, created.answer)
}
