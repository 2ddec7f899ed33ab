/**
 * The key pair by which push services know this service (VAPID, RFC 8292). It is made at the first start, and stored sealed; of
 * nodes that start at once, one pair wins. Browsers subscribe with the public key.
 */
import type { Instant } from '../core/clock.ts'
import { randomId } from '../core/ids.ts'
import { type Keys, sealerFor } from '../core/seal.ts'
import type { Session } from '../postgres/connection/database.ts'
import { insertPushKeys, readPushKeys } from './push-keys-sql.ts'

export type PushKeys = { readonly publicKey: string; readonly privateKey: string }

/** Reads the pair again each time: after a lost master key there is another one, and a restore brings back an old one. */
export type ReadPushKeys = () => Promise<PushKeys>

/** Makes the pair if the database has none. */
export const openPushKeys = async (db: Session, keys: Keys, now: Instant): Promise<ReadPushKeys> => {
  const sealer = sealerFor(keys, 'push keys')
  const read = async (): Promise<PushKeys | undefined> => {
    const [row] = await readPushKeys(db)
    return row && { publicKey: row.public_key, privateKey: sealer.unseal(row.private_sealed, row.id) }
  }
  const make = async (): Promise<PushKeys> => {
    // Imported only where it is needed: it would be a large part of what a start loads.
    const { default: webPush } = await import('web-push')
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    const id = randomId()
    await insertPushKeys(db, { id, publicKey, privateSealed: sealer.seal(privateKey, id) }, now)
    return (await read())!
  }
  if ((await readPushKeys(db)).length === 0) await make()
  return async () => (await read()) ?? make()
}
