/**
 * The first queries of each screen of the dashboard. The server answers them together with the page, and the screen
 * sends the same ones: both take them from here, because an answer is found by the exact address of its query. Plain
 * data: no schema is sent to the browser with it.
 */

import type { Operation, SentQuery } from '../operation.ts'
import type * as calls from './operations-by-name.ts'

type Calls = {
  [Name in keyof typeof calls as (typeof calls)[Name] extends Operation ? Name : never]: Extract<
    (typeof calls)[Name],
    Operation
  >
}
type CallName = keyof Calls

export type FirstQuery = {
  [Name in CallName]: { readonly call: Name; readonly query?: SentQuery<Calls[Name]> }
}[CallName]

/** The parameters of the queries that need parameters. */
export const firstPage = {
  latestPaid: { status: 'VERIFIED', page_size: 1 },
  unseenNotices: { unseen: '1', page_size: 5 },
  notices: { page_size: 25 },
  openApprovals: { open: '1', page_size: 20 },
  approvals: { page_size: 20 },
  openRequests: { open: '1', page_size: 20 },
  requests: { page_size: 20 },
  intents: { page: 1, page_size: 20 },
  unmatched: { page_size: 25 },
  phoneAlerts: { page_size: 20 },
  providers: { page_size: 200 },
  templates: { page_size: 200 },
  deliveries: { state: 'all', page_size: 25 },
  calls: { page_size: 50 },
  closedDays: { days: 10 },
  checkouts: { page_size: 25 },
  shifts: { page_size: 25 },
  paymentLinks: { page_size: 25 },
} as const

/** The first queries by the path of the screen, without filters. `{id}` stands for the id in that path, also inside a query. */
export const firstQueries: Readonly<Record<string, readonly FirstQuery[]>> = {
  '/': [
    { call: 'showCounter' },
    { call: 'showOverview' },
    { call: 'listIntents', query: firstPage.latestPaid },
    { call: 'listNotices', query: firstPage.unseenNotices },
    { call: 'listRequests', query: firstPage.openRequests },
    { call: 'listApprovals', query: firstPage.openApprovals },
    { call: 'showCheckoutPage' },
  ],
  '/counter': [{ call: 'showCounter' }],
  '/intents': [{ call: 'listIntents', query: firstPage.intents }, { call: 'listWallets' }],
  '/intents/{id}': [{ call: 'showIntent' }, { call: 'showCheckoutPage' }],
  '/unmatched': [
    { call: 'listUnmatched', query: firstPage.unmatched },
    { call: 'countUnmatched' },
    { call: 'listRequests', query: firstPage.openRequests },
    { call: 'listWallets' },
  ],
  '/unmatched/{id}': [{ call: 'showAlert' }],
  '/checkouts': [{ call: 'listCheckouts', query: firstPage.checkouts }],
  '/checkouts/{id}': [{ call: 'showCheckout' }, { call: 'showCheckoutPage' }, { call: 'listWallets' }],
  '/payment-links': [{ call: 'listPaymentLinks', query: firstPage.paymentLinks }],
  '/payment-links/{id}': [
    { call: 'showPaymentLink' },
    { call: 'showCheckoutPage' },
    { call: 'listCheckouts', query: { link: '{id}', ...firstPage.checkouts } },
    { call: 'listWallets' },
  ],
  '/wallets': [{ call: 'listWallets' }],
  '/phones': [{ call: 'listPhones' }],
  '/phones/{id}': [
    { call: 'showPhone' },
    { call: 'listPhoneAlerts', query: firstPage.phoneAlerts },
    { call: 'countHiddenMessages' },
    { call: 'comparePhone' },
  ],
  '/templates': [
    { call: 'listProviders', query: firstPage.providers },
    { call: 'listTemplates', query: firstPage.templates },
  ],
  '/webhooks': [{ call: 'listWebhooks' }],
  '/webhooks/{id}': [
    { call: 'showWebhook' },
    { call: 'listDeliveries', query: firstPage.deliveries },
    { call: 'listReplays' },
  ],
  '/calls': [{ call: 'listCalls', query: firstPage.calls }],
  '/approvals': [{ call: 'listApprovals', query: firstPage.approvals }],
  '/requests': [{ call: 'listRequests', query: firstPage.requests }],
  '/keys': [{ call: 'listKeys' }],
  '/day-close': [{ call: 'showDaySums' }],
  '/shifts': [{ call: 'listShifts', query: firstPage.shifts }],
  '/shifts/{id}': [{ call: 'showShift' }],
  '/settings': [{ call: 'listSessions' }, { call: 'showSecondFactor' }],
}
