/** `/day-close/`: a wallet's day in figures, its lines, the same as a table, and which days have breaks. */
import { Readable } from 'node:stream'
import * as operations from '@sanad/contract/dashboard/money/day-close'
import type { Sum } from '../../../alerts/balances/day-close.ts'
import type { Instant } from '../../../core/clock.ts'
import { firstIdAt } from '../../../core/ids.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { closeDay, type DayTotals, dayTotals } from '../../../views/day-close/close-day.ts'
import { type DayRow, dayRows, daysOfWallet } from '../../../views/day-close/day-close-sql.ts'
import { invalid } from '../../answers.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { lastValues } from '../../query/parameters.ts'
import { readWholeNumber } from '../../query/whole-number.ts'
import { type Call, type DashboardContext, type Route, route } from '../route.ts'
import { pageSizeIn } from './alerts-query.ts'
import { dayTable } from './day-close-csv.ts'
import { boundsOf, type DayQuery, daysUntil, readDayQuery } from './day-close-query.ts'

export type DayCloseDeps = Pick<DashboardContext, 'db'> & { readonly zone: Zone }

export const dayCloseRoutes = (deps: DayCloseDeps): Route[] => [
  route(operations.showDayClose, async (call) => {
    const query = await questionIn(deps, call)
    return dayAnswer(query, await dayTotals(deps.db, query.walletDay), call.now)
  }),
  route(operations.listDayLines, async (call) => {
    const { walletDay, zone } = await questionIn(deps, call)
    const sent = lastValues(call.request.raw.url ?? '')
    const size = pageSizeIn(sent)
    const [first, last] = [firstIdAt(walletDay.from), firstIdAt(walletDay.until)]
    const after = cursorIn(sent)
    const beyond = after === undefined || after < first ? first : after
    const rows = await dayRows(deps.db, walletDay.accountId, walletDay.walletId, beyond, last, size + 1)
    const here = rows.slice(0, size)
    return {
      next: rows.length > size ? here.at(-1)!.id : null,
      results: here.map((row) => lineAnswer(row, zone)),
    }
  }),
  route(operations.downloadDayClose, async (call) => {
    const reader = await questionIn(deps, call)
    const name = `day-close-${reader.day}-${reader.wallet.id}.csv`
    return call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(dayTable(reader, closeDay(deps.db, reader.walletDay))))
  }),
  route(operations.listDays, async ({ request, member, now }) => {
    const sent = lastValues(request.raw.url ?? '')
    const { walletDay, zone, day } = await readDayQuery(deps, member.accountId, sent, 'until', now)
    const count = readWholeNumber(sent.get('days') ?? '') ?? usualDays
    const size = count < 1 ? usualDays : Math.min(count, mostDays)
    const days = daysUntil(day, size + 1)
    const here = days.slice(0, size)
    const bounds = here.map((one) => boundsOf(one, zone))
    const rows = await daysOfWallet(
      deps.db,
      walletDay.accountId,
      walletDay.walletId,
      bounds.map(({ from }) => firstIdAt(from)),
      bounds.map(({ until }) => firstIdAt(until)),
    )
    return {
      next: days[size] ?? null,
      results: rows.map((row, i) => ({
        day: here[i]!,
        alerts: row.alerts,
        breaks: row.breaks,
        missing: formatMinor(row.missing),
      })),
    }
  }),
]

const usualDays = 31
const mostDays = 62

const questionIn = (deps: DayCloseDeps, { request, member, now }: Call): Promise<DayQuery> =>
  readDayQuery(deps, member.accountId, lastValues(request.raw.url ?? ''), 'day', now)

const cursorIn = (sent: ReadonlyMap<string, string>): string | undefined => {
  const value = sent.get('after') ?? ''
  const after = uuidOfText(value)
  if (value !== '' && after === undefined)
    throw invalid([{ code: 'invalid', detail: 'This is no "next" of a page.', attr: 'after' }])
  return after
}

const money = (amount: Minor | null): string | null => (amount === null ? null : formatMinor(amount))
const sum = ({ count, amount }: Sum) => ({ count, amount: formatMinor(amount) })

const dayAnswer = ({ wallet, zone, day, walletDay }: DayQuery, of: DayTotals, now: Instant): operations.DayClose => {
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    wallet,
    day,
    time_zone: zone.name,
    from: time(walletDay.from),
    until: time(walletDay.until),
    closed: now >= walletDay.until,
    opening: of.opening && { balance: formatMinor(of.opening.balance), known: of.opening.known },
    closing: money(of.closing),
    credits: sum(of.credits),
    debits: sum(of.debits),
    fees: sum(of.fees),
    missing: sum(of.missing),
    gaps: of.gaps.map(({ since, until, missing }) => ({
      since: since === null ? null : time(since),
      until: time(until),
      missing: formatMinor(missing),
    })),
    verified: { ...sum(of.verified), payable: formatMinor(of.verified.payable), by_hand: of.verified.byHand },
    unmatched: sum(of.unmatched),
    wrong_amount: sum(of.wrongAmount),
    dismissed: sum(of.dismissed),
    left_out: sum(of.leftOut),
    other_currency: of.otherCurrency,
    unread: of.unread,
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
})
