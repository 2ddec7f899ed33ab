/** `/operator/hours/`: what the whole service did in each of the last 24 hours. */
import { showServiceHours } from '@sanad/contract/dashboard/operator/service-hours'
import { listServiceHours } from '../../../accounts/tenants/service-hours-sql.ts'
import { hour_ms } from '../../../core/duration.ts'
import { firstOfDay } from '../../../views/operator/service-hours.ts'
import { type Route, userRoute } from '../route.ts'
import type { OperatorDeps } from './operator-accounts.ts'

const hoursOfDay = 24
const unknown = { messages: 0, payments: 0, lag_s: null, phones: null, silent_phones: null }

export const serviceHoursRoutes = ({ db, zone }: OperatorDeps): Route[] => [
  userRoute(showServiceHours, async ({ now }) => {
    const first = firstOfDay(now)
    const rows = await listServiceHours(db, first)
    const byHour = new Map(rows.map((row) => [row.hour, row]))
    // Hours are counted in their order, so the first that is not counted to its end says how far it went.
    const open = rows.find(({ hour, counted_until }) => counted_until < hour + hour_ms)
    const text = (at: number): string => zone.format(new Date(at))
    return {
      at: text(now),
      time_zone: zone.name,
      counted_until: text(open?.counted_until ?? (rows.length === 0 ? first : rows.at(-1)!.counted_until)),
      hours: Array.from({ length: hoursOfDay }, (_, i) => {
        const { messages, payments, lag_s, phones, silent_phones } = byHour.get(first + i * hour_ms) ?? unknown
        return { hour: text(first + i * hour_ms), messages, payments, lag_s, phones, silent_phones }
      }),
    }
  }),
]
