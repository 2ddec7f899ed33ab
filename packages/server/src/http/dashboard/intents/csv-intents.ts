/**
 * `/intents/csv/`: all intents that the filters find, as a CSV file, streamed. The header line is sent before anything is
 * read. A batch is read when the client has taken the one before; after the client disconnects, nothing more is read.
 */
import { Readable } from 'node:stream'
import { intentsCsv } from '@sanad/contract/dashboard/money/intents'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId } from '../../../core/ids.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { type Intent, statusAt } from '../../../intents/intent.ts'
import type { Filter } from '../../../intents/list/intent-list.ts'
import { dateIn } from '../../../intents/totals/days.ts'
import { eachIntent } from '../../../views/intents/each-intent.ts'
import { throttled } from '../../answers.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import { intentFilter } from '../../merchant/intent-filter.ts'
import { type Route, route } from '../route.ts'
import type { IntentRouteDeps } from './intent-deps.ts'

/** Downloads of one account at once: each holds a batch in memory and, at times, a database connection. */
const mostAtOnce = 4

export const csvRoutes = (deps: IntentRouteDeps): Route[] => {
  const running = new Map<AccountId, number>()
  const add = (accountId: AccountId, change: 1 | -1): void => {
    const count = (running.get(accountId) ?? 0) + change
    if (count === 0) running.delete(accountId)
    else running.set(accountId, count)
  }
  return [
    route(intentsCsv, async ({ request, reply, query, member, now, ...call }) => {
      const { scope } = member
      const zone = await call.zone()
      const filter = intentFilter(scope, query)
      if ((running.get(scope.accountId) ?? 0) >= mostAtOnce) throw throttled(5)
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="intents-${dateIn(zone, now)}.csv"`)
      if (request.method === 'HEAD') return reply.send()
      const table = tableOf(deps, filter, zone, now)
      add(scope.accountId, 1)
      table.once('close', () => add(scope.accountId, -1))
      return reply.send(table)
    }),
  ]
}

const head = [
  'created_at',
  'code',
  'status',
  'payable_amount',
  'paid_amount',
  'arrived_amount',
  'forgiven_amount',
  'currency',
  'wallet',
  'reference',
  'external_order_id',
  'verified_at',
  'expires_at',
  'booked_by_hand',
  'notes',
  'id',
]

/** Reads a batch when the one before was taken; stops reading when the stream is closed early. */
export const tableOf = (deps: Source, filter: Filter, zone: Zone, now: Instant) =>
  Readable.from(rowsOf(deps, filter, zone, now), { objectMode: false, highWaterMark: 64 * 1024 })

type Source = Pick<IntentRouteDeps, 'list' | 'wallets' | 'clock'>

async function* rowsOf(deps: Source, filter: Filter, zone: Zone, now: Instant): AsyncGenerator<string, void> {
  yield byteOrderMark + csvLine(head)
  for await (const intents of eachIntent(deps.list, filter, now)) {
    const rows = await Promise.all(intents.map(async (intent) => rowOf(intent, await nameOf(deps, intent), zone, now)))
    yield rows.join('')
  }
}

/** Uses the clock, not the time of the request: a download can outlast the cached name of a wallet. */
const nameOf = async (deps: Source, intent: Intent): Promise<string> =>
  (await deps.wallets.get(wholeAccount(intent.accountId), intent.walletId, deps.clock.now()))?.name ?? ''

/** `2026-01-02 06:04:05`: spreadsheets read this as a time. */
const timeIn = (zone: Zone, at: Instant | null): string =>
  at === null ? '' : zone.format(new Date(at)).slice(0, 19).replace('T', ' ')

const moneyOrNothing = (amount: Minor | null): string => (amount === null ? '' : formatMinor(amount))

const rowOf = (intent: Intent, wallet: string, zone: Zone, now: Instant): string =>
  csvLine([
    timeIn(zone, intent.createdAt),
    intent.code,
    statusAt(intent, now),
    formatMinor(intent.payable),
    moneyOrNothing(intent.paid),
    moneyOrNothing(intent.arrival?.arrived ?? null),
    moneyOrNothing(intent.arrival?.forgiven ?? null),
    intent.currency,
    wallet,
    intent.reference,
    intent.externalOrderId,
    timeIn(zone, intent.verifiedAt),
    timeIn(zone, intent.expiresAt),
    intent.manual ? 'yes' : 'no',
    intent.notes,
    intent.id,
  ])
