/** `/overview/links/`: how far the buyers of payment links came, by day. */
import { showFunnelDays } from '@sanad/contract/dashboard/checkouts/funnel-days'
import { dateAfter, dayOf, localDate } from '../../../views/arrived/periods.ts'
import { funnelInPeriods } from '../../../views/checkouts/funnel-sql.ts'
import { daysIn, shownDays } from '../money/arrived.ts'
import { askerOf, type DashboardContext, type Route, route } from '../route.ts'

const nobody = { opened: 0, started: 0, chosen: 0, sent: 0, paid: 0, paid_unsent: 0 }

export const funnelDaysRoutes = ({ reads }: Pick<DashboardContext, 'reads'>): Route[] => [
  route(showFunnelDays, async (call) => {
    const { query, member, now } = call
    const count = shownDays(member.scope, daysIn(query.days))
    const zone = await call.zone()
    const today = localDate(zone, now)
    const dates = Array.from({ length: count }, (_, i) => dateAfter(today, i + 1 - count))
    const days = dates.map((date) => dayOf(zone, date))
    const bounds = [...days.map(({ from }) => from), days.at(-1)!.until]
    const rows = await reads.read('charts', askerOf(call), ({ db }) =>
      funnelInPeriods(db, member.scope, query.link, bounds),
    )
    const byPeriod = new Map(rows.map(({ period, ...steps }) => [period, steps]))
    return {
      at: zone.format(new Date(now)),
      time_zone: zone.name,
      days: dates.map((date, period) => ({ date, ...(byPeriod.get(period) ?? nobody) })),
    }
  }),
]
