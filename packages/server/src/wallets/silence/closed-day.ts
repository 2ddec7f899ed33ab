/**
 * A member says that the shop is closed today. The alarm for the phone's silence is moved to the next day; from then on silence is
 * judged as usual. The time of the last message is not changed. The next message sets the alarm anew, so it also ends the closed
 * day. Each closed day needs its own call.
 */
import type { Instant } from '../../core/clock.ts'
import type { PhoneId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { type Zone, zoneOf } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { alarmAfterClosedDay } from './rhythm.ts'
import { lockRhythm, movePhoneAlarm } from './rhythm-sql.ts'

/** `zone`: the time zone of accounts that have set none. */
export const closeToday = async (
  tx: Tx,
  scope: Scope,
  id: PhoneId,
  zone: Zone,
  now: Instant,
): Promise<{ readonly name: string; readonly alarmAt: Instant } | Refusal<'phone_not_judged'>> => {
  const [row] = await lockRhythm(tx, scope, id)
  if (row === undefined || row.unjudged !== '' || row.heard_at === null) return refuse('phone_not_judged')
  const own = row.time_zone === '' ? zone : zoneOf(row.time_zone)
  const alarmAt = alarmAfterClosedDay({ hours: row.hours, lastDay: row.last_day }, row.heard_at, now, own)
  if (alarmAt === undefined) return refuse('phone_not_judged')
  await movePhoneAlarm(tx, scope, id, alarmAt)
  return { name: row.name, alarmAt }
}
