/** `/unmatched/` and `/alerts/`: the queue with the intents that money may belong to, all alerts, one with everything. */
import type { QueueAlert, WholeAlert } from '@sanad/contract/dashboard/alert'
import * as operations from '@sanad/contract/dashboard/unmatched'
import { auditOfObject } from '../../accounts/audit-of-object-sql.ts'
import { queueStates } from '../../alerts/alert-list.ts'
import type { ShownAlert } from '../../alerts/alert-list-sql.ts'
import { findAlert, listAlerts, queueCounts, relatedTo } from '../../alerts/list-alerts.ts'
import type { Instant } from '../../ground/clock.ts'
import type { AccountId, AlertId } from '../../ground/ids.ts'
import type { Zone } from '../../ground/zone.ts'
import { likelyIntents } from '../../matching/likely-intents.ts'
import { walletsOfDevice } from '../../matching/watch-sql.ts'
import { notFound } from '../answers.ts'
import { alertsQuestion, queueQuestion } from './alerts-question.ts'
import { type Call, type DashboardDoor, idIn, type Route, route } from './route.ts'
import { alertAnswer, likelyAnswer } from './unmatched-answers.ts'

export type AlertRooms = Pick<DashboardDoor, 'db'> & { readonly zone: Zone }

export const alertRoutes = (rooms: AlertRooms): Route[] => [
  route(operations.listUnmatched, async ({ request, who, now }) => {
    const { filter, page } = queueQuestion(request.raw.url ?? '', who.accountId, rooms.zone)
    const { alerts, next } = await listAlerts(rooms.db, filter, page)
    return { next, results: await withLikely(rooms, who.accountId, alerts, now) }
  }),
  route(operations.countUnmatched, ({ who }) => queueCounts(rooms.db, who.accountId)),
  route(operations.showAlert, async (call) =>
    wholeAlert(rooms, call.who.accountId, await alertIn(rooms, call), call.now),
  ),
  route(operations.listAlerts, async ({ request, who, now }) => {
    const { filter, page } = alertsQuestion(request.raw.url ?? '', who.accountId, rooms.zone)
    const { alerts, next } = await listAlerts(rooms.db, filter, page)
    return { next, results: alerts.map((alert) => alertAnswer(alert, rooms.zone, now)) }
  }),
]

/** The alert that the path names, in the account of whoever asks. */
export const alertIn = async (rooms: AlertRooms, { request, who }: Call): Promise<ShownAlert> => {
  const alert = await findAlert(rooms.db, who.accountId, idIn<AlertId>(request, 'id'))
  if (alert === undefined) throw notFound()
  return alert
}

const withLikely = async (
  rooms: AlertRooms,
  accountId: AccountId,
  alerts: readonly ShownAlert[],
  now: Instant,
): Promise<QueueAlert[]> => {
  const unclaimed = alerts.flatMap((row) =>
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
          },
        ]
      : [],
  )
  const likely = await likelyIntents(rooms.db, accountId, unclaimed, now)
  const choices = await walletChoices(rooms.db, accountId, alerts)
  return alerts.map((row) => ({
    ...alertAnswer(row, rooms.zone, now),
    likely: (likely.get(row.id) ?? []).map((one) => likelyAnswer(one, rooms.zone)),
    wallet_choices: choices(row),
  }))
}

const mostChoices = 10

/** The wallets that an alert can be for, where its phone hears several of its sender. */
const walletChoices = async (db: DashboardDoor['db'], accountId: AccountId, alerts: readonly ShownAlert[]) => {
  const isAmbiguous = ({ state, reason }: ShownAlert): boolean => state === 'unread' && reason === 'which_wallet'
  const phones = new Set(alerts.filter(isAmbiguous).map((row) => row.device_id))
  const watched = new Map<string, Awaited<ReturnType<typeof walletsOfDevice>>>()
  for (const id of phones) watched.set(id, await walletsOfDevice(db, accountId, id))
  return (row: ShownAlert): { id: string; name: string }[] => {
    if (!isAmbiguous(row)) return []
    const heard = watched.get(row.device_id) ?? []
    const fitting = heard.filter(({ sender_name }) => sender_name === row.sender)
    return fitting.slice(0, mostChoices).map(({ id, name }) => ({ id, name }))
  }
}

const isOpen = ({ state }: ShownAlert): boolean => (queueStates as readonly string[]).includes(state)

const mostHistory = 50

export const wholeAlert = async (
  rooms: AlertRooms,
  accountId: AccountId,
  alert: ShownAlert,
  now: Instant,
): Promise<WholeAlert> => {
  const [shown] = await withLikely(rooms, accountId, [alert], now)
  const related = await relatedTo(rooms.db, accountId, alert)
  const history = await auditOfObject(rooms.db, accountId, 'alert', alert.id, mostHistory)
  return {
    ...shown!,
    related: related.map((row) => alertAnswer(row, rooms.zone, now)),
    history: history.map(({ at, actor, action }) => ({ at: rooms.zone.format(new Date(at)), by: actor, action })),
  }
}
