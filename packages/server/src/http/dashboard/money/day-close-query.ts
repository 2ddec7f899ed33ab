/**
 * Reads which wallet and day a request asks for. Days begin in the zone of the account, or else of the service.
 */

import type { Instant } from '../../../core/clock.ts'
import { day_ms } from '../../../core/duration.ts'
import type { Scope } from '../../../core/scope.ts'
import { sharedZone, type Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import type { WalletDay } from '../../../views/day-close/close-day.ts'
import { walletOfDay } from '../../../views/day-close/day-close-sql.ts'
import { answerTo } from '../refusals.ts'

export type DayQuery = {
  readonly wallet: { readonly id: string; readonly name: string; readonly currency: string }
  readonly zone: Zone
  /** `2026-01-02` */
  readonly day: string
  readonly walletDay: WalletDay
}

/** The first instant of a day, and of the day after it. */
export const boundsOf = (day: string, zone: Zone): { readonly from: Instant; readonly until: Instant } => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return {
    from: zone.instantOf({ year, month, day: date }).getTime(),
    until: zone.instantOf({ year, month, day: date + 1 }).getTime(),
  }
}

/** The day and those before it, newest first. */
export const daysUntil = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => Date.parse(day) - i * day_ms)
    .filter((at) => at >= 0)
    .map((midnight) => new Date(midnight).toISOString().slice(0, 10))

/** `chosen`: a day; undefined: today. */
export const readDayQuery = async (
  deps: { readonly db: Session; readonly zone: Zone },
  scope: Scope,
  id: string,
  chosen: string | undefined,
  now: Instant,
): Promise<DayQuery> => {
  const [wallet] = await walletOfDay(deps.db, scope, id)
  if (wallet === undefined) throw answerTo({ refused: 'wallet_unknown', facts: { wallet: id } })
  const zone = sharedZone(wallet.time_zone, deps.zone)
  const day = chosen ?? zone.format(new Date(now)).slice(0, 10)
  return {
    wallet: { id: wallet.id, name: wallet.name, currency: wallet.currency },
    zone,
    day,
    walletDay: { scope: scope, walletId: wallet.id, currency: wallet.currency, ...boundsOf(day, zone) },
  }
}
