/** `/overview/days/` and `/overview/hours/`: the money that arrived, by day and wallet, and by hour against the usual. */
import type * as contract from '@sanad/contract/dashboard/money/arrived'
import { showArrivedDays, showArrivedHours } from '@sanad/contract/dashboard/money/arrived'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { addUp, arrivedRows, byWallet, median, type Row } from '../../../views/arrived/arrived-figures.ts'
import { arrivedInPeriods, firstCredit } from '../../../views/arrived/arrived-sql.ts'
import { dateAfter, dayOf, hoursOf, localDate, type Period, untilSameTime } from '../../../views/arrived/periods.ts'
import { listWallets, walletOf } from '../../../views/wallets/wallet-sql.ts'
import type { Wallet } from '../../../wallets/wallet.ts'
import { invalid, permissionDenied } from '../../answers.ts'
import { readWholeNumber } from '../../query/whole-number.ts'
import { askerOf, type Call, type DashboardContext, type Route, route } from '../route.ts'

const usualDays = 14
const mostDays = 31
/** The usual is the median of so many weeks. */
const mostWeeks = 4

type ArrivedDeps = Pick<DashboardContext, 'db' | 'reads'>

export const arrivedRoutes = (deps: ArrivedDeps): Route[] => [
  route(showArrivedDays, async (call) =>
    arrivedDays(deps, call, shownDays(call.member.scope, daysIn(call.query.days)), await call.zone()),
  ),
  route(showArrivedHours, async (call) => {
    const { query, member, now } = call
    const zone = await call.zone()
    const today = localDate(zone, now)
    const date = query.day ?? today
    if (date > today) throw invalid([{ code: 'invalid', detail: 'That day has not begun yet.', attr: 'day' }])
    if (member.scope.today !== null && date < today) throw permissionDenied(todayOnly)
    return arrivedHours(deps, call, date, zone)
  }),
]

const todayOnly = 'You see today only in this account. An owner can let cashiers see other days.'

/** Of who sees today only, a picture has one day. */
export const shownDays = ({ today }: Scope, asked: number): number => (today === null ? asked : 1)

/** How many days a picture shows. */
export const daysIn = (requested: string | undefined): number => {
  const count = requested === undefined ? usualDays : readWholeNumber(requested)
  if (count === undefined || count < 1 || count > mostDays)
    throw invalid([{ code: 'invalid', detail: `Ask for 1 to ${mostDays} days.`, attr: 'days' }])
  return count
}

const realWallets = async (db: Session, scope: Scope): Promise<Wallet[]> =>
  (await listWallets(db, scope)).map(walletOf).filter(({ isTest }) => !isTest)

const shownWallet = ({ id, name, currency, active }: Wallet) => ({ id, name, currency, active })

const figure = (rows: readonly Row[]) => {
  const { count, sum } = addUp(rows)
  return { count, sum: formatMinor(sum) }
}

/**
 * What arrived today until now, and until the same time yesterday and a week ago: a line for each currency that an open wallet
 * collects, or that arrived in one of these periods.
 */
export const arrivedToday = async (
  db: Session,
  scope: Scope,
  wallets: readonly Wallet[],
  zone: Zone,
  now: Instant,
): Promise<contract.Arrived[]> => {
  // A message that is stored in this very millisecond counts already.
  const compared = scope.today === null ? [0, 1, 7] : [0]
  const [today, ...before] = compared.map((days) => untilSameTime(zone, now, days)) as [Period, ...Period[]]
  const rows = await arrivedInPeriods(db, scope, [{ ...today, until: now + 1 }, ...before])
  const open = wallets.filter(({ isTest, active }) => !isTest && active)
  const currencies = new Set([...open, ...rows].map(({ currency }) => currency))
  return [...currencies].sort().map((currency) => {
    const ofPeriod = (period: number) => rows.filter((row) => row.period === period && row.currency === currency)
    const arrived = (period: number) => figure(arrivedRows(ofPeriod(period)))
    const ofKind = (kind: Row['kind']) => figure(ofPeriod(0).filter((row) => row.kind === kind))
    return {
      currency,
      today: arrived(0),
      yesterday: scope.today === null ? arrived(1) : null,
      week_ago: scope.today === null ? arrived(2) : null,
      verified: ofKind('verified'),
      unmatched: ofKind('unmatched'),
      wrong_amount: ofKind('wrong_amount'),
      dismissed: ofKind('dismissed'),
      denied: ofKind('denied'),
    }
  })
}

const arrivedDays = async (
  { db, reads }: ArrivedDeps,
  call: Call,
  count: number,
  zone: Zone,
): Promise<contract.ArrivedDays> => {
  const { scope } = call.member
  const { now } = call
  const today = localDate(zone, now)
  const days = Array.from({ length: count }, (_, i) => dateAfter(today, i + 1 - count))
  const periods = days.map((date) => dayOf(zone, date))
  const rows = await reads.read('charts', askerOf(call), (from) => arrivedInPeriods(from.db, scope, periods))
  return {
    at: zone.format(new Date(now)),
    time_zone: zone.name,
    days,
    wallets: (await realWallets(db, scope)).map(shownWallet),
    rows: byWallet(rows).map(({ period, wallet_id: wallet, currency, count, sum }) => ({
      date: days[period]!,
      wallet,
      currency,
      count,
      sum: formatMinor(sum),
    })),
  }
}

const hoursOfDay = 24

const arrivedHours = async (
  { db, reads }: ArrivedDeps,
  call: Call,
  date: string,
  zone: Zone,
): Promise<contract.ArrivedHours> => {
  const { scope } = call.member
  const { now } = call
  const { weeks, arrived } = await reads.read('charts', askerOf(call), async (from) => {
    const [first] = await firstCredit(from.db, scope)
    const weeks = Array.from({ length: mostWeeks }, (_, i) => dateAfter(date, -7 * (i + 1))).filter(
      // Weeks before the shop began are not zeros of a usual day.
      (day) => first !== undefined && day >= localDate(zone, first.received_at),
    )
    const periods = [date, ...weeks].flatMap((day) => hoursOf(zone, day))
    return { weeks, arrived: await arrivedInPeriods(from.db, scope, periods) }
  })
  const rows = byWallet(arrived)
  const local = zone.format(new Date(now))
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  return {
    at: local,
    date,
    time_zone: zone.name,
    hour_now: local.slice(0, 10) === date ? Number(local.slice(11, 13)) : null,
    wallets: (await realWallets(db, scope)).map(shownWallet),
    rows: rows
      .filter(({ period }) => period < hoursOfDay)
      .map(({ period: hour, wallet_id: wallet, currency, count, sum }) => ({
        hour,
        wallet,
        currency,
        count,
        sum: formatMinor(sum),
      })),
    weeks: weeks.length,
    usual: currencies.flatMap((currency) =>
      Array.from({ length: hoursOfDay }, (_, hour) => {
        const sums = weeks.map(
          (_, week) =>
            addUp(rows.filter((row) => row.period === (week + 1) * hoursOfDay + hour && row.currency === currency)).sum,
        )
        return { hour, currency, sum: median(sums) }
      })
        .filter(({ sum }) => sum > 0n)
        .map((row) => ({ ...row, sum: formatMinor(row.sum) })),
    ),
  }
}
