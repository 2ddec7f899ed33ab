/**
 * A phone sends its one-time code and gets its secret, once; the owners of its account are notified. The answer does
 * not tell whether a code was wrong, expired, used or tried too often. The caller limits how many codes an address may
 * try.
 */
import { insertNotices } from '../../accounts/notices/owner-notices-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type NoticeId, newSecret, type PhoneId, timeOrderedId } from '../../core/ids.ts'
import { sameFingerprint } from '../../core/seal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { mostTries, readPairingCode } from './pairing-code.ts'
import type { PhoneLookup } from './phone-lookup.ts'
import type { PhoneSecrets } from './phone-secrets.ts'
import { completePairing, countTry, lockPairings } from './phone-sql.ts'

export type Paired = {
  readonly accountId: AccountId
  readonly deviceId: PhoneId
  readonly secret: string
  readonly secretVersion: number
}

/** What the phone reports about itself. */
export type AboutPhone = Readonly<Record<'agent' | 'version' | 'model' | 'android', string>>

/** Undefined: the code is not valid. */
export type PairPhone = (typed: string, about: AboutPhone, now: Instant) => Promise<Paired | undefined>

export const phonePairer =
  (deps: { readonly db: Db; readonly secrets: PhoneSecrets; readonly devices: PhoneLookup }): PairPhone =>
  async (typed, about, now) => {
    const { db, secrets, devices } = deps
    const code = readPairingCode(typed)
    if (code === undefined) return undefined
    const hash = secrets.hashCode(code)
    const paired = await db.transaction(async (tx) => {
      const near = await lockPairings(tx, hash.first, hash.last, mostTries, now)
      const device = near.find((one) => sameFingerprint(one.pairing_hash, hash.whole))
      if (device === undefined) {
        if (near.length > 0) {
          const ids = near.map((one) => one.id)
          await countTry(tx, ids)
        }
        return undefined
      }
      const secret = newSecret()
      const sealed = secrets.sealSecret(device.id, secret)
      const [row] = await completePairing(tx, device.account_id, device.id, sealed, JSON.stringify(about), now)
      if (row === undefined) throw new Error(`device ${device.id} vanished while it was paired`)
      const facts = { name: device.name, again: row.secret_version > 1, model: about.model.slice(0, 100) }
      const notice = {
        accountId: device.account_id,
        id: timeOrderedId<NoticeId>(now),
        kind: 'phone_paired',
        objectKind: 'phone',
        objectId: device.id,
        by: device.pairing_by,
        facts,
      } as const
      await insertNotices(tx, [notice], now)
      return { accountId: device.account_id, deviceId: device.id, secret, secretVersion: row.secret_version }
    })
    if (paired !== undefined) devices.forget(paired.deviceId)
    return paired
  }
