/**
 * Stores when phones were last seen. A heartbeat also stores what the phone reports about itself, and the time between
 * heartbeats (silence.ts judges by it). Every other authenticated request stores only the time, at most every ten seconds,
 * so that a busy phone does not cost a write for each request.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { findHeartbeat } from '../silence/rhythm-sql.ts'
import { agentHeartbeat_s, pingPeriod_s } from '../silence/silence.ts'
import type { Phone } from './phone.ts'
import { addHealth, saveHeartbeat, saveSeen } from './phone-sql.ts'

export type Health = Readonly<Record<string, unknown>>

type SeenPhone = Pick<Phone, 'id' | 'accountId' | 'lastSeenAt'>

export type Heartbeats = {
  beat(phone: SeenPhone, health: Health, kind: BeatKind, now: Instant): Promise<void>
  seen(phone: SeenPhone, withAlert: boolean, now: Instant): Promise<void>
}

/**
 * `heartbeat`: sent by our agent, whose period we set; its report replaces the one before. `ping`: sent by a forwarding
 * app, whose period is a setting of the app and is measured. `facts`: no heartbeat, for example values that come with a
 * message. The values of pings and facts are added to the stored ones.
 */
export type BeatKind = 'heartbeat' | 'ping' | 'facts'

const seenEvery_ms = 10_000

export const heartbeats = (db: Db): Heartbeats => {
  const written = new LRUCache<string, Instant>({ max: 20_000 })
  return {
    async beat({ accountId, id }, health, kind, now) {
      const text = JSON.stringify(health)
      if (kind === 'facts') return void (await addHealth(db, wholeAccount(accountId), id, text, now))
      if (kind === 'heartbeat')
        return void (await saveHeartbeat(db, wholeAccount(accountId), id, text, false, now, agentHeartbeat_s))
      const [before] = await findHeartbeat(db, wholeAccount(accountId), id)
      const { heartbeat_at: last = null, heartbeat_s: period = null } = before ?? {}
      const measured = last === null ? null : pingPeriod_s(period, (now - last) / 1000)
      await saveHeartbeat(db, wholeAccount(accountId), id, text, true, now, measured)
    },
    async seen({ accountId, id }, withAlert, now) {
      const key = `${id} ${withAlert}`
      const last = written.get(key)
      // After a clock was set back, the time must still be written.
      if (last !== undefined && now >= last && now - last < seenEvery_ms) return
      written.set(key, now)
      await saveSeen(db, wholeAccount(accountId), id, withAlert, now)
    },
  }
}
