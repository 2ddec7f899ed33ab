/** The API of the dashboard, under `/api/v1/dashboard`. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { callRoutes } from '../calls/api-calls.ts'
import { type CheckoutRouteDeps, checkoutRoutes } from '../checkouts/checkouts.ts'
import { collectRestRoutes } from '../checkouts/collect-rest.ts'
import { funnelDaysRoutes } from '../checkouts/funnel-days.ts'
import { paymentLinkRoutes } from '../checkouts/payment-links.ts'
import { counterRoutes } from '../counter/counter.ts'
import { saleRoutes } from '../counter/sales.ts'
import { shiftRoutes } from '../counter/shifts.ts'
import { type StartSaleDeps, startSaleRoutes } from '../counter/start-sale.ts'
import { downloads, type SendDownload } from '../downloads.ts'
import { csvRoutes } from '../intents/csv-intents.ts'
import type { IntentRouteDeps } from '../intents/intent-deps.ts'
import { intentRoutes } from '../intents/intents.ts'
import { overviewRoutes } from '../intents/overview.ts'
import { searchRoutes } from '../intents/search.ts'
import { type TestPaymentDeps, testPaymentRoutes } from '../intents/test-payment.ts'
import { type VoucherRouteDeps, voucherRoutes } from '../intents/vouchers.ts'
import { type StreamDeps, streamRoutes } from '../live/stream.ts'
import { alertRoutes } from '../money/alerts.ts'
import { arrivedRoutes } from '../money/arrived.ts'
import { type DayCloseDeps, dayCloseRoutes } from '../money/day-close.ts'
import { daySumRoutes } from '../money/day-sums.ts'
import { type UnmatchedDeps, unmatchedRoutes } from '../money/unmatched.ts'
import { type FindingDeps, findingRoutes } from '../operator/findings.ts'
import { operatorAccountRoutes } from '../operator/operator-accounts.ts'
import { operatorProviderRoutes } from '../operator/operator-providers.ts'
import { operatorTemplateRoutes } from '../operator/operator-templates.ts'
import { serviceHoursRoutes } from '../operator/service-hours.ts'
import { type AccountDeps, accountRoutes } from '../people/account.ts'
import { addressRoutes } from '../people/addresses.ts'
import { auditRoutes } from '../people/audit-log.ts'
import { type BuyerDeps, buyerRoutes } from '../people/buyers.ts'
import { checkoutPageRoutes } from '../people/checkout-page.ts'
import { counterDeviceRoutes } from '../people/counters.ts'
import { factorRuleRoutes } from '../people/factor-rule.ts'
import { forgottenPasswordRoutes, type PasswordDeps } from '../people/forgotten-password.ts'
import { type InvitationDeps, invitationRoutes } from '../people/invitations.ts'
import { type KeyDeps, keyRoutes } from '../people/keys.ts'
import { limitRoutes } from '../people/limits.ts'
import { memberRoutes } from '../people/members.ts'
import { noticeRoutes } from '../people/notices.ts'
import { type NotificationDeps, notificationRoutes } from '../people/notifications.ts'
import { ownCredentialRoutes } from '../people/own-credentials.ts'
import { ownSessionRoutes } from '../people/own-sessions.ts'
import { passkeyRoutes } from '../people/passkeys.ts'
import { proofRoutes } from '../people/proof.ts'
import { type RetentionDeps, retentionRoutes } from '../people/retention.ts'
import { sessionRoutes } from '../people/session.ts'
import { requestRoutes } from '../requests/requests.ts'
import { addDashboardRoutes, changedCookie, type Route } from '../route.ts'
import { approvalRoutes } from '../wallets/approvals.ts'
import { phoneAccessRoutes } from '../wallets/phone-access.ts'
import { type PhoneDeps, phoneRoutes } from '../wallets/phones.ts'
import { providerRoutes } from '../wallets/providers.ts'
import { templateTrialRoutes } from '../wallets/template-trials.ts'
import { type TemplateDeps, templateRoutes } from '../wallets/templates.ts'
import { uniqueAmountRoutes } from '../wallets/unique-amounts.ts'
import { type WalletDeps, walletRoutes } from '../wallets/wallets.ts'
import { deliveryRoutes } from '../webhooks/webhook-deliveries.ts'
import { endpointRoutes, type WebhookDeps } from '../webhooks/webhook-endpoints.ts'
import { replayRoutes } from '../webhooks/webhook-replays.ts'

export const dashboardBase = '/api/v1/dashboard'

/** Longer than a hint to another node takes. */
const changedFor_s = 10

type PeopleDeps = PasswordDeps &
  InvitationDeps &
  AccountDeps &
  FindingDeps &
  NotificationDeps &
  RetentionDeps &
  BuyerDeps
type MoneyDeps = IntentRouteDeps & CheckoutRouteDeps & StartSaleDeps & UnmatchedDeps & DayCloseDeps & TestPaymentDeps
type ManagementDeps = WalletDeps & PhoneDeps & TemplateDeps & KeyDeps & WebhookDeps

export type DashboardDeps = PeopleDeps & MoneyDeps & VoucherRouteDeps & ManagementDeps & StreamDeps

const dashboardRoutes = (deps: DashboardDeps & { readonly sendDownload: SendDownload }): Route[] => [
  ...sessionRoutes(deps),
  ...proofRoutes(deps),
  ...passkeyRoutes(deps),
  ...ownSessionRoutes(deps),
  ...ownCredentialRoutes(deps),
  ...forgottenPasswordRoutes(deps),
  ...overviewRoutes(deps),
  ...arrivedRoutes(deps),
  ...intentRoutes(deps, dashboardBase),
  ...csvRoutes(deps),
  ...voucherRoutes(deps),
  ...collectRestRoutes(deps),
  ...testPaymentRoutes(deps),
  ...checkoutRoutes(deps),
  ...paymentLinkRoutes(deps),
  ...funnelDaysRoutes(deps),
  ...alertRoutes(deps),
  ...unmatchedRoutes(deps),
  ...searchRoutes(deps),
  ...counterRoutes(deps),
  ...saleRoutes(deps),
  ...shiftRoutes(deps),
  ...startSaleRoutes(deps),
  ...requestRoutes(deps),
  ...daySumRoutes(deps),
  ...dayCloseRoutes(deps),
  ...walletRoutes(deps),
  ...uniqueAmountRoutes(deps),
  ...phoneRoutes(deps),
  ...phoneAccessRoutes(deps),
  ...providerRoutes(deps),
  ...templateTrialRoutes(deps),
  ...templateRoutes(deps),
  ...approvalRoutes(deps),
  ...keyRoutes(deps),
  ...endpointRoutes(deps),
  ...deliveryRoutes(deps),
  ...replayRoutes(deps),
  ...callRoutes(deps),
  ...noticeRoutes(deps),
  ...notificationRoutes(deps),
  ...accountRoutes(deps),
  ...limitRoutes(deps),
  ...retentionRoutes(deps),
  ...buyerRoutes(deps),
  ...checkoutPageRoutes(deps),
  ...memberRoutes(deps),
  ...counterDeviceRoutes(deps),
  ...factorRuleRoutes(deps),
  ...addressRoutes(deps),
  ...invitationRoutes(deps),
  ...auditRoutes(deps),
  ...streamRoutes(deps),
  ...operatorAccountRoutes(deps),
  ...serviceHoursRoutes(deps),
  ...findingRoutes(deps),
  ...operatorProviderRoutes(deps),
  ...operatorTemplateRoutes(deps),
]

export const dashboardApi = (deps: DashboardDeps) => async (app: FastifyInstance) => {
  await app.register(cookie)
  // So that a browser that changed something reads the change, also from another node, whose hint may be on its way.
  if (deps.reads.isOn)
    app.addHook('onSend', async (request, reply) => {
      if (request.method === 'GET' || request.method === 'HEAD' || reply.statusCode >= 400) return
      const options = { path: dashboardBase, httpOnly: true, sameSite: 'strict', secure: deps.secure } as const
      reply.setCookie(changedCookie, '1', { ...options, maxAge: changedFor_s })
    })
  addDashboardRoutes(app, deps, dashboardRoutes({ ...deps, sendDownload: downloads() }))
}
