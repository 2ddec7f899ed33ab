/**
 * Reads which wallet and day a request asks for. Days begin in the zone of the account, or else of the service. All
 * errors are reported at once, in the wording of the merchant API.
 */

import type { Instant } from '../../../core/clock.ts'
import { asciiDigits } from '../../../core/digits.ts'
import { day_ms } from '../../../core/duration.ts'
import type { AccountId } from '../../../core/ids.ts'
import { strip } from '../../../core/python-text.ts'
import { sharedZone, type Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import type { WalletDay } from '../../../views/day-close/close-day.ts'
import { walletOfDay } from '../../../views/day-close/day-close-sql.ts'
import { invalid, type ProblemEntry } from '../../answers.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { answerTo } from '../refusals.ts'

export type DayQuery = {
  readonly wallet: { readonly id: string; readonly name: string; readonly currency: string }
  readonly zone: Zone
  /** `2026-01-02` */
  readonly day: string
  readonly walletDay: WalletDay
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Midnight of the day in UTC, for counting days. The year 9999 is refused: its end has a year of five digits. */
const utcMidnight = (text: string): number | undefined => {
  const [, year, month, day] = DAY.exec(asciiDigits(strip(text))) ?? []
  if (year === undefined || Number(year) < 1970 || Number(year) > 9998) return undefined
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return dayText(at) === `${year}-${month}-${day}` ? at : undefined
}

const dayText = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10)

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
  Array.from({ length: count }, (_, i) => utcMidnight(day)! - i * day_ms)
    .filter((at) => at >= 0)
    .map(dayText)

export const readDayQuery = async (
  deps: { readonly db: Session; readonly zone: Zone },
  accountId: AccountId,
  sent: ReadonlyMap<string, string>,
  name: 'day' | 'until',
  now: Instant,
): Promise<DayQuery> => {
  const errors: ProblemEntry[] = []
  const [requested, value] = [strip(sent.get('wallet') ?? ''), strip(sent.get(name) ?? '')]
  const id = uuidOfText(requested)
  if (requested === '') errors.push({ code: 'required', detail: 'This field is required.', attr: 'wallet' })
  else if (id === undefined) errors.push({ code: 'invalid', detail: 'Enter a valid UUID.', attr: 'wallet' })
  const chosen = value === '' ? undefined : utcMidnight(value)
  if (value !== '' && chosen === undefined) errors.push({ code: 'invalid', detail: 'Enter a valid date.', attr: name })
  if (errors.length > 0) throw invalid(errors)
  const [wallet] = await walletOfDay(deps.db, accountId, id!)
  if (wallet === undefined) throw answerTo({ refused: 'wallet_unknown', facts: { wallet: id! } })
  const zone = sharedZone(wallet.time_zone, deps.zone)
  const day = chosen === undefined ? zone.format(new Date(now)).slice(0, 10) : dayText(chosen)
  return {
    wallet: { id: wallet.id, name: wallet.name, currency: wallet.currency },
    zone,
    day,
    walletDay: { accountId, walletId: wallet.id, currency: wallet.currency, ...boundsOf(day, zone) },
  }
}
