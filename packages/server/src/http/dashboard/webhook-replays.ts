/** `/webhooks/{id}/replays/`: counting and starting a replay of a range; following, stopping and resuming it. */
import * as operations from '@sanad/contract/dashboard/webhooks'
import type { ReplayId } from '../../ground/ids.ts'
import { isRefusal } from '../../ground/refusal.ts'
import {
  countReplay,
  findReplay,
  replaysOf,
  resumeReplay,
  startReplay,
  stopReplay,
} from '../../webhooks/replay-events.ts'
import { sendJson } from '../answers.ts'
import { replayReader } from '../body/webhook-body.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, idIn, type Route, route } from './route.ts'
import { replayAnswer } from './webhook-answers.ts'
import { endpointIn, type Handler, type WebhookRooms } from './webhook-endpoints.ts'

export const replayRoutes = (rooms: WebhookRooms): Route[] => [
  route(operations.listReplays, listAll(rooms)),
  route(operations.startReplay, start(rooms)),
  route(operations.showReplay, onOne(rooms, findReplay)),
  route(operations.stopReplay, onOne(rooms, stopReplay)),
  route(operations.resumeReplay, onOne(rooms, resumeReplay)),
]

const listAll =
  (rooms: WebhookRooms): Handler =>
  async (call) => {
    const { id } = await endpointIn(rooms, call)
    const replays = await replaysOf(rooms.db, call.who.accountId, id)
    return sendJson(call.reply, 200, JSON.stringify(replays.map((one) => replayAnswer(one, rooms.zone))))
  }

const start = (rooms: WebhookRooms): Handler => {
  const read = replayReader(rooms.zone)
  return async (call) => {
    const { reply, who, now } = call
    const endpoint = await endpointIn(rooms, call)
    const { count_only, only_undelivered, from, until = now + 1, kinds } = bodyOf(call, read)
    const range = { from, until, kinds, undelivered: only_undelivered }
    if (count_only) {
      const counted = await countReplay(rooms.db, who.accountId, endpoint, range, rooms.settings, now)
      if (isRefusal(counted)) throw answerTo(counted)
      return sendJson(reply, 200, JSON.stringify(counted))
    }
    const replay = await startReplay(rooms.db, who.accountId, endpoint, range, rooms.settings, now)
    if (isRefusal(replay)) throw answerTo(replay)
    return sendJson(reply, 201, JSON.stringify(replayAnswer(replay, rooms.zone)))
  }
}

const onOne =
  (rooms: WebhookRooms, act: typeof resumeReplay | typeof stopReplay): Handler =>
  async (call) => {
    const { request, reply, who, now } = call
    const { id } = await endpointIn(rooms, call)
    const replay = await act(rooms.db, who.accountId, id, idIn<ReplayId>(request, 'replay'), now)
    if (isRefusal(replay)) throw answerTo(replay)
    return sendJson(reply, 200, JSON.stringify(replayAnswer(replay, rooms.zone)))
  }
