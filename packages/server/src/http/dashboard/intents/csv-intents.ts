/**
 * `/intents/csv/`: all intents that the filters find, as a CSV file, streamed (downloads.ts).
 */
import { intentsCsv } from '@sanad/contract/dashboard/money/intents'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { type Intent, statusAt } from '../../../intents/intent.ts'
import type { Filter } from '../../../intents/list/intent-list.ts'
import { dateIn } from '../../../intents/totals/days.ts'
import { eachIntent } from '../../../views/intents/each-intent.ts'
import type { ListIntents } from '../../../views/intents/list-intents.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import { intentFilter } from '../../merchant/intent-filter.ts'
import { goingOn, type SendDownload, streamOf } from '../downloads.ts'
import { namesIn } from '../people/given-wallets.ts'
import { askerOf, type Route, route } from '../route.ts'
import type { IntentRouteDeps } from './intent-deps.ts'

export const csvRoutes = (deps: IntentRouteDeps & { readonly sendDownload: SendDownload }): Route[] => [
  route(intentsCsv, async (call) => {
    const { request, reply, query, member, now } = call
    const { scope } = member
    const zone = await call.zone()
    const { list } = await deps.reads.inParts('exports', askerOf(call))
    const parts = rowsOf({ ...deps, list }, intentFilter(scope, query), zone, now)
    const name = `intents-${dateIn(zone, now)}`
    const wallets = await namesIn(deps.db, scope)
    const mayGoOn = goingOn(deps, call, intentsCsv)
    return deps.sendDownload(request, reply, { accountId: scope.accountId, name, wallets, type: 'csv', parts, mayGoOn })
  }),
]

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

export const tableOf = (deps: Source, filter: Filter, zone: Zone, now: Instant) =>
  streamOf(rowsOf(deps, filter, zone, now))

type Source = Pick<IntentRouteDeps, 'wallets' | 'clock'> & { readonly list: Pick<ListIntents, 'page'> }

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
