/** `/unmatched/` and `/alerts/`: the queue with the likely intents of each alert, all alerts, and one alert in full. */

import type { QueueAlert, WholeAlert } from '@sanad/contract/dashboard/money/alert'
import * as operations from '@sanad/contract/dashboard/money/unmatched'
import { actionsOnObject } from '../../../accounts/audit/audit-of-object-sql.ts'
import type { TermsLookup } from '../../../accounts/tenants/account-terms.ts'
import type { AlertState } from '../../../alerts/alert.ts'
import { type AlertFilter, type AlertPage, queueStates } from '../../../alerts/alert-list.ts'
import type { Instant } from '../../../core/clock.ts'
import type { Minor } from '../../../core/money.ts'
import { type Scope, seesWallet, wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { likelyIntents } from '../../../matching/queue/likely-intents.ts'
import { walletsOfPhone } from '../../../matching/reading/phone-wallets-sql.ts'
import { payerWithNumber } from '../../../matching/rules/payer-likeness.ts'
import type { ShownAlert } from '../../../views/alerts/alert-list-sql.ts'
import { findAlert, listAlerts, queueCounts, relatedTo } from '../../../views/alerts/list-alerts.ts'
import { claimsOnAlerts } from '../../../views/claims/list-claims.ts'
import { notFound } from '../../answers.ts'
import type { Reads } from '../../routes/route.ts'
import { type DashboardContext, type Member, type NamedCall, type Route, route } from '../route.ts'
import { claimAnswers } from './claim-answer.ts'
import { alertAnswer, likelyAnswer } from './unmatched-answers.ts'

/** `zone`: of the service. Times in a query without an offset are in the zone of the account (`terms`). */
export type AlertDeps = Pick<DashboardContext, 'db'> & { readonly zone: Zone; readonly terms: TermsLookup }

export const alertRoutes = (deps: AlertDeps): Route[] => [
  route(operations.listUnmatched, async ({ query, member, now }) => {
    const { alerts, next } = await listAlerts(deps.db, filterOf(member, query, queueStates), pageOf(query))
    return { next, results: await withLikely(deps, member, alerts, now) }
  }),
  route(operations.countUnmatched, ({ member }) => queueCounts(deps.db, member.scope)),
  route(operations.showAlert, alertIn(deps), ({ member, now }, alert) => wholeAlert(deps, member, alert, now)),
  route(operations.listAlerts, async ({ query, member, now }) => {
    const filter = { ...filterOf(member, query, undefined), phoneId: query.device, templateId: query.template }
    const { alerts, next } = await listAlerts(deps.db, filter, pageOf(query))
    return { next, results: alerts.map((alert) => alertAnswer(alert, member.role, deps.zone, now)) }
  }),
]

type AlertQuery = Omit<Reads<typeof operations.listUnmatched>['query'], 'state'> & {
  readonly state: readonly AlertState[] | undefined
}

/** `usual`: the states that are listed if the query names none. Undefined: all. */
const filterOf = (
  { scope }: Member,
  { state, wallet, from, until, amount, search }: AlertQuery,
  usual: readonly AlertState[] | undefined,
): AlertFilter => ({
  scope: scope,
  states: state ?? usual,
  walletId: wallet,
  phoneId: undefined,
  templateId: undefined,
  from,
  until,
  amount: amount as Minor | undefined,
  terms: search,
})

const pageOf = ({ ordering, after, page_size: size }: AlertQuery): AlertPage => ({
  newestFirst: ordering !== 'received_at',
  after,
  size,
})

/** The alert that the path names, in the account of the member. */
export const alertIn =
  ({ db }: Pick<DashboardContext, 'db'>) =>
  async ({ path, member }: NamedCall): Promise<ShownAlert> => {
    const alert = await findAlert(db, member.scope, path.id)
    if (alert === undefined) throw notFound()
    return alert
  }

const withLikely = async (
  deps: AlertDeps,
  { scope, role }: Member,
  alerts: readonly ShownAlert[],
  now: Instant,
): Promise<QueueAlert[]> => {
  const openCredits = alerts.flatMap((row) =>
    row.identity !== null && row.amount !== null && row.direction === 'credit' && isOpen(row)
      ? [
          {
            id: row.id,
            identity: row.identity,
            amount: row.amount,
            currency: row.currency,
            reference: row.reference,
            referenceKey: row.reference_key,
            receivedAt: row.received_at,
            payer: payerWithNumber(row.payer, row.raw_text),
          },
        ]
      : [],
  )
  const likely = await likelyIntents(deps.db, scope, openCredits, now)
  const choices = await walletChoices(deps.db, scope, alerts)
  const claimsOn = await claimsOnAlerts(deps.db, scope, alerts, now)
  const results: QueueAlert[] = []
  for (const row of alerts)
    results.push({
      ...alertAnswer(row, role, deps.zone, now),
      likely: (likely.get(row.id) ?? []).map((intent) => likelyAnswer(intent, deps.zone)),
      claims: await claimAnswers(deps.db, scope, claimsOn(row), deps.zone),
      wallet_choices: choices(row),
    })
  return results
}

const mostChoices = 10

/** The wallets that an alert can belong to, if several wallets of its phone have its sender. */
const walletChoices = async (db: DashboardContext['db'], scope: Scope, alerts: readonly ShownAlert[]) => {
  const isAmbiguous = ({ state, reason }: ShownAlert): boolean => state === 'unread' && reason === 'which_wallet'
  const phones = new Set(alerts.filter(isAmbiguous).map((row) => row.device_id))
  const walletsByPhone = new Map<string, Awaited<ReturnType<typeof walletsOfPhone>>>()
  for (const id of phones) {
    const served = await walletsOfPhone(db, wholeOf(scope), id)
    walletsByPhone.set(
      id,
      served.filter((wallet) => seesWallet(scope, wallet.id)),
    )
  }
  return (row: ShownAlert): { id: string; name: string }[] => {
    if (!isAmbiguous(row)) return []
    const wallets = walletsByPhone.get(row.device_id) ?? []
    const fitting = wallets.filter(({ sender_name }) => sender_name === row.sender)
    return fitting.slice(0, mostChoices).map(({ id, name }) => ({ id, name }))
  }
}

const isOpen = ({ state }: ShownAlert): boolean => (queueStates as readonly string[]).includes(state)

const mostHistory = 50

export const wholeAlert = async (
  deps: AlertDeps,
  member: Member,
  alert: ShownAlert,
  now: Instant,
): Promise<WholeAlert> => {
  const { scope, role } = member
  const [shown] = await withLikely(deps, member, [alert], now)
  const related = await relatedTo(deps.db, scope, alert)
  const history = await actionsOnObject(deps.db, wholeOf(scope), 'alert', alert.id, mostHistory)
  return {
    ...shown!,
    related: related.map((row) => alertAnswer(row, role, deps.zone, now)),
    history: history.map(({ at, actor, action }) => ({ at: deps.zone.format(new Date(at)), by: actor, action })),
  }
}
