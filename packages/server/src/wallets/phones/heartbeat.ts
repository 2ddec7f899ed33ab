/**
 * Signs of life. A heartbeat keeps what the phone says of itself; every other authenticated call says at least that the
 * phone is there, which is written down every ten seconds at most, so that a busy phone costs no write a call.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Device } from './phone.ts'
import { saveHealth, saveSeen } from './phone-sql.ts'

export type Health = Readonly<Record<string, unknown>>

type Phone = Pick<Device, 'id' | 'accountId' | 'lastSeenAt'>

export type Pulse = {
  /** `adds`: what is said now adds to what was said before; otherwise it replaces it. */
  beat(phone: Phone, health: Health, adds: boolean, now: Instant): Promise<void>
  seen(phone: Phone, withAlert: boolean, now: Instant): Promise<void>
}

const seenEvery_ms = 10_000

export const pulse = (db: Db): Pulse => {
  const written = new LRUCache<string, Instant>({ max: 20_000 })
  return {
    async beat({ accountId, id }, health, adds, now) {
      await saveHealth(db, accountId, id, JSON.stringify(health), adds, now)
    },
    async seen({ accountId, id }, withAlert, now) {
      const key = `${id} ${withAlert}`
      const last = written.get(key)
      // A clock set back would keep a phone unseen: such an age counts as long ago.
      if (last !== undefined && now >= last && now - last < seenEvery_ms) return
      written.set(key, now)
      await saveSeen(db, accountId, id, withAlert, now)
    },
  }
}
