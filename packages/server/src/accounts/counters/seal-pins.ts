/**
 * Seals the hashes of PINs that an earlier version stored without a seal. It runs at every start of the service: a node of that version
 * or a restored backup may have added some. The batches are bounded, and several nodes may run it at once.
 */
import { smallestId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { PinSealer } from './sealed-pin.ts'
import { readUnsealedPins, sealStoredPins } from './sealed-pin-sql.ts'

const pins_per_batch = 200

/** Returns how many were sealed. */
export const sealPins = async (db: Session, pins: Pick<PinSealer, 'seal'>): Promise<number> => {
  let sealed = 0
  let after: string = smallestId
  for (;;) {
    const rows = await readUnsealedPins(db, after, pins_per_batch)
    if (rows.length === 0) return sealed
    const ids = rows.map(({ id }) => id)
    const hashes = rows.map(({ id, hash }) => pins.seal(id, hash))
    sealed += (await sealStoredPins(db, ids, hashes)).length
    after = ids.at(-1)!
  }
}
