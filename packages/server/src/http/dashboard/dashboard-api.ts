/** What people do, under `/api/v1/dashboard`: each button of the dashboard is a call here. */
import type { FastifyInstance } from 'fastify'
import { addResource } from './resource.ts'
import { deliveryResources } from './webhook-deliveries.ts'
import { endpointResources, type WebhookRooms } from './webhook-endpoints.ts'
import { replayResources } from './webhook-replays.ts'
import { personAsks } from './who.ts'

export const dashboardBase = '/api/v1/dashboard'

export type DashboardRooms = WebhookRooms

export const dashboardApi = (rooms: DashboardRooms) => async (app: FastifyInstance) => {
  const whoAsks = (request: { headers: { authorization?: string | undefined } }, now: number) =>
    personAsks(request.headers.authorization, rooms.tokens, rooms.members, now)
  for (const resource of [...endpointResources(rooms), ...deliveryResources(rooms), ...replayResources(rooms)])
    addResource(app, rooms, whoAsks, resource)
}
