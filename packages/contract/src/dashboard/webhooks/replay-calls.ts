/** The calls that count, begin, show, stop and resume a replay of events. */
import { Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { closed } from '../../schema.ts'
import { ReplayRange } from './webhook-bodies.ts'
import { Replay } from './webhook-replay.ts'

const operation = operationsOf({ tag: 'Webhooks' })
const endpointPath = '/webhooks/{id}/'
const range = { from: '2026-01-01T00:00:00Z' }

export const listReplays = operation({
  id: 'listReplays',
  method: 'GET',
  path: `${endpointPath}replays/`,
  access: 'webhooks.read',
  summary: 'The ranges that were sent again',
  answer: closed({ results: Type.Array(Replay) }),
})

export const countReplay = operation({
  id: 'countReplay',
  method: 'POST',
  path: `${endpointPath}replays/count/`,
  access: 'webhooks.read',
  summary: 'How many events a range holds, before it is sent again',
  body: ReplayRange,
  example: range,
  answer: closed({ count: Type.Integer(), more: Type.Boolean() }),
})

export const startReplay = operation({
  id: 'startReplay',
  method: 'POST',
  path: `${endpointPath}replays/`,
  access: 'webhooks.write',
  summary: 'Send a range again',
  body: ReplayRange,
  example: range,
  status: 201,
  answer: Replay,
})

export const showReplay = operation({
  id: 'showReplay',
  method: 'GET',
  path: `${endpointPath}replays/{replay}/`,
  access: 'webhooks.read',
  summary: 'The progress of a replay',
  answer: Replay,
})

export const stopReplay = operation({
  id: 'stopReplay',
  method: 'POST',
  path: `${endpointPath}replays/{replay}/stop/`,
  access: 'webhooks.write',
  summary: 'Stop a replay',
  answer: Replay,
})

export const resumeReplay = operation({
  id: 'resumeReplay',
  method: 'POST',
  path: `${endpointPath}replays/{replay}/resume/`,
  access: 'webhooks.write',
  summary: 'Resume a replay',
  answer: Replay,
})

export const replayOperations = operation.described
