/** `/webhooks/{id}/deliveries/`: the delivery log, one delivery with its attempts, and sending one again. */
import * as operations from '@sanad/contract/dashboard/webhooks'
import type { FastifyRequest } from 'fastify'
import type { DeliveryId } from '../../ground/ids.ts'
import { isRefusal } from '../../ground/refusal.ts'
import {
  type LogCursor,
  type LogFilter,
  largestPage,
  logFilters,
  readDelivery,
  readLog,
} from '../../webhooks/delivery-log.ts'
import { redeliver } from '../../webhooks/redeliver.ts'
import { invalid, type ProblemEntry, sendJson } from '../answers.ts'
import { uuidOfText } from '../body/uuid.ts'
import { lastValues } from '../query/parameters.ts'
import { readWholeNumber } from '../query/whole-number.ts'
import { answerTo } from './refusals.ts'
import { idIn, type Route, route } from './route.ts'
import { cursorText, deliveryAnswer, wholeDeliveryAnswer } from './webhook-answers.ts'
import { endpointIn, type Handler, type WebhookRooms } from './webhook-endpoints.ts'

export const deliveryRoutes = (rooms: WebhookRooms): Route[] => [
  route(operations.listDeliveries, log(rooms)),
  route(operations.showDelivery, one(rooms)),
  route(operations.redeliver, again(rooms)),
]

const usualPage = 50

const cursorOf = (text: string): LogCursor | undefined => {
  const [id = '', replay = ''] = text.split('.')
  const eventId = uuidOfText(id)
  return eventId !== undefined && /^\d{1,9}$/.test(replay) ? { eventId, replay: Number(replay) } : undefined
}

const readQuestion = (request: FastifyRequest) => {
  const sent = lastValues(request.raw.url ?? '')
  const errors: ProblemEntry[] = []
  const state = sent.get('state') || 'all'
  if (!logFilters.includes(state as LogFilter))
    errors.push({ code: 'invalid_choice', detail: `"${state}" is not one of ${logFilters.join(', ')}.`, attr: 'state' })
  const cursor = sent.get('after') || undefined
  const after = cursor === undefined ? undefined : cursorOf(cursor)
  if (cursor !== undefined && after === undefined)
    errors.push({ code: 'invalid', detail: 'This is no "next" of a page.', attr: 'after' })
  if (errors.length > 0) throw invalid(errors)
  const size = readWholeNumber(sent.get('page_size') ?? '') ?? usualPage
  return { filter: state as LogFilter, after, size: size < 1 ? usualPage : Math.min(size, largestPage) }
}

const log =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { id } = await endpointIn(rooms, call)
    const { deliveries, next } = await readLog(rooms.db, call.who.accountId, id, readQuestion(call.request))
    const results = deliveries.map((delivery) => deliveryAnswer(delivery, rooms.zone))
    return sendJson(call.reply, 200, JSON.stringify({ next: cursorText(next), results }))
  }

const one =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { id } = await endpointIn(rooms, call)
    const delivery = await readDelivery(rooms.db, call.who.accountId, id, idIn<DeliveryId>(call.request, 'delivery'))
    if (isRefusal(delivery)) throw answerTo(delivery)
    return sendJson(call.reply, 200, JSON.stringify(wholeDeliveryAnswer(delivery, rooms.zone)))
  }

const again =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { request, reply, who, now } = call
    const { id } = await endpointIn(rooms, call)
    const sent = await redeliver(
      rooms.db,
      who.accountId,
      id,
      idIn<DeliveryId>(request, 'delivery'),
      rooms.settings,
      now,
    )
    if (isRefusal(sent)) throw answerTo(sent)
    rooms.wake()
    const delivery = await readDelivery(rooms.db, who.accountId, id, sent.deliveryId)
    if (isRefusal(delivery)) throw answerTo(delivery)
    return sendJson(reply, 202, JSON.stringify(deliveryAnswer(delivery, rooms.zone)))
  }
