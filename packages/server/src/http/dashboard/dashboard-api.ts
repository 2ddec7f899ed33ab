/** What people do, under `/api/v1/dashboard`: each button of the dashboard is a call here. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { type KeyRooms, keyRoutes } from './keys.ts'
import { phoneAccessRoutes } from './phone-access.ts'
import { type PhoneRooms, phoneRoutes } from './phones.ts'
import { providerRoutes } from './providers.ts'
import type { IntentDesk } from './intent-desk.ts'
import { intentRoutes } from './intents.ts'
import { overviewRoutes } from './overview.ts'
import { addRoutes, type Route } from './route.ts'
import { type SessionRooms, sessionRoutes } from './session.ts'
import { templateTrialRoutes } from './template-trials.ts'
import { type TemplateRooms, templateRoutes } from './templates.ts'
import { type WalletRooms, walletRoutes } from './wallets.ts'
import { alertRoutes } from './alerts.ts'
import { type DayCloseRooms, dayCloseRoutes } from './day-close.ts'
import { addRoutes, type Route } from './route.ts'
import { type SessionRooms, sessionRoutes } from './session.ts'
import { type UnmatchedRooms, unmatchedRoutes } from './unmatched.ts'
import { forgottenPasswordRoutes, type PasswordRooms } from './forgotten-password.ts'
import { type InvitationRooms, invitationRoutes } from './invitations.ts'
import { memberRoutes } from './members.ts'
import { type CredentialRooms, ownCredentialRoutes } from './own-credentials.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { addRoutes, type Route } from './route.ts'
import { sessionRoutes } from './session.ts'
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

export type DashboardRooms = SessionRooms & WalletRooms & PhoneRooms & TemplateRooms & KeyRooms & WebhookRooms
export type DashboardRooms = SessionRooms & WebhookRooms & StreamRooms & AuditRooms & AccountRooms & OperatorRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...walletRoutes(rooms),
  ...phoneRoutes(rooms),
  ...phoneAccessRoutes(rooms),
  ...providerRoutes(rooms),
  ...templateTrialRoutes(rooms),
  ...templateRoutes(rooms),
  ...keyRoutes(rooms),
export type DashboardRooms = SessionRooms & IntentDesk & WebhookRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...overviewRoutes(rooms),
  ...intentRoutes(rooms, dashboardBase),
export type DashboardRooms = SessionRooms & WebhookRooms & UnmatchedRooms & DayCloseRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...alertRoutes(rooms),
  ...unmatchedRoutes(rooms),
  ...dayCloseRoutes(rooms),
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
