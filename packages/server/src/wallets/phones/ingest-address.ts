/**
 * The address of a forwarding app (`/ingest/{adapter}/{token}`) belongs to one app: the one that an owner chose for it. Another
 * app that uses it is refused like a wrong token, because not every app signs: otherwise whoever knows the address could leave
 * the signature out. An address that has no app yet gets the first one that uses it, unless the phone could sign and this
 * message is not signed. Each refusal is stored for the phone's page, at most every ten seconds.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Phone } from './phone.ts'
import type { KnownPhone, PhoneLookup } from './phone-lookup.ts'
import { bindIngestAdapter, saveRefusedApp } from './phone-sql.ts'

/** Whether an app may use the phone's address. `signed`: whether its message has a valid signature; undefined: not known yet. */
export const mayUseAddress = (
  phone: Pick<Phone, 'ingestAdapter' | 'secretSealed' | 'signingKeySealed'>,
  adapter: string,
  signed?: boolean,
): boolean => {
  if (phone.ingestAdapter !== '') return phone.ingestAdapter === adapter
  const canSign = phone.secretSealed !== null || phone.signingKeySealed !== null
  return signed !== false || !canSign
}

export type IngestAddress = {
  /** Binds the phone's address to the app that uses it first. False: another app was first. */
  bind(phone: KnownPhone, adapter: string): Promise<boolean>
  /** Stores that another app was refused. False: another refusal was stored a moment ago. */
  refused(phone: KnownPhone, adapter: string, now: Instant): Promise<boolean>
}

const refusedEvery_ms = 10_000

export const ingestAddress = ({
  db,
  knownPhones,
}: {
  readonly db: Db
  readonly knownPhones: PhoneLookup
}): IngestAddress => {
  const written = new LRUCache<string, Instant>({ max: 20_000 })
  return {
    async bind(phone, adapter) {
      if (phone.ingestAdapter !== '' || phone.ingestTokenHash === null) return phone.ingestAdapter === adapter
      const bound = await bindIngestAdapter(db, wholeAccount(phone.accountId), phone.id, phone.ingestTokenHash, adapter)
      knownPhones.forget(phone.id)
      return bound.length > 0
    },
    async refused({ accountId, id }, adapter, now) {
      const last = written.get(id)
      // After a clock was set back, the time must still be written.
      if (last !== undefined && now >= last && now - last < refusedEvery_ms) return false
      written.set(id, now)
      await saveRefusedApp(db, wholeAccount(accountId), id, adapter, now)
      return true
    },
  }
}
