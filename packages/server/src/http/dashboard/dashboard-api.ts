/** What people do, under `/api/v1/dashboard`: each button of the dashboard is a call here. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { type AccountRooms, accountRoutes } from './account.ts'
import { type AuditRooms, auditRoutes } from './audit-log.ts'
import { type OperatorRooms, operatorAccountRoutes } from './operator-accounts.ts'
import { operatorProviderRoutes } from './operator-providers.ts'
import { operatorTemplateRoutes } from './operator-templates.ts'
import { addRoutes, type Route } from './route.ts'
import { type SessionRooms, sessionRoutes } from './session.ts'
import { type StreamRooms, streamRoutes } from './stream.ts'
import { deliveryRoutes } from './webhook-deliveries.ts'
import { endpointRoutes, type WebhookRooms } from './webhook-endpoints.ts'
import { replayRoutes } from './webhook-replays.ts'

export const dashboardBase = '/api/v1/dashboard'

export type DashboardRooms = SessionRooms & WebhookRooms & StreamRooms & AuditRooms & AccountRooms & OperatorRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...endpointRoutes(rooms),
  ...deliveryRoutes(rooms),
  ...replayRoutes(rooms),
  ...streamRoutes(rooms),
  ...auditRoutes(rooms),
  ...accountRoutes(rooms),
  ...operatorAccountRoutes(rooms),
  ...operatorProviderRoutes(rooms),
  ...operatorTemplateRoutes(rooms),
]

export const dashboardApi = (rooms: DashboardRooms) => async (app: FastifyInstance) => {
  await app.register(cookie)
  addRoutes(app, rooms, dashboardRoutes(rooms))
}
