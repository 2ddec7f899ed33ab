/**
 * When phones were last seen. A heartbeat stores what the phone reports about itself; every other authenticated request
 * stores only the time, at most every ten seconds, so that a busy phone does not cost a write for each request.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Phone } from './phone.ts'
import { saveHealth, saveSeen } from './phone-sql.ts'

export type Health = Readonly<Record<string, unknown>>

type SeenPhone = Pick<Phone, 'id' | 'accountId' | 'lastSeenAt'>

export type Heartbeats = {
  /** `adds`: the values are added to the earlier ones; otherwise they replace them. */
  beat(phone: SeenPhone, health: Health, adds: boolean, now: Instant): Promise<void>
  seen(phone: SeenPhone, withAlert: boolean, now: Instant): Promise<void>
}

const seenEvery_ms = 10_000

export const heartbeats = (db: Db): Heartbeats => {
  const written = new LRUCache<string, Instant>({ max: 20_000 })
  return {
    async beat({ accountId, id }, health, adds, now) {
      await saveHealth(db, accountId, id, JSON.stringify(health), adds, now)
    },
    async seen({ accountId, id }, withAlert, now) {
      const key = `${id} ${withAlert}`
      const last = written.get(key)
      // A clock that was set back must not keep a phone unseen.
      if (last !== undefined && now >= last && now - last < seenEvery_ms) return
      written.set(key, now)
      await saveSeen(db, accountId, id, withAlert, now)
    },
  }
}
