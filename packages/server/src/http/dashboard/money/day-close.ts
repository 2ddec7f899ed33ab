/** `/day-close/`: the totals of a wallet's day, its lines, both as a CSV file, and a list of days with their breaks. */
import { Readable } from 'node:stream'
import * as operations from '@sanad/contract/dashboard/money/day-close'
import type { Sum } from '../../../alerts/balances/day-close.ts'
import type { Instant } from '../../../core/clock.ts'
import { firstIdAt } from '../../../core/ids.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { arrivalOfLine, closeDay, type DayTotals, dayTotals } from '../../../views/day-close/close-day.ts'
import { type DayRow, dayRows, daysOfWallet } from '../../../views/day-close/day-close-sql.ts'
import { readWholeNumber } from '../../query/whole-number.ts'
import type { Reads } from '../../routes/route.ts'
import { askerOf, type Call, type DashboardContext, type Route, route } from '../route.ts'
import { dayTable } from './day-close-csv.ts'
import { boundsOf, type DayQuery, daysUntil, readDayQuery } from './day-close-query.ts'

export type DayCloseDeps = Pick<DashboardContext, 'db' | 'reads'> & { readonly zone: Zone }

export const dayCloseRoutes = (deps: DayCloseDeps): Route[] => [
  route(operations.showDayClose, async (call) => {
    const query = await dayQueryIn(deps, call)
    const totals = await deps.reads.read('day_close', askerOf(call), ({ db }) => dayTotals(db, query.walletDay))
    return dayAnswer(query, totals, call.now)
  }),
  route(operations.listDayLines, async (call) => {
    const { walletDay, zone } = await dayQueryIn(deps, call)
    const { after, page_size: size } = call.query
    const [first, last] = [firstIdAt(walletDay.from), firstIdAt(walletDay.until)]
    const afterId = after === undefined || after < first ? first : after
    const rows = await deps.reads.read('day_close', askerOf(call), ({ db }) =>
      dayRows(db, walletDay.scope, walletDay.walletId, afterId, last, size + 1),
    )
    const shown = rows.slice(0, size)
    return {
      next: rows.length > size ? shown.at(-1)!.id : null,
      results: shown.map((row) => lineAnswer(row, zone)),
    }
  }),
  route(operations.downloadDayClose, async (call) => {
    const query = await dayQueryIn(deps, call)
    const name = `day-close-${query.day}-${query.wallet.id}.csv`
    const { db } = await deps.reads.inParts('exports', askerOf(call))
    return call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(dayTable(query, closeDay(db, query.walletDay))))
  }),
  route(operations.listDays, async (call) => {
    const { query, member, now } = call
    const { walletDay, zone, day } = await readDayQuery(deps, member.scope, query.wallet, query.until, now)
    const count = readWholeNumber(query.days ?? '') ?? usualDays
    const size = count < 1 ? usualDays : Math.min(count, mostDays)
    const days = daysUntil(day, size + 1)
    const listed = days.slice(0, size)
    const bounds = listed.map((date) => boundsOf(date, zone))
    const rows = await deps.reads.read('day_close', askerOf(call), ({ db }) =>
      daysOfWallet(
        db,
        walletDay.scope,
        walletDay.walletId,
        bounds.map(({ from }) => firstIdAt(from)),
        bounds.map(({ until }) => firstIdAt(until)),
      ),
    )
    return {
      next: days[size] ?? null,
      results: rows.map((row, i) => ({
        day: listed[i]!,
        alerts: row.alerts,
        breaks: row.breaks,
        missing: formatMinor(row.missing),
      })),
    }
  }),
]

const usualDays = 31
const mostDays = 62

type DayCall = Call & Pick<Reads<typeof operations.showDayClose>, 'query'>

const dayQueryIn = (deps: DayCloseDeps, { query, member, now }: DayCall): Promise<DayQuery> =>
  readDayQuery(deps, member.scope, query.wallet, query.day, now)

const money = (amount: Minor | null): string | null => (amount === null ? null : formatMinor(amount))
const sum = ({ count, amount }: Sum) => ({ count, amount: formatMinor(amount) })

const dayAnswer = (
  { wallet, zone, day, walletDay }: DayQuery,
  totals: DayTotals,
  now: Instant,
): operations.DayClose => {
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    wallet,
    day,
    time_zone: zone.name,
    from: time(walletDay.from),
    until: time(walletDay.until),
    closed: now >= walletDay.until,
    opening: totals.opening && { balance: formatMinor(totals.opening.balance), known: totals.opening.known },
    closing: money(totals.closing),
    credits: sum(totals.credits),
    debits: sum(totals.debits),
    fees: sum(totals.fees),
    missing: sum(totals.missing),
    gaps: totals.gaps.map(({ since, until, missing }) => ({
      since: since === null ? null : time(since),
      until: time(until),
      missing: formatMinor(missing),
    })),
    verified: {
      ...sum(totals.verified),
      payable: formatMinor(totals.verified.payable),
      forgiven_amount: formatMinor(totals.verified.forgiven),
      excess_amount: formatMinor(totals.verified.excess),
      by_hand: totals.verified.byHand,
    },
    unmatched: sum(totals.unmatched),
    wrong_amount: sum(totals.wrongAmount),
    dismissed: sum(totals.dismissed),
    denied: sum(totals.denied),
    left_out: sum(totals.leftOut),
    other_currency: totals.otherCurrency,
    unread: totals.unread,
  }
}

const lineAnswer = (row: DayRow, zone: Zone): operations.DayLine => ({
  alert: row.id,
  received_at: zone.format(new Date(row.received_at)),
  state: row.state,
  direction: row.direction,
  amount: money(row.amount),
  currency: row.currency,
  reference: row.reference ?? '',
  payer: row.payer ?? '',
  balance: money(row.balance),
  missing: money(row.chain_missing),
  intent: row.intent_id,
  code: row.intent_code ?? '',
  forgiven_amount: money(arrivalOfLine(row)?.forgiven ?? null),
})
