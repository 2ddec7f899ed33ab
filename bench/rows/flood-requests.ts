/** The requests of an account that floods, and of its neighbours, who keep their limits. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { signatureOf } from '../../packages/server/src/http/device/signature.ts'
import type { Db } from '../../packages/server/src/postgres/connection/database.ts'
import type { PlannedRequest, Stream } from '../harness/paced.ts'
import type { Merchant } from '../harness/service-process.ts'
import { reportOf } from './alert-pool.ts'
import { makeOpen } from './seed.ts'
import { createRequest, listRequest, retrieveRequest } from './shop-requests.ts'

/** A second, for each kind of call: 75 times the limit of creates, 300 times that of lists, 10 times that of a phone. */
export const floods = { creates: 300, lists: 300, alerts: 100 } as const

/** Calls of one neighbour in a second: a list, two creates and three retrieves in two seconds, and an alert every tenth call. */
export const ofNeighbour_s = 3
const alertEvery = 10

const alertPath = '/api/v1/device/alerts'

/** A report of one alert that no other report has. It is signed now: it is valid for five minutes. */
const alertRequest = ({ demo: { device } }: Merchant): PlannedRequest => {
  const requestId = randomUUID()
  const timestamp = String(Math.floor(systemClock.now() / 1000))
  const body = JSON.stringify({ alerts: [reportOf(`9${requestId}`)] })
  const signed = { method: 'POST', path: alertPath, device: device.id, requestId, timestamp, body: Buffer.from(body) }
  const headers = {
    'content-type': 'application/json',
    'x-service-device': device.id,
    'x-service-request-id': requestId,
    'x-service-timestamp': timestamp,
    'x-service-device-signature': signatureOf(device.secret, signed),
  }
  return { method: 'POST', path: alertPath, headers, body }
}

export type Neighbour = { readonly merchant: Merchant; readonly calls: readonly PlannedRequest[] }

export const neighbourOf = async (db: Db, merchant: Merchant): Promise<Neighbour> => {
  const { ids } = await makeOpen(db, merchant, 20, systemClock.now())
  const retrieve = (n: number): PlannedRequest => retrieveRequest(merchant, ids[n]!)
  const create = createRequest(merchant)
  return { merchant, calls: [create, retrieve(0), listRequest(merchant), retrieve(1), create, retrieve(2)] }
}

/** Enough for so many seconds; none is repeated that may be sent once only. */
export const neighbourStream = (neighbours: readonly Neighbour[], seconds: number): Stream => {
  const perSecond = ofNeighbour_s * neighbours.length
  const requests = Array.from({ length: Math.ceil(perSecond * seconds * 1.5) }, (_, n) => {
    const { merchant, calls } = neighbours[n % neighbours.length]!
    const turn = Math.floor(n / neighbours.length) + n
    return turn % alertEvery === 0 ? alertRequest(merchant) : calls[turn % calls.length]!
  })
  return { name: 'neighbours', perSecond, connections: 4 * neighbours.length, seed: 1, requests }
}

export const floodStreams = (merchant: Merchant, seconds: number): readonly Stream[] => [
  { name: 'creates', perSecond: floods.creates, connections: 32, requests: [createRequest(merchant)] },
  { name: 'lists', perSecond: floods.lists, connections: 32, requests: [listRequest(merchant)] },
  {
    name: 'alerts',
    perSecond: floods.alerts,
    connections: 32,
    requests: Array.from({ length: floods.alerts * (seconds + 1) }, () => alertRequest(merchant)),
  },
]

/** Many merchants, so that none reaches its limits: a process that has just started is slow for everybody. */
export const warmingStream = (merchants: readonly Merchant[]): Stream => ({
  name: 'warming',
  perSecond: 20 * merchants.length,
  connections: 16,
  requests: merchants.flatMap((merchant) => [createRequest(merchant), listRequest(merchant)]),
})
