/** What people do, under `/api/v1/dashboard`: each button of the dashboard is a call here. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { type AccountRooms, accountRoutes } from './account.ts'
import { alertRoutes } from './alerts.ts'
import { type AuditRooms, auditRoutes } from './audit-log.ts'
import { type DayCloseRooms, dayCloseRoutes } from './day-close.ts'
import { forgottenPasswordRoutes, type PasswordRooms } from './forgotten-password.ts'
import type { IntentDesk } from './intent-desk.ts'
import { intentRoutes } from './intents.ts'
import { type InvitationRooms, invitationRoutes } from './invitations.ts'
import { type KeyRooms, keyRoutes } from './keys.ts'
import { memberRoutes } from './members.ts'
import { type NoticeRooms, noticeRoutes } from './notices.ts'
import { type OperatorRooms, operatorAccountRoutes } from './operator-accounts.ts'
import { operatorProviderRoutes } from './operator-providers.ts'
import { operatorTemplateRoutes } from './operator-templates.ts'
import { overviewRoutes } from './overview.ts'
import { type CredentialRooms, ownCredentialRoutes } from './own-credentials.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { phoneAccessRoutes } from './phone-access.ts'
import { type PhoneRooms, phoneRoutes } from './phones.ts'
import { providerRoutes } from './providers.ts'
import { addRoutes, type Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { sessionRoutes } from './session.ts'
import { type StreamRooms, streamRoutes } from './stream.ts'
import { templateTrialRoutes } from './template-trials.ts'
import { type TemplateRooms, templateRoutes } from './templates.ts'
import { type TestPaymentRooms, testPaymentRoutes } from './test-payment.ts'
import { type UnmatchedRooms, unmatchedRoutes } from './unmatched.ts'
import { type WalletRooms, walletRoutes } from './wallets.ts'
import { deliveryRoutes } from './webhook-deliveries.ts'
import { endpointRoutes, type WebhookRooms } from './webhook-endpoints.ts'
import { replayRoutes } from './webhook-replays.ts'

export const dashboardBase = '/api/v1/dashboard'

type PeopleRooms = CredentialRooms &
  PasswordRooms &
  InvitationRooms &
  AccountRooms &
  AuditRooms &
  NoticeRooms &
  OperatorRooms
type MoneyRooms = IntentDesk & UnmatchedRooms & DayCloseRooms & TestPaymentRooms
type ThingRooms = WalletRooms & PhoneRooms & TemplateRooms & KeyRooms & WebhookRooms

export type DashboardRooms = PeopleRooms & MoneyRooms & ThingRooms & StreamRooms

export const dashboardRoutes = (rooms: DashboardRooms): Route[] => [
  ...sessionRoutes(rooms),
  ...ownSessionRoutes(rooms),
  ...ownCredentialRoutes(rooms),
  ...forgottenPasswordRoutes(rooms),
  ...overviewRoutes(rooms),
  ...intentRoutes(rooms, dashboardBase),
  ...testPaymentRoutes(rooms),
  ...alertRoutes(rooms),
  ...unmatchedRoutes(rooms),
  ...searchRoutes(rooms),
  ...dayCloseRoutes(rooms),
  ...walletRoutes(rooms),
  ...phoneRoutes(rooms),
  ...phoneAccessRoutes(rooms),
  ...providerRoutes(rooms),
  ...templateTrialRoutes(rooms),
  ...templateRoutes(rooms),
  ...keyRoutes(rooms),
  ...endpointRoutes(rooms),
  ...deliveryRoutes(rooms),
  ...replayRoutes(rooms),
  ...noticeRoutes(rooms),
  ...accountRoutes(rooms),
  ...memberRoutes(rooms),
  ...invitationRoutes(rooms),
  ...auditRoutes(rooms),
  ...streamRoutes(rooms),
  ...operatorAccountRoutes(rooms),
  ...operatorProviderRoutes(rooms),
  ...operatorTemplateRoutes(rooms),
]

export const dashboardApi = (rooms: DashboardRooms) => async (app: FastifyInstance) => {
  await app.register(cookie)
  addRoutes(app, rooms, dashboardRoutes(rooms))
}
