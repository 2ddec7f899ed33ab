/** `/search/`: finds intents and alerts by words, amounts, or a part of a number. */

import { type Found, search } from '@sanad/contract/dashboard/money/search'
import { alertStates } from '@sanad/contract/kinds'
import type { AlertState } from '../../../alerts/alert.ts'
import { type Minor, readDecimal } from '../../../core/money.ts'
import { codePoints, strip } from '../../../core/python-text.ts'
import { referenceKey } from '../../../core/reference-key.ts'
import { type Scope, wholeOf } from '../../../core/scope.ts'
import { handoversOf } from '../../../intents/handover-sql.ts'
import { fold, type Intent } from '../../../intents/intent.ts'
import { intentOf } from '../../../intents/intent-sql.ts'
import { noFilter } from '../../../intents/list/intent-list.ts'
import { alertsOfIntents, shownAlerts } from '../../../views/alerts/alert-list-sql.ts'
import { alertsOfReference, unclaimedOfAmount } from '../../../views/alerts/find-alerts-sql.ts'
import { listAlerts, withSamePayments } from '../../../views/alerts/list-alerts.ts'
import { mostReserved, reservedSales } from '../../../views/counter/reserved-sales-sql.ts'
import { waitingIntentsLike } from '../../../views/counter/waiting-intents-sql.ts'
import { intentsOfAmount } from '../../../views/intents/intent-origin-sql.ts'
import { invalid } from '../../answers.ts'
import { forbidden } from '../../body/fields.ts'
import { searchTerms } from '../../query/search-terms.ts'
import type { Reads } from '../../routes/route.ts'
import type { AlertDeps } from '../money/alerts.ts'
import { alertAnswer } from '../money/unmatched-answers.ts'
import { type Call, type Route, route } from '../route.ts'
import { timeIn } from '../time-text.ts'
import type { IntentRouteDeps } from './intent-deps.ts'
import { listedIntents } from './intents.ts'

const most = 20
const longest = 128

/** Credits in any state; no duplicates, no debits, no one-time codes. */
const notMoney: readonly AlertState[] = ['duplicate', 'debit', 'hidden']
const shownStates: readonly AlertState[] = alertStates.filter((state) => !notMoney.includes(state))

export const searchRoutes = (deps: IntentRouteDeps & AlertDeps): Route[] => [
  route(search, (call) => searchAll(deps, call)),
]

type SearchQuery = {
  readonly terms: readonly string[]
  readonly amount: Minor | undefined
  /** What may be a whole reference. */
  readonly keys: readonly string[]
}

const readSearchQuery = (q = ''): SearchQuery => {
  const text = strip(q)
  const wrong = forbidden(text, 'q')
  if (wrong.length > 0) throw invalid(wrong)
  if (codePoints(text) < 2 || codePoints(text) > longest)
    throw invalid([{ code: 'invalid', detail: `Enter 2 to ${longest} characters.`, attr: 'q' }])
  // As users write amounts: 1,500 and 1500.00 are the same.
  const amount = readDecimal(text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, ''))
  const terms = searchTerms(text)
  return {
    terms: terms.map(fold),
    amount: amount.kind === 'ok' ? amount.minor : undefined,
    keys: [...new Set([text, ...terms].map(referenceKey))].filter((key) => key !== ''),
  }
}

/** All rows of the lists, newest first, each once. */
const newestFirst = <T extends { readonly id: string }>(lists: readonly (readonly T[])[]): T[] => {
  const byId = new Map(lists.flat().map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}

const searchAll = async (deps: IntentRouteDeps & AlertDeps, call: Call & Reads<typeof search>): Promise<Found> => {
  const { member, now } = call
  const query = readSearchQuery(call.query.q)
  const zone = await call.zone()
  const intents = await intentsFor(deps, member.scope, query, call)
  const found = await alertsFor(deps, member.scope, query, intents.slice(0, most))
  const shown = found.alerts.slice(0, most)
  const shownIntents = [
    ...intents.slice(0, most).map(({ id }) => id),
    ...shown.flatMap(({ intent_id }) => intent_id ?? []),
  ]
  const handed = await handoversOf(deps.db, wholeOf(member.scope), [...new Set(shownIntents)])
  return {
    intents: await listedIntents(deps, member.scope, intents.slice(0, most), zone, now),
    alerts: shown.map((alert) => alertAnswer(alert, member.role, deps.zone, now)),
    handed_over: handed.map(({ intent_id: intent, by, at }) => ({ intent, by, at: timeIn(deps.zone, at) })),
    more: intents.length > most || found.alerts.length > most || found.more,
  }
}

const intentsFor = async (
  deps: IntentRouteDeps,
  scope: Scope,
  { terms, amount }: SearchQuery,
  { now }: Call,
): Promise<Intent[]> => {
  const order = [{ field: 'created_at', down: true }] as const
  const byTerms = await deps.list.page({ ...noFilter(scope), terms }, order, most + 1, 0, now)
  const byAmount = amount === undefined ? [] : await intentsOfAmount(deps.db, scope, amount, most + 1)
  const waiting = await waitingIntentsLike(deps.db, scope, amount, terms, most + 1)
  return newestFirst([byTerms, byAmount.map(intentOf), waiting.map(intentOf)])
}

/** Alerts that fit the search, and alerts of a found intent or of a fitting sale: no message contains an order's number. */
const alertsFor = async (deps: AlertDeps, scope: Scope, query: SearchQuery, intents: readonly Intent[]) => {
  const { terms, amount } = query
  const filter = {
    scope,
    states: shownStates,
    walletId: undefined,
    phoneId: undefined,
    templateId: undefined,
    from: undefined,
    until: undefined,
  }
  const page = { newestFirst: true, after: undefined, size: most + 1 }
  const byTerms = await listAlerts(deps.db, { ...filter, amount: undefined, terms }, page)
  const byAmount = amount === undefined ? undefined : await listAlerts(deps.db, { ...filter, amount, terms: [] }, page)
  const ids = intents.map(({ id }) => id)
  const ofIntents = ids.length === 0 ? [] : await alertsOfIntents(deps.db, scope, ids)
  const reserved = await reservedAlerts(deps, scope, terms)
  const exact = await exactAlerts(deps, scope, query)
  return {
    alerts: newestFirst([byTerms.alerts, byAmount?.alerts ?? [], ofIntents, reserved, exact]),
    more: byTerms.next !== null || (byAmount !== undefined && byAmount.next !== null),
  }
}

/** Money that was just taken as a sale, by the order number of the sale: it has no intent yet. */
const reservedAlerts = async (deps: AlertDeps, scope: Scope, terms: readonly string[]) => {
  const sales = await reservedSales(deps.db, wholeOf(scope), mostReserved)
  const fits = (order: string): boolean => order !== '' && terms.every((term) => fold(order).includes(term))
  const ids = sales.filter(({ external_order_id: order }) => fits(order)).map(({ alert_id }) => alert_id)
  return ids.length === 0 ? [] : withSamePayments(deps.db, scope, await shownAlerts(deps.db, scope, ids))
}

/** The lists compare the newest ten thousand alerts. A full reference, and the amount of money that nobody has yet, are found beyond. */
const exactAlerts = async ({ db }: AlertDeps, scope: Scope, { keys, amount }: SearchQuery) => {
  const byReference = keys.length === 0 ? [] : await alertsOfReference(db, scope, keys, most + 1, shownStates)
  const byAmount = amount === undefined ? [] : await unclaimedOfAmount(db, scope, amount, most + 1)
  const ids = [...new Set([...byReference, ...byAmount].map(({ id }) => id))]
  return ids.length === 0 ? [] : withSamePayments(db, scope, await shownAlerts(db, scope, ids))
}
