/** What people do, under `/api/v1/dashboard`: each button of the dashboard is a call here. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { forgottenPasswordRoutes, type PasswordRooms } from './forgotten-password.ts'
import { type InvitationRooms, invitationRoutes } from './invitations.ts'
import { memberRoutes } from './members.ts'
import { type CredentialRooms, ownCredentialRoutes } from './own-credentials.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { addRoutes, type Route } from './route.ts'
import { sessionRoutes } from './session.ts'
import { deliveryRoutes } from './webhook-deliveries.ts'
import { endpointRoutes, type WebhookRooms } from './webhook-endpoints.ts'
import { replayRoutes } from './webhook-replays.ts'

export const dashboardBase = '/api/v1/dashboard'

export type DashboardRooms = CredentialRooms & PasswordRooms & InvitationRooms & WebhookRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...ownSessionRoutes(rooms),
  ...ownCredentialRoutes(rooms),
  ...forgottenPasswordRoutes(rooms),
  ...memberRoutes(rooms),
  ...invitationRoutes(rooms),
  ...endpointRoutes(rooms),
  ...deliveryRoutes(rooms),
  ...replayRoutes(rooms),
]

export const dashboardApi = (rooms: DashboardRooms) => async (app: FastifyInstance) => {
  await app.register(cookie)
  addRoutes(app, rooms, dashboardRoutes(rooms))
}
