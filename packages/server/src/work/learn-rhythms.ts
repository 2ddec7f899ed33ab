/**
 * Learns how often phones with forwarding apps usually report (their rhythm), and from when their silence is unusual
 * (wallets/silence/rhythm.ts). This runs in the background, so that it does not delay the recording of alerts. The
 * rhythm of a phone is computed again if the phone made contact since the last time, every ten minutes at most.
 */
import { phoneArrivalsAfter } from '../alerts/phone-arrivals-sql.ts'
import type { Instant } from '../core/clock.ts'
import { day_ms, minute_ms } from '../core/duration.ts'
import { firstIdAt } from '../core/ids.ts'
import { wholeAccount } from '../core/scope.ts'
import { type Zone, zoneOf } from '../core/zone.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'
import type { RowOf } from '../postgres/query/statement.ts'
import { addMessages, silenceLimit, storedDays } from '../wallets/silence/rhythm.ts'
import { addRhythms, lockDueRhythms, saveRhythm } from '../wallets/silence/rhythm-sql.ts'

type DueRhythm = RowOf<typeof lockDueRhythms.columns>

const again_ms = 10 * minute_ms
const phonesAtOnce = 50
/** A phone with more new messages is computed again at once. */
const messagesAtOnce = 5_000

/** Returns whether all messages of the phone are counted. */
const learn = async (tx: Tx, row: DueRhythm, zone: Zone, now: Instant): Promise<boolean> => {
  const arrivals = await phoneArrivalsAfter(
    tx,
    wholeAccount(row.account_id),
    row.device_id,
    row.counted_to,
    messagesAtOnce,
  )
  const counts = addMessages(
    { hours: row.hours, lastDay: row.last_day },
    arrivals.map(({ received_at }) => received_at),
    zone,
  )
  const all = arrivals.length < messagesAtOnce
  const limit = all ? silenceLimit(counts, row.last_seen_at, zone) : ({ kind: 'unjudged', reason: 'learning' } as const)
  saveRhythm.atEnd(tx, {
    accountId: row.account_id,
    phoneId: row.device_id,
    hours: counts.hours,
    lastDay: counts.lastDay,
    countedTo: arrivals.at(-1)?.id ?? row.counted_to,
    heardAt: all ? row.last_seen_at : null,
    usualAt: limit.kind === 'limit' ? limit.usualAt : null,
    alarmAt: limit.kind === 'limit' ? limit.alarmAt : null,
    unjudged: limit.kind === 'limit' ? '' : limit.reason,
    dueAt: all ? now + again_ms : now,
  })
  return all
}

/** `zone`: for accounts without a time zone of their own. Returns whether there is more to do at once. */
export const learnRhythms = async (db: Db, zone: Zone, now: Instant): Promise<boolean> => {
  await addRhythms(db, firstIdAt(now - storedDays * day_ms), now, 500)
  return db.transaction(async (tx) => {
    const due = await lockDueRhythms(tx, now, phonesAtOnce)
    const zones = new Map([['', zone]])
    let allCounted = true
    for (const row of due) {
      const ownZone = zones.get(row.time_zone) ?? zoneOf(row.time_zone)
      zones.set(row.time_zone, ownZone)
      allCounted = (await learn(tx, row, ownZone, now)) && allCounted
    }
    return due.length === phonesAtOnce || !allCounted
  })
}
