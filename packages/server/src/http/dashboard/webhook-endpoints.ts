/** `/webhooks/` and `/webhooks/{id}/`: create, list, change, delete; the secret, its rotation, and a test. */
import * as operations from '@sanad/contract/dashboard/webhooks'
import type { FastifyReply } from 'fastify'
import type { EndpointId } from '../../ground/ids.ts'
import { isRefusal } from '../../ground/refusal.ts'
import type { Zone } from '../../ground/zone.ts'
import type { Endpoint } from '../../webhooks/endpoint.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRooms,
  endpointsOf,
  findEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../webhooks/manage-endpoints.ts'
import { type TestRooms, testSend } from '../../webhooks/test-send.ts'
import { sendJson } from '../answers.ts'
import { readEndpointChanges, readNewEndpoint, readTest, rotationReader } from '../body/webhook-body.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, type Call, count, type DashboardDoor, idIn, type Route, route } from './route.ts'
import { endpointAnswer, missedAnswer, testAnswer } from './webhook-answers.ts'

export type Handler = (call: Call) => Promise<FastifyReply>

export type WebhookRooms = EndpointRooms &
  Pick<TestRooms, 'call' | 'userAgent'> &
  DashboardDoor & {
    readonly zone: Zone
    /** Something was put into a queue. */
    readonly wake: () => void
  }

/** The endpoint that the path names, if it is the account's. */
export const endpointIn = async (rooms: WebhookRooms, { request, who }: Call): Promise<Endpoint> => {
  const endpoint = await findEndpoint(rooms.db, who.accountId, idIn<EndpointId>(request, 'id'))
  if (isRefusal(endpoint)) throw answerTo(endpoint)
  return endpoint
}

export const endpointRoutes = (rooms: WebhookRooms): Route[] => [
  route(operations.listWebhooks, listAll(rooms)),
  route(operations.createWebhook, create(rooms)),
  route(operations.showWebhook, retrieve(rooms)),
  route(operations.changeWebhook, change(rooms)),
  route(operations.deleteWebhook, remove(rooms)),
  route(operations.rotateWebhookSecret, rotate(rooms)),
  route(operations.testWebhook, test(rooms)),
]

const listAll =
  (rooms: WebhookRooms): Handler =>
  async ({ reply, who, now }) => {
    const endpoints = await endpointsOf(rooms.db, who.accountId)
    return sendJson(reply, 200, JSON.stringify(endpoints.map((one) => endpointAnswer(one, rooms, now))))
  }

const create =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { reply, who, now } = call
    const made = await createEndpoint(rooms, who.accountId, bodyOf(call, readNewEndpoint), now)
    if (isRefusal(made)) throw answerTo(made)
    const answer = { ...endpointAnswer(made.endpoint, rooms, now), secret: made.secret }
    return sendJson(reply, 201, JSON.stringify(answer))
  }

const retrieve =
  (rooms: WebhookRooms): Handler =>
  async (call) =>
    sendJson(call.reply, 200, JSON.stringify(endpointAnswer(await endpointIn(rooms, call), rooms, call.now)))

const change =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { reply, who, now } = call
    const { id } = await endpointIn(rooms, call)
    const changed = await updateEndpoint(rooms, who.accountId, id, bodyOf(call, readEndpointChanges), now)
    if (isRefusal(changed)) throw answerTo(changed)
    const { endpoint, missed } = changed
    const answer = { ...endpointAnswer(endpoint, rooms, now), missed: missed && missedAnswer(missed, rooms.zone) }
    return sendJson(reply, 200, JSON.stringify(answer))
  }

const remove =
  ({ db }: WebhookRooms): Handler =>
  async ({ request, reply, who, now }) => {
    const deleted = await deleteEndpoint(db, who.accountId, idIn<EndpointId>(request, 'id'), now)
    if (isRefusal(deleted)) throw answerTo(deleted)
    return reply.code(204).send()
  }

const rotate = (rooms: WebhookRooms): Handler => {
  const readRotation = rotationReader(rooms.settings)
  return async (call) => {
    const { reply, who, now } = call
    const { id } = await endpointIn(rooms, call)
    const { overlap_s } = bodyOf(call, readRotation)
    const rotated = await rotateSecret(rooms, who.accountId, id, overlap_s * 1000, now)
    if (isRefusal(rotated)) throw answerTo(rotated)
    return sendJson(reply, 200, JSON.stringify(endpointAnswer(rotated, rooms, now)))
  }
}

/** Every test is a call to somebody else's machine, which a person could aim: so these are counted apart. */
const test =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { reply, who, now } = call
    const endpoint = await endpointIn(rooms, call)
    const kind = bodyOf(call, readTest).kind ?? endpoint.kinds[0] ?? 'payment.verified'
    await count(rooms, 'webhook_test', who.accountId, now)
    const sent = await testSend(rooms, who.accountId, endpoint.id, kind)
    if (isRefusal(sent)) throw answerTo(sent)
    return sendJson(reply, 200, JSON.stringify(testAnswer(sent)))
  }
